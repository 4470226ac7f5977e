// Tune: fields and sliders for the settings, and the day of the changed world beside the base's.

import { mountChart } from "./charts.js";
import { h, number, throttled } from "./dom.js";
import { Faults } from "./faults.js";
import { GoalField, screenFreshness, verdictOnGoal } from "./goal.js";
import { KeyField, keySearch } from "./keys.js";
import { Work } from "./work.js";

/** Minimum interval between requests while the user drags [ms]. */
const dragInterval = 150;
/** The half-width of freshness' interval at which the server stops, a share. */
const halfWidth = 0.005;

const verdicts = {
  // Not arrows: a value that rises may be worse.
  better: ["✓", "better"],
  worse: ["✗", "worse"],
  higher: ["▲", "higher"],
  lower: ["▼", "lower"],
  same: ["=", "no difference"],
  within_noise: ["=", "within the noise"],
  unsure: ["?", "not certain with these replications"],
  undefined: ["–", "no verdict"],
  other_ruler: ["≠", "no verdict"],
  not_measured: ["–", "not measured"],
};

export class Tune {
  constructor(studio, element) {
    this.studio = studio;
    this.fields = new Map();
    this.charts = new Map();
    this.asking = throttled(dragInterval, () => this.ask());
    this.keyList = h("div", { class: "keys" });
    for (const path of studio.keys.foremost) this.addField(studio.keys.all.get(path));
    this.faults = new Faults(studio, (text, isDragging) => {
      if (text === studio.baseValue("faults")) studio.changed.delete("faults");
      else studio.changed.set("faults", text);
      studio.settingsChanged({ isDragging, isSlider: true });
    });
    this.tiles = h("ul", { class: "tiles", "aria-label": "Results of the changed world" });
    this.state = h("p", { class: "state quiet", "aria-live": "polite" }, "Sending the request …");
    this.work = new Work(studio, { what: "results", stopped: () => this.stopped(), resume: () => this.resume() });
    this.goal = new GoalField(studio, "goal", "Goal for the fresh share of all screen time over the run, at least", {
      name: () => screenFreshness, kind: () => "share", changed: () => this.ask(),
    });
    this.goalText = h("p", { class: "goal-said quiet", "aria-live": "polite", hidden: true });
    this.warning = h("p", { class: "note", hidden: true });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.day = h("div", { class: "chart", role: "group" });
    this.recoveries = h("ul", { class: "recoveries quiet", "aria-label": "Faults, queues and recovery", hidden: true });
    this.causes = ["base", "changed"].map(() => h("div", { class: "chart", role: "group" }));
    this.ages = ["base", "changed"].map(() => h("div", { class: "chart", role: "group" }));
    this.ageText = h("p", { class: "ages quiet", hidden: true });
    this.makeBase = h("button", { type: "button", onclick: () => studio.makeBase() }, "Make this the base");
    this.resetAll = h("button", { type: "button", onclick: () => this.resetEverything() }, "Reset all");
    this.town = h("select", { id: "town", onchange: () => this.chooseTown(this.town.value) },
      h("option", { value: "1" }, "usual: immediate answers"), h("option", { value: "4" }, "×4"),
      h("option", { value: "cell" }, "a whole cell"),
      h("option", { value: "other", hidden: true }, "another size"));
    element.append(
      h("div", { class: "columns" },
        h("div", { class: "left" },
          h("h2", {}, "Settings"), this.keyList,
          keySearch(studio, (key) => this.addField(key).input.focus()),
          h("p", { class: "labelled" }, h("label", { for: "town" }, "Preview scale"), this.town),
          h("p", { class: "buttons" }, this.makeBase, this.resetAll)),
        h("div", { class: "right" },
          h("h2", {}, "Results"), this.problem, this.tiles,
          h("div", { class: "with-work" }, this.state, this.work.element), this.warning,
          this.day, h("p", {}, this.goal.element), this.goal.message, this.goalText,
          this.faults.element, this.recoveries,
          h("div", { class: "causes" },
            ...this.causes.map((chart) => h("div", {}, h("p", { class: "chart-of" }), chart))),
          this.ageText,
          h("div", { class: "causes age" },
            ...this.ages.map((chart) => h("div", {}, h("p", { class: "chart-of" }), chart))))));
    studio.on("answer", (answer) => this.answered(answer));
    studio.on("progress", ({ ask, share }) => ask === this.current?.ask && this.work.report(share));
  }

