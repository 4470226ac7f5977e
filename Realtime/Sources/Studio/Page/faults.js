// Outages of the changed world. Users drag them onto the day's axis or type them into fields. Both edit the setting
// `faults`.

import { clockTime, duration, fileText, h, instant, microseconds, words } from "./dom.js";
import { share } from "./keys.js";

const minute = 60e6;

export class Faults {
  /** `change(text, isDragging)` is called when the list has changed. */
  constructor(studio, change) {
    this.studio = studio;
    this.change = change;
    this.kinds = studio.faultSchema.properties.kind.enum;
    this.startsAt = studio.scenario.starts_at_us;
    this.length = studio.scenario.duration_us;
    this.warmUp = studio.scenario.warm_up_us;
    this.strip = h("div", { class: "strip", role: "group", "aria-label": "Outages on the day's axis",
      onpointerdown: (event) => this.press(event) });
    this.axis = h("div", { class: "strip-axis", "aria-hidden": "true" }, ...this.ticks());
    this.rows = h("div", { class: "fault-rows" });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.element = h("section", { class: "faults", "aria-labelledby": "faults-title" },
      h("h3", { id: "faults-title" }, "Outages"),
      h("p", { class: "quiet", id: "faults-help" },
        "Drag over the strip to add one. With the keyboard: arrows move an outage by a minute, with Shift they " +
        "change its length, Delete removes it."),
      this.strip, this.axis, this.problem, this.rows,
      h("button", { type: "button", class: "small",
        onclick: () => this.add(Math.round(this.length / 2 / minute) * minute, 10 * minute, true) }, "Add an outage"));
    this.read();
  }

  ticks() {
    const steps = [15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * minute);
    const step = steps.find((length) => this.length / length <= 8) ?? 1440 * minute;
    const ticks = [];
    const first = (step - (this.startsAt % step)) % step;
    for (let at = first; at <= this.length; at += step) {
      const tick = h("span", {}, clockTime(at, this.startsAt));
      tick.style.left = `${(at / this.length) * 100}%`;
      ticks.push(tick);
    }
    return ticks;
  }

  // MARK: The list

  /** Reads the list from the settings. */
  read() {
    const text = this.studio.value("faults");
    if (text === this.text) return;
    this.text = text;
    this.list = parseFaults(text);
    this.draw();
  }

  write(isDragging = false) {
    this.text = `[${this.list.map((fault) => fileText(written(fault))).join(", ")}]`;
    // The same outages, written in another form, are not a change.
    const ofBase = parseFaults(this.studio.baseValue("faults")).map((fault) => fileText(written(fault)));
    const base = `[${ofBase.join(", ")}]`;
    if (this.text === base) this.text = this.studio.baseValue("faults");
    this.tell(null);
    this.change(this.text, isDragging);
  }

  add(at, length, hasFocus = false) {
    this.list.push({ kind: this.kinds[0], at, duration: length, share: 1, factor: 1 });
    this.draw();
    this.write();
    if (hasFocus) this.rows.lastElementChild.querySelector("select").focus();
  }

  remove(fault) {
    this.list = this.list.filter((other) => other !== fault);
    this.draw();
    this.write();
    this.element.querySelector(".fault, button.small").focus();
  }

  describe(fault) {
    const from = clockTime(fault.at, this.startsAt);
    const until = clockTime(fault.at + fault.duration, this.startsAt);
    return fault.duration === 0
      ? `${words(fault.kind)} at ${from}`
      : `${words(fault.kind)}, ${from} to ${until}, ${duration(fault.duration)}`;
  }

  // MARK: Drawing

  draw() {
    this.strip.replaceChildren(...this.unmeasured(), ...this.list.map((fault) => this.bar(fault)));
    if (this.list.length === 0) {
      this.strip.append(h("span", { class: "strip-hint quiet" }, "drag here to add an outage"));
    }
    this.rows.replaceChildren(...this.list.map((fault, index) => this.row(fault, index)));
  }

