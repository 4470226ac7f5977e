// Phones: plays the day with one dot per activity. Choosing a dot shows its history.

import { mountChart } from "./charts.js";
import { clamp, clockTime, duration, h, instant, number, scrollable, spokenTime, throttled, words } from "./dom.js";
import { beliefs, Dots, drawRing, screens, sprites } from "./dots.js";
import { parseFaults } from "./faults.js";
import { Player } from "./player.js";
import { Work } from "./work.js";

/** Minimum interval between updates of the address while the user moves from dot to dot [ms]. */
const writeInterval = 500;

const speeds = [1, 5, 15, 60, 150, 300, 600];

export class Phones {
  constructor(studio, element) {
    this.studio = studio;
    this.startsAt = studio.scenario.starts_at_us;
    this.length = studio.scenario.duration_us;
    this.canvas = h("canvas", {
      tabindex: "0", role: "application", "aria-roledescription": "map of phones",
      "aria-label": "Phones. Arrows choose one, Enter shows its history.",
      onclick: (event) => this.click(event), onkeydown: (event) => this.press(event),
    });
    this.cursor = h("div", { class: "cursor", hidden: true });
    this.playButton = h("button", { type: "button", class: "primary", disabled: true, onclick: () => this.toggle() },
      "Play");
    this.stepButton = h("button", { type: "button", disabled: true, onclick: () => this.player.step() }, "Step");
    this.clock = h("output", { "aria-label": "Time of day" });
    this.speed = h("select", { id: "speed", onchange: () => (this.player.speed = Number(this.speed.value)) },
      ...speeds.map((speed) => h("option", { value: speed, selected: speed === 60 }, `${speed}×`)));
    this.jump = h("input", { id: "jump", type: "text", placeholder: "18:00", autocomplete: "off",
      "aria-describedby": "jump-problem", onchange: () => this.jumpTo(this.jump.value) });
    this.world = h("select", { id: "world", onchange: () => {
      studio.showBadge();
      this.open(this.player.isOpen ? this.player.now : this.at);
    } },
      h("option", { value: "changed" }, "changed"), h("option", { value: "base" }, "base"));
    // Each field has its own message, so that none is red without words.
    const problem = (id) => h("p", { class: "problem", role: "alert", id: `${id}-problem`, hidden: true });
    [this.problem, this.jumpProblem, this.rideProblem] = ["phones", "jump", "ride"].map(problem);
    this.work = new Work(studio, { what: "opening the day", stopped: () => this.stopped(),
      resume: () => this.open(this.at) });
    this.state = h("p", { class: "state quiet", role: "status" });
    this.slider = h("input", {
      type: "range", min: 0, max: this.length / 1e6, step: 60, "aria-label": "Time of day",
      oninput: () => this.slider.setAttribute("aria-valuetext", clockTime(this.slider.value * 1e6, this.startsAt)),
      onchange: () => this.open(this.slider.value * 1e6),
    });
    this.marks = h("div", { class: "marks", "aria-hidden": "true" });
    this.faultText = h("p", { class: "quiet" });
    this.said = h("p", { class: "quiet", "aria-live": "polite" }, "Choose a dot for its history.");
    this.ride = h("input", { id: "ride", type: "text", inputmode: "numeric", autocomplete: "off",
      "aria-describedby": "ride-problem", onchange: () => this.chooseRide(this.ride.value.trim()) });
    this.story = h("section", { class: "story", "aria-label": "History", hidden: true });
    const labelled = (id, text, input) => h("span", { class: "labelled" }, h("label", { for: id }, text), input);
    element.append(
      h("h2", {}, "Riders' screens"),
      h("div", { class: "player" }, this.playButton, this.stepButton, this.clock,
        labelled("speed", "speed", this.speed), labelled("jump", "jump to", this.jump),
        labelled("world", "world", this.world), labelled("ride", "ride", this.ride)),
      this.problem, this.jumpProblem, this.rideProblem,
      h("div", { class: "timeline" }, this.marks, this.slider), this.faultText,
      h("div", { class: "with-work" }, this.state, this.work.element),
      this.legend(),
      h("div", { class: "dots" }, this.canvas, this.cursor), this.said, this.story);
    this.dots = new Dots(this.canvas);
    this.player = new Player(studio, this.dots, {
      tell: (sentence) => (this.state.textContent = sentence),
      applied: (at) => this.look(at),
      changed: () => {
        this.showState();
        if (!this.player.isPlaying) this.writing.now();
      },
    });
    // The chosen ride, the place of its dot (-1 if it has none), and the time at which the dot disappeared.
    this.chosenRide = null;
    this.chosen = -1;
    this.goneAt = null;
    // A ride to choose, with its history, once a day is open.
    this.wanted = null;
    this.writing = throttled(writeInterval, () => this.writeState());
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawKeys());
    studio.on("opening", ({ share }) => {
      if (!this.player.isOpening || this.work.isStopped) return;
      this.work.report(share);
      const until = clockTime(this.player.wanted, this.startsAt);
      this.state.textContent = `Running up to ${until} … ${Math.round(share * 100)} %${this.toCome}`;
    });
    studio.on("reading", ({ share }) => this.reading?.report(share));
  }

  legend() {
    this.counts = [];
    this.keys = [];
    const entry = (kind, index, meaning, accepts) => {
      const count = h("b", {}, "0");
      const key = h("canvas", { width: 40, height: 40, "aria-hidden": "true" });
      this.counts.push([kind, index, count]);
      this.keys.push([kind, index, key]);
      return h("li", {}, key, count, h("span", {}, meaning),
        h("button", { type: "button", class: "small", "aria-label": `Choose a phone: ${meaning}`,
          onclick: () => this.choose(this.dots.find(accepts, this.chosen), true) }, "choose one"));
    };
    const list = (id, title, entries) => h("div", {}, h("h3", { id }, title),
      h("ul", { class: "legend", "aria-labelledby": id }, ...entries));
    return h("div", { class: "legends" },
      list("legend-screens", "Inside: what the screen shows", screens.map(([, meaning], index) =>
        entry("screen", index, `screen ${meaning}`, (screen) => screen === index))),
      list("legend-beliefs", "Ring around it: what the server believes", beliefs.map((meaning, index) =>
        entry("belief", index, meaning, (_, belief) => belief === index))));
  }

  drawKeys() {
    const style = getComputedStyle(document.documentElement);
    const sheet = sprites(40, style);
    for (const [kind, index, key] of this.keys) {
      const context = key.getContext("2d");
      context.clearRect(0, 0, 40, 40);
      if (kind === "screen") context.drawImage(sheet, index * 4 * 40, 0, 40, 40, 0, 0, 40, 40);
      // A ring alone: the shape inside has another meaning.
      else drawRing(context, 40, index, style);
    }
  }

  // MARK: Callbacks from the studio

  enter() {
    const { viewState } = this.studio;
    if (viewState.get("world") === "base") this.world.value = "base";
    this.drawKeys();
    this.resized();
    const at = viewState.has("at") ? Number(viewState.get("at")) * 1e6 : null;
    const ride = /^\d+$/.test(viewState.get("ride") ?? "") ? Number(viewState.get("ride")) : null;
    const isSame = this.openSettings === JSON.stringify(this.settings)
      && (at === null || Math.abs(at - this.player.now) < 1e6) && (ride === null || ride === this.chosenRide);
    if (isSame) this.writing.now();
    else this.open(at ?? this.interesting(), ride);
  }

  leave() {
    this.player.pause();
    this.showState();
  }

  connected() {
    const wasPlaying = this.player.isPlaying || this.player.isAwaited;
    this.open(this.player.isOpen ? this.player.now : this.at).then(() => {
      if (wasPlaying) this.player.play();
      this.showState();
    });
  }

  settingsChanged() {}

  get settings() {
    return this.world.value === "base" ? this.studio.baseSettings : this.studio.changedSettings;
  }

  get faults() {
    return parseFaults(this.world.value === "base" ? this.studio.baseValue("faults") : this.studio.value("faults"));
  }

  /** Returns the time to begin at: just before the first outage, or the middle of the day if there is none. */
  interesting() {
    const first = this.faults.map(({ at }) => at).sort((a, b) => a - b)[0];
    return first === undefined ? this.length / 2 : Math.max(0, first - 60e6);
  }

  // MARK: Time

  /** Opens the day at an instant. The chosen ride stays chosen unless `ride` names another one. */
  async open(at, ride = null) {
    this.at = at;
    if (ride !== null) this.wanted = ride;
    if (!this.studio.session) return;
    const settings = JSON.stringify(this.settings);
    // A history belongs to one world.
    if (this.openSettings && this.openSettings !== settings && !this.story.hidden) this.wanted ??= this.chosenRide;
    this.openSettings = settings;
    this.showMarks();
    this.work.begin();
    const asked = (this.openAsked = (this.openAsked ?? 0) + 1);
    const opening = this.player.open(this.settings, clamp(Math.round(at / 1e6) * 1e6, 0, this.length));
    this.chosenRide = this.wanted ?? this.chosenRide;
    [this.chosen, this.goneAt] = [-1, null];
    this.writing.now();
    const problem = await opening;
    if (asked !== this.openAsked) return;
    if (this.work.isStopped && !this.player.isOpen) {
      this.openSettings = null;
      this.state.textContent = `Stopped on the way to ${clockTime(this.at, this.startsAt)}.`;
      this.showState();
      return;
    }
    this.work.end();
    this.tell(problem);
    if (problem) this.openSettings = null;
    else if (this.player.isOpen) {
      if (this.wanted !== null) this.tellRide(String(this.wanted));
      this.wanted = null;
    }
    this.showState();
  }

  /** The server ends its work; the response to the request follows. */
  stopped() {
    this.state.textContent = "Stopping …";
  }

  /** A remark on the changes for the badge. */
  get badgeRemark() {
    return this.world.value === "base" ? "This view shows the base." : "";
  }

  /** Writes the current instant, or the one that is being opened, and the chosen ride into the address. */
  writeState() {
    if (this.studio.view !== this) return;
    const at = this.player.isOpen ? Math.floor(this.player.now / 1e6) : Math.round(this.at / 1e6);
    this.studio.viewState = new URLSearchParams({ at, ...(this.world.value === "base" ? { world: "base" } : {}),
      ...(this.chosenRide === null ? {} : { ride: this.chosenRide }) });
    this.studio.writeAddress();
  }

  showMarks() {
    const { faults } = this;
    this.marks.replaceChildren(...faults.map((fault) => {
      const mark = h("i");
      mark.style.left = `${(fault.at / this.length) * 100}%`;
      mark.style.width = `${(fault.duration / this.length) * 100}%`;
      return mark;
    }));
    this.faultText.replaceChildren(...(faults.length === 0 ? ["No outages."]
      : ["Outages: ", ...faults.flatMap((fault, index) => [
      index > 0 ? ", " : "",
      h("button", { type: "button", class: "small", onclick: () => this.open(Math.max(0, fault.at - 30e6)) },
        `${words(fault.kind)} ${clockTime(fault.at, this.startsAt)}, ${duration(fault.duration)}`)])]));
  }

  jumpTo(text) {
    const at = instant(text, this.startsAt);
    const isWrong = at === null || at < 0 || at > this.length;
    const allowed = `a time of the day such as 18:00, or a duration from the start up to ${duration(this.length)}`;
    this.tell(isWrong ? `jump to must be ${allowed}; got ${text || "nothing"}` : null, this.jumpProblem, this.jump);
    if (!isWrong) this.open(at);
  }

  /** Shows an error of the day, or of a field; null clears it. */
  tell(sentence, message = this.problem, field = null) {
    message.hidden = !sentence;
    message.textContent = sentence ?? "";
    if (sentence) field?.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
  }

  toggle() {
    const { player } = this;
    if (player.isPlaying || player.isAwaited) player.pause();
    else player.play();
    if (player.isOpening) this.state.textContent = `Opening …${this.toCome}`;
    this.showState();
    if (!player.isPlaying) this.writing.now();
  }

  /** A note after the progress: what happens once the day is open. */
  get toCome() {
    return this.player.isAwaited ? " It plays as soon as it is open." : "";
  }

  showState() {
    const { player, dots } = this;
    this.playButton.textContent = player.isPlaying || player.isAwaited ? "Pause" : "Play";
    // If a day was open, Play also works while another one is opened.
    this.playButton.disabled = !player.isOpen && !(player.isOpening && player.until);
    this.stepButton.disabled = !player.isOpen || player.isPlaying;
    this.clock.textContent = player.isOpen ? clockTime(player.now, this.startsAt, true) : "–";
    if (document.activeElement !== this.slider) {
      this.slider.value = player.now / 1e6;
      this.slider.setAttribute("aria-valuetext", this.clock.textContent);
    }
    for (const [kind, index, element] of this.counts) {
      const counts = kind === "screen" ? dots.screenCounts : dots.beliefCounts;
      element.textContent = number(counts[index]);
    }
    this.describe();
    this.placeCursor();
  }

  // MARK: Choosing

  resized() {
    if (this.canvas.clientWidth === 0) return;
    this.dots.resize();
    this.dots.draw();
    this.placeCursor();
  }

  placeCursor() {
    this.cursor.hidden = this.chosen < 0;
    if (this.chosen < 0) return;
    const { x, y, size } = this.dots.box(this.chosen);
    const side = Math.max(18, size + 8);
    Object.assign(this.cursor.style, { left: `${x + size / 2 - side / 2 + 1}px`,
      top: `${y + size / 2 - side / 2 + 1}px`, width: `${side}px`, height: `${side}px` });
  }

  choose(place, isAsked = false) {
    if (place < 0) {
      this.said.textContent = "There is no such phone at this moment.";
      return;
    }
    this.follow(this.dots.rides[place]);
    this.showState();
    if (isAsked) this.tellRide(String(this.chosenRide));
    this.writing.soon();
  }

  /** Chooses a ride by its number; it need not have a dot at this moment. */
  chooseRide(text) {
    if (/^\d+$/.test(text)) {
      this.follow(Number(text));
      this.showState();
      this.writing.soon();
    }
    this.tellRide(text);
  }

  /** Chooses a ride; null for none. */
  follow(ride) {
    [this.chosenRide, this.chosen, this.goneAt] = [ride, this.dots.places.get(ride) ?? -1, null];
    this.described = "";
  }

  /** Finds the dot of the chosen ride again, after an instant was played or a day was opened. */
  look(at) {
    const place = this.dots.places.get(this.chosenRide) ?? -1;
    if (place >= 0) this.goneAt = null;
    else if (this.chosen >= 0) this.goneAt = at;
    this.chosen = place;
  }

  /** Describes the chosen ride at the current instant. */
  describe() {
    if (this.chosenRide === null || !this.player.isOpen) return;
    const said = this.description();
    if (said === this.described) return;
    this.described = said;
    this.said.textContent = said;
  }

  description() {
    const { dots, chosen, chosenRide, goneAt } = this;
    if (chosen < 0 && goneAt === null) return `Ride ${chosenRide}: it has no activity on a screen at this moment.`;
    if (chosen < 0) {
      const since = clockTime(goneAt, this.startsAt, true);
      return `Ride ${chosenRide}: its activity has been gone from the screen since ${since}.`;
    }
    const [, screen] = screens[dots.looks[chosen] >> 2];
    const belief = beliefs[dots.looks[chosen] & 3];
    const stage = this.studio.scenario.values.rides?.stages?.[dots.stages[chosen]]?.name;
    return `Ride ${chosenRide}${stage ? `, ${words(stage)}` : ""}: the screen ${screen}; ${belief}.`;
  }

  click(event) {
    const box = this.canvas.getBoundingClientRect();
    const place = this.dots.at(event.clientX - box.left - 1, event.clientY - box.top - 1);
    if (place >= 0) this.choose(place, true);
  }

  press(event) {
    if (event.key === "Enter" && this.chosen >= 0) this.tellRide(String(this.chosenRide));
    else if (event.key === " ") this.toggle();
    else if (event.key.startsWith("Arrow")) {
      this.choose(this.chosen < 0 ? this.dots.find(() => true) : this.dots.next(this.chosen, event.key));
    }
    else return;
    event.preventDefault();
  }

  // MARK: History

  /** Returns the rides that can be chosen at this moment, as a note after a refusal. */
  ridesShown(status) {
    const rides = [...this.dots.places.keys()].sort((a, b) => a - b);
    if (status !== 400 || rides.length === 0) return "";
    return `. On screens now: ${rides.slice(0, 5).join(", ")}${rides.length > 5 ? ` … ${rides.at(-1)}` : ""}.`;
  }

  async tellRide(text) {
    const isNumber = /^\d+$/.test(text);
    const allowed = "a whole number, such as the number that a dot shows";
    this.tell(isNumber ? null : `ride must be ${allowed}; got ${text || "nothing"}`, this.rideProblem, this.ride);
    if (!isNumber) return;
    this.story.hidden = false;
    const state = h("p", {}, `Reading the history of ride ${text} …`);
    const work = new Work(this.studio, { what: "history", stopped: () => (state.textContent = "Stopping …"),
      resume: () => this.tellRide(text) });
    this.reading = work;
    this.story.replaceChildren(h("div", { class: "with-work" }, state, work.element));
    work.begin();
    const asked = (this.storyAsked = (this.storyAsked ?? 0) + 1);
    const reply = await this.studio.post("story", { settings: this.settings, ride: Number(text) });
    if (asked !== this.storyAsked) return;
    if (work.isStopped && reply.status !== 200) {
      state.textContent = `Stopped before the history of ride ${text} was read.`;
      return;
    }
    work.end();
    if (reply.status !== 200) {
      // A ride that does not exist is not kept in the address.
      if (reply.status === 400 && this.chosenRide === Number(text)) {
        this.follow(null);
        this.said.textContent = "Choose a dot for its history.";
        this.placeCursor();
        this.writing.now();
      }
      const sentence = reply.problem ?? reply.problems?.[0]?.message ?? "The studio does not respond";
      this.story.replaceChildren(h("p", { class: "problem" }, `${sentence}${this.ridesShown(reply.status)}`));
      return;
    }
    const chart = h("div", { class: "chart", role: "group" });
    const rows = reply.story?.rows ?? [];
    this.story.replaceChildren(
      h("h3", {}, `History of ride ${text}`), h("p", {}, reply.verdict), chart,
      scrollable("Events, row by row",
        h("table", {},
          h("thead", {}, h("tr", {}, 
            ...["time", "since request", "what happened", "content's age", "screen", "the server believes"]
              .map((title) => h("th", { scope: "col" }, title)))),
          h("tbody", {}, ...rows.map((row) => h("tr", { class: row.is_stale ? "stale" : null },
            h("td", {}, clockTime(row.at_us, this.startsAt, true)), h("td", {}, spokenTime(row.offset_us)),
            h("td", {}, row.what),
            h("td", {}, row.age_us === undefined ? "–" : spokenTime(row.age_us)),
            h("td", {}, row.is_stale === undefined ? "–" : row.is_stale ? "stale" : "fresh"),
            h("td", {}, row.believes ?? "–")))))));
    if (this.storyChart) this.storyChart.then((mounted) => mounted?.destroy());
    this.storyChart = reply.chart ? Promise.resolve(mountChart(chart, reply.chart)) : null;
  }
}