  addField(key) {
    let field = this.fields.get(key.path);
    if (!field) {
      field = new KeyField(this.studio, key);
      this.fields.set(key.path, field);
      this.keyList.append(field.element);
    }
    return field;
  }

  // MARK: Callbacks from the studio

  enter() {
    for (const path of [...this.studio.base.keys(), ...this.studio.changed.keys()]) {
      const key = this.studio.keys.all.get(path);
      if (key) this.addField(key);
    }
    for (const field of this.fields.values()) field.forget();
    this.goal.show();
    this.showSettings();
    this.ask();
  }

  /** The server stops refining when another view sends a request; an unfinished request is sent again. */
  leave() {
    if (!this.isDone) this.asked = null;
  }

  connected() {
    this.asked = null;
    this.ask();
  }

  settingsChanged({ isDragging = false, isSlider = false }) {
    this.showSettings();
    this.isDragging = isDragging;
    if (isDragging) {
      this.asking.soon();
      return;
    }
    if (isSlider) this.released = performance.now();
    this.asking.now();
  }

  forget(path) {
    this.fields.get(path)?.forget();
  }

  resetEverything() {
    for (const field of this.fields.values()) field.forget();
    this.studio.changed.clear();
    this.studio.settingsChanged({});
  }

  showSettings() {
    for (const field of this.fields.values()) field.show();
    this.faults.read();
    this.makeBase.disabled = this.studio.changed.size === 0;
    this.resetAll.disabled = this.studio.changed.size === 0;
    this.town.value = { 1: "1", 4: "4" }[this.studio.town] ?? (this.studio.town > 4 ? "cell" : "other");
  }

  /** A whole cell is the current preview scaled up until its senders have their full load. */
  chooseTown(choice) {
    if (choice !== "cell") this.studio.town = Number(choice);
    else if (this.load > 0) this.studio.town = Math.min(1000, Math.ceil((this.studio.town / this.load) * 10) / 10);
    this.studio.settingsChanged({});
  }

  // MARK: Questions and answers

  /** Sends a request to the server, one at a time. Of the changes made meanwhile, the last one is sent next. */
  async ask() {
    const { studio } = this;
    if (this.isAsking) {
      this.isWaiting = true;
      return;
    }
    const question = { base: studio.baseSettings, changed: studio.changedSettings, half_width: halfWidth,
      town: studio.town, ...(this.goal.value === null ? {} : { goal: this.goal.value }) };
    const text = JSON.stringify(question);
    if (text === this.asked || !studio.session) {
      // The slider was released at a value that has already been sent; the answer in flight counts.
      if (this.current && !this.current.isFirst) this.current.released = this.released;
      this.released = undefined;
      return;
    }
    this.isAsking = true;
    this.isDone = false;
    this.asked = text;
    const ask = ++studio.asks;
    this.current = { ask, released: this.released };
    this.released = undefined;
    this.work.begin();
    const reply = await studio.post("compare", { ask, ...question });
    this.isAsking = false;
    this.refused(reply);
    if (reply.status !== 202) {
      this.asked = null;
      this.work.end();
    }
    if (this.isWaiting) {
      this.isWaiting = false;
      if (this.isDragging) this.asking.soon();
      else this.ask();
    }
  }

  /** Shows errors in the settings, each at its field; the last answer stays visible. */
  refused({ status, problems, problem }) {
    for (const field of this.fields.values()) if (field.refused === undefined) field.tell(null);
    const elsewhere = problem && status !== 409 && status !== 410 ? [problem] : [];
    for (const { path, message } of problems ?? []) {
      const name = path.replace(/^--set /, "");
      const field = [...this.fields.values()].find((each) => name === each.key.path
        || name.startsWith(`${each.key.path}.`));
      if (field) field.tell(message);
      else if (name.startsWith("faults")) this.faults.tell(message);
      else elsewhere.push(path ? `${name}: ${message}` : message);
    }
    this.problem.hidden = elsewhere.length === 0;
    this.problem.textContent = elsewhere.join(" ");
    this.tiles.classList.toggle("earlier", (problems ?? []).length > 0);
    if ((problems ?? []).length > 0) {
      this.state.textContent = "These settings are invalid. The results are of the last valid ones.";
    }
  }

  /** The server ends its work; the last answer stays visible. */
  stopped() {
    this.isDone = true;
    if (this.current) this.current.isStopped = true;
    const isNew = this.answeredAsk === this.current?.ask;
    this.state.textContent = isNew ? `${this.said}; stopped.`
      : "Stopped before the first answer. The results are of earlier settings.";
    if (!isNew) this.tiles.classList.add("earlier");
  }