  /** The warm-up, which no chart shows. Outages in it count only through their after-effects. */
  unmeasured() {
    if (this.warmUp === 0) return [];
    const part = h("span", { class: "strip-unmeasured" }, "warm-up");
    part.style.width = `${(this.warmUp / this.length) * 100}%`;
    return [part];
  }

  bar(fault) {
    const bar = h("button", {
      type: "button", class: "fault", "aria-describedby": "faults-help",
      onpointerdown: (event) => this.grab(event, fault), onkeydown: (event) => this.pressKey(event, fault),
    }, h("span", { class: "fault-name" }, words(fault.kind)), h("span", { class: "fault-end", "aria-hidden": "true" }));
    fault.bar = bar;
    this.place(fault);
    return bar;
  }

  place(fault) {
    fault.bar.style.left = `${(fault.at / this.length) * 100}%`;
    fault.bar.style.width = `${(fault.duration / this.length) * 100}%`;
    fault.bar.setAttribute("aria-label", this.describe(fault));
    fault.bar.title = this.describe(fault);
    if (!fault.fields) return;
    fault.fields.at.value = clockTime(fault.at, this.startsAt, fault.at % minute !== 0);
    fault.fields.duration.value = duration(fault.duration);
  }

  row(fault, index) {
    const id = (name) => `fault-${index}-${name}`;
    // Each field has its own message, so that none is red without words.
    const messages = [];
    const field = (name, title, value, read, allowed, isShown = true) => {
      const message = h("p", { class: "problem", role: "alert", hidden: true, id: id(`${name}-problem`) });
      messages.push(message);
      const input = h("input", {
        id: id(name), type: "text", value, autocomplete: "off", "aria-describedby": id(`${name}-problem`),
        onchange: () => {
          const got = read(input.value.trim());
          const isWrong = got === null || Number.isNaN(got);
          message.hidden = !isWrong;
          message.textContent = isWrong ? `${title} must be ${allowed}; got ${input.value.trim() || "nothing"}` : "";
          if (isWrong) { input.setAttribute("aria-invalid", "true"); return; }
          input.removeAttribute("aria-invalid");
          fault[name] = got;
          this.place(fault);
          this.write();
        },
      });
      const labelled = () => h("span", { class: "labelled" }, h("label", { for: id(name) }, title), input);
      return { input, element: isShown ? labelled() : null };
    };
    const within = (us) => (us !== null && us >= 0 && us <= this.length ? us : null);
    const at = field("at", "at", clockTime(fault.at, this.startsAt, fault.at % minute !== 0),
      (text) => within(instant(text, this.startsAt)),
      `a time of the day such as 18:00, or a duration from the start up to ${duration(this.length)}`);
    const length = field("duration", "for", duration(fault.duration), microseconds, "a duration such as 90s or 10m",
      fault.kind !== "connection_lost");
    const part = field("share", "share affected", String(fault.share), share, "a share from 0 to 1, or 0% to 100%",
      fault.kind !== "content_down" || fault.share !== 1);
    const factor = field("factor", "factor", String(fault.factor),
      (text) => (text !== "" && Number(text) >= 0 && Number(text) <= 1000 ? Number(text) : null),
      "a number from 0 to 1000", ["apns_slow", "content_slow", "apns_capacity"].includes(fault.kind));
    fault.fields = { at: at.input, duration: length.input };
    const kind = h("select", {
      id: id("kind"), onchange: () => {
        fault.kind = kind.value;
        if (["apns_slow", "content_slow"].includes(fault.kind) && fault.factor === 1) fault.factor = 10;
        if (fault.kind === "apns_capacity" && fault.factor === 1) fault.factor = 0.5;
        if (fault.kind === "connection_lost") fault.duration = 0;
        else if (fault.duration === 0) fault.duration = 10 * minute;
        this.draw();
        this.rows.children[index].querySelector("select").focus();
        this.write();
      },
    }, ...this.kinds.map((name) => h("option", { value: name, selected: name === fault.kind }, words(name))));
    return h("div", { class: "fault-row", role: "group", "aria-label": `Outage ${index + 1}` },
      h("span", { class: "labelled" }, h("label", { for: id("kind") }, "what"), kind),
      at.element, length.element, part.element, factor.element,
      h("button", { type: "button", class: "small", "aria-label": `Remove outage ${index + 1}`,
        onclick: () => this.remove(fault) }, "remove"), ...messages);
  }