  resume() {
    this.asked = null;
    this.ask();
  }

  answered(answer) {
    if (answer.ask !== this.current?.ask || this.current.isStopped) return;
    const { current } = this;
    this.answeredAsk = answer.ask;
    this.isDone = answer.done;
    if (answer.done) this.work.end();
    this.tiles.classList.remove("earlier");
    this.tiles.replaceChildren(...(answer.tiles ?? []).map(tile));
    const kind = answer.part < 1 ? "preview replications" : "replications";
    const size = `${answer.replications} ${kind} ${partText(answer.part)}: ${number(answer.rides, 0)} rides`;
    this.said = `${size}, ${number(answer.ms / 1000, 1)} s`;
    const next = answer.all_rides_follow ? "now all rides …" : "refining …";
    this.state.textContent = `${this.said}; ${answer.done ? "done." : next}`;
    this.sayGoal(answer.screen_freshness ?? []);
    this.load = answer.load;
    this.warning.hidden = !answer.warning;
    this.warning.textContent = answer.warning ?? "";
    if (answer.done && current.released !== undefined) this.precise(current);
    if (current.released !== undefined) {
      current.arrived ??= { arrived: performance.now() - current.released, server: answer.ms };
    }
    this.unpainted = { answer, current };
    if (!this.isPainting) this.paint();
  }

  measured(current) {
    current.record = { ask: current.ask, paint: performance.now() - current.released,
      precise: current.preciseAfter ?? null, ...current.arrived };
    this.studio.measurements.answers.push(current.record);
    if (this.studio.measurements.answers.length > 1000) this.studio.measurements.answers.shift();
  }

  precise(current) {
    current.preciseAfter = performance.now() - current.released;
    if (current.record) current.record.precise = current.preciseAfter;
  }

  /** Says which world meets the goal over the whole run: a line that dips below it for a while may still meet it. */
  sayGoal(worlds) {
    const goal = this.goal.value;
    const names = worlds.length > 1 ? ["the base", "the changed world"] : ["the base"];
    const unsure = "too close to say with these replications";
    const verdicts = { meets: "meets the goal", misses: "misses the goal", unsure };
    const texts = worlds.map((world, index) => {
      const verdict = verdicts[verdictOnGoal(world, goal, "higher")];
      return verdict ? `${names[index]} ${number(world.value * 100, 2)} %: ${verdict}` : null;
    }).filter(Boolean);
    this.goalText.hidden = goal === null || texts.length === 0;
    this.goalText.textContent = `Over the whole run, ${texts.join("; ")}.`;
  }

  /** Shows how deep each fault cut and when screens recovered, in the base and in the changed world. */
  tellRecoveries(worlds) {
    const names = worlds.length > 1 ? ["Base: ", "Changed: "] : [""];
    const sentences = worlds.flatMap((list, index) => list.map((sentence) => names[index] + sentence));
    this.recoveries.replaceChildren(...sentences.map((sentence) => h("li", {}, sentence)));
    this.recoveries.hidden = sentences.length === 0;
  }

  /** Paints the newest answer: the day at once, then the charts below it until a newer answer arrives. */
  async paint() {
    this.isPainting = true;
    while (this.unpainted) {
      const { answer, current } = this.unpainted;
      this.unpainted = null;
      await this.draw("day", this.day, answer.day);
      this.studio.measurements.usable ??= performance.now();
      if (!current.isFirst) {
        current.isFirst = true;
        await nextPaint();
        if (current.released !== undefined) this.measured(current);
      }
      this.tellRecoveries(answer.recoveries ?? []);
      this.tellAges(answer);
      const below = [...this.beside("causes", this.causes, onOneAxis(answer.causes ?? [])),
        ...this.beside("age", this.ages, agesOnOneAxis(answer.ages ?? []))];
      for (const draw of below) {
        await nextPaint();
        if (this.unpainted) break;
        await draw();
      }
    }
    this.isPainting = false;
  }

  /** Returns functions that draw a chart for each world, with the world's name above it if there are two. */
  beside(name, elements, specifications) {
    const isPair = specifications.length > 1;
    elements[1].parentElement.hidden = !isPair;
    return specifications.map((specification, index) => () => {
      const title = isPair ? ["In the base", "In the changed world"][index] : "";
      elements[index].previousElementSibling.textContent = title;
      return this.draw(`${name}-${index}`, elements[index], specification);
    });
  }

  /** Shows the age of the content on screens in both worlds. Unlike freshness, it does not depend on a metric basis. */
  tellAges({ ride_ages: ages = [], tiles = [] }) {
    const [base, changed] = ages;
    this.ageText.hidden = !changed;
    if (!changed) return;
    const each = [["on average", "mean"], ["95 % of the time younger than", "p95"]]
      .filter(([, name]) => base[name] && changed[name])
      .map(([what, name]) => `${what} ${base[name]} in the base, ${changed[name]} in the changed world`);
    const isOtherBasis = tiles.some(({ verdict }) => verdict === "other_ruler");
    const why = isOtherBasis ? " Unlike freshness, ages mean the same in both worlds." : "";
    this.ageText.textContent = `Age of the content on screens during rides: ${each.join("; ")}.${why}`;
  }

  /** Updates a chart with new data, or creates it if it does not exist yet. */
  draw(name, element, specification) {
    if (!specification || Object.keys(specification).length === 0) return null;
    if (!this.charts.has(name)) this.charts.set(name, mountChart(element, specification));
    return this.charts.get(name).update(specification);
  }
}

/** Returns the part of the rides that a preview has. */
export function partText(part) {
  return part < 1 ? `from 1 in ${number(1 / part, part > 0.1 ? 1 : 0)} rides` : "of all rides";
}

/** Waits until changes are on the screen. In a hidden tab, which is not painted, the wait is short. */
function nextPaint() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}

/** Waterfalls on one axis that covers all of them and starts at the same place, so that equal bars look equal. */
function onOneAxis(waterfalls) {
  const domains = waterfalls.map(({ layer }) => layer[0].encoding.x.scale.domain);
  const domain = [Math.min(...domains.map(([from]) => from)), Math.max(...domains.map(([, until]) => until))];
  const rows = waterfalls.flatMap(({ data }) => data.values);
  const minExtent = Math.max(...rows.map(({ cause }) => widthOfLabel(cause))) + 8;
  return waterfalls.map((specification) => {
    const own = withDomain(specification, "x", "low", domain);
    for (const { encoding } of own.layer) encoding.y = { ...encoding.y, axis: { ...encoding.y.axis, minExtent } };
    return own;
  });
}

/** Charts of ages on one pair of axes. */
function agesOnOneAxis(charts) {
  if (charts.length < 2) return charts;
  const bars = charts.flatMap(({ layer }) => layer[0].data.values);
  const marks = charts.flatMap(({ layer }) => layer[1].data.values);
  const ages = [Math.min(...[...bars, ...marks].map(({ from }) => from)), Math.max(...bars.map(({ until }) => until))];
  // Whole numbers, so that axes do not change with every answer.
  const shares = [0, Math.ceil(Math.max(...bars.map(({ percent }) => percent)))];
  return charts.map((chart) => withDomain(withDomain(chart, "x", "from", ages), "y", "percent", shares));
}

/** Returns the width of a chart's axis label, up to the axis' limit [CSS pixels]. */
function widthOfLabel(text) {
  measure ??= document.createElement("canvas").getContext("2d");
  measure.font = "12px sans-serif";
  return Math.min(330, Math.ceil(measure.measureText(text).width));
}
let measure;

/** Returns a layered specification with a fixed domain for a field wherever it is drawn in a direction. */
function withDomain(specification, direction, field, domain) {
  const layer = specification.layer.map((each) => {
    const drawn = each.encoding[direction];
    const changed = drawn?.field === field ? { [direction]: { ...drawn, scale: { ...drawn.scale, domain } } } : {};
    return { ...each, encoding: { ...each.encoding, ...changed } };
  });
  return { ...specification, layer };
}

function tile(data) {
  const [sign, verdict] = verdicts[data.verdict] ?? [];
  const said = data.reason ? `${verdict}: ${data.reason}` : verdict;
  return h("li", { class: `tile ${data.verdict ?? ""}`, "data-metric": data.metric },
    h("span", { class: "tile-label" }, data.label),
    h("strong", {}, data.value ?? "–"),
    data.interval ? h("span", { class: "quiet" }, data.interval) : null,
    data.change ? h("span", { class: "tile-change" }, data.change,
      data.change_interval ? h("span", { class: "quiet" }, ` ${data.change_interval}`) : null) : null,
    data.remark ? h("span", { class: "quiet" }, data.remark) : null,
    said ? h("span", { class: "verdict" }, h("span", { "aria-hidden": "true" }, `${sign} `), said) : null);
}