  tell(sentence) {
    this.problem.hidden = !sentence;
    this.problem.textContent = sentence ?? "";
  }

  // MARK: Mouse and keyboard

  instantAt(event) {
    const box = this.strip.getBoundingClientRect();
    const us = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * this.length;
    return Math.round(us / minute) * minute;
  }

  /** Starts a new outage at an empty place; it grows while the user drags. */
  press(event) {
    if (event.button !== 0 || event.target.closest(".fault")) return;
    event.preventDefault();
    const start = this.instantAt(event);
    const fault = { kind: this.kinds[0], at: start, duration: 0, share: 1, factor: 1 };
    const first = event.clientX;
    let isNew = true;
    this.follow(event, (move) => {
      if (Math.abs(move.clientX - first) < 4) return false;
      if (isNew) {
        isNew = false;
        this.list.push(fault);
        this.draw();
      }
      const now = this.instantAt(move);
      fault.at = Math.min(start, now);
      fault.duration = Math.max(minute, Math.abs(now - start));
      return true;
    }, fault, () => this.rows.lastElementChild?.querySelector("select").focus());
  }

  /** Grabs an outage, or its end, and moves it. */
  grab(event, fault) {
    if (event.button !== 0) return;
    event.stopPropagation();
    const first = this.instantAt(event);
    const { at, duration: length } = fault;
    const isEnd = Boolean(event.target.closest(".fault-end"));
    this.follow(event, (move) => {
      const by = this.instantAt(move) - first;
      if (by === 0 && fault.at === at && fault.duration === length) return false;
      if (isEnd) fault.duration = Math.max(minute, Math.min(this.length - at, length + by));
      else fault.at = Math.max(0, Math.min(this.length - length, at + by));
      return true;
    }, fault, () => fault.bar.focus());
  }

  follow(event, move, fault, done) {
    const target = this.strip;
    target.setPointerCapture(event.pointerId);
    let hasMoved = false;
    const onMove = (next) => {
      if (!move(next)) return;
      hasMoved = true;
      this.place(fault);
      this.write(true);
    };
    const onEnd = () => {
      target.removeEventListener("pointermove", onMove);
      target.removeEventListener("pointerup", onEnd);
      target.removeEventListener("pointercancel", onEnd);
      if (hasMoved) this.write();
      if (hasMoved) done();
    };
    target.addEventListener("pointermove", onMove);
    target.addEventListener("pointerup", onEnd);
    target.addEventListener("pointercancel", onEnd);
  }

  pressKey(event, fault) {
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.remove(fault);
      return;
    }
    const by = { ArrowLeft: -minute, ArrowRight: minute, PageDown: -60 * minute, PageUp: 60 * minute }[event.key];
    if (!by) return;
    event.preventDefault();
    if (event.shiftKey) fault.duration = Math.max(minute, Math.min(this.length - fault.at, fault.duration + by));
    else fault.at = Math.max(0, Math.min(this.length - fault.duration, fault.at + by));
    this.place(fault);
    this.write();
  }
}

function written(fault) {
  const members = { kind: fault.kind, at: duration(fault.at), duration: duration(fault.duration) };
  if (fault.share !== 1) members.share = fault.share;
  if (fault.factor !== 1) members.factor = fault.factor;
  return members;
}

/** Parses a list of outages in the one-line form that this page and the server write. */
export function parseFaults(text) {
  return [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inside]) => {
    const members = Object.fromEntries(inside.split(",").map((part) =>
      part.split(":").map((word) => word.trim().replaceAll('"', ""))));
    return {
      kind: members.kind,
      at: microseconds(members.at ?? "0") ?? 0,
      duration: microseconds(members.duration ?? "0") ?? 0,
      share: share(members.share ?? "1") ?? 1,
      factor: Number(members.factor ?? 1),
    };
  });
}
