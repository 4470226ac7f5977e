// A goal for a response: a field for it, and whether values meet it.

import { h, microseconds } from "./dom.js";
import { share } from "./keys.js";

/** The response that the chart of the day shows. */
export const screenFreshness = "displayed_fresh_time_ratio";

const notations = {
  share: { read: share, allowed: "a share from 0 to 1, or 0% to 100%" },
  duration: { read: microseconds, allowed: "a duration such as 250ms, 30s, 2m or 1h30m" },
  number: { read: (text) => (Number.isFinite(Number(text)) ? Number(text) : null), allowed: "a number" },
};

/** A field for the goal of a response, which `name` and `kind` return; `changed` is called with each valid goal. */
export class GoalField {
  constructor(studio, id, label, { name, kind, changed }) {
    Object.assign(this, { studio, name, kind, changed });
    this.input = h("input", { id, type: "text", class: "short", autocomplete: "off", spellcheck: "false",
      placeholder: "none", "aria-describedby": `${id}-problem`, onchange: () => this.take(this.input.value.trim()) });
    this.message = h("p", { id: `${id}-problem`, class: "problem", role: "alert", hidden: true });
    this.element = h("span", { class: "labelled" }, h("label", { for: id }, label), this.input);
  }

  /** The goal as a number; null for none. */
  get value() {
    const text = this.studio.goal(this.name());
    return text === "" ? null : notations[this.kind()].read(text);
  }

  /** Shows the goal of the response. */
  show() {
    this.input.value = this.studio.goal(this.name());
    this.refuse(null);
  }

  take(text) {
    const { read, allowed } = notations[this.kind()];
    if (text !== "" && read(text) === null) {
      this.refuse(`the goal must be ${allowed}, or empty for none; got ${text}`);
      return;
    }
    this.refuse(null);
    this.studio.setGoal(this.name(), text);
    this.changed();
  }

  refuse(sentence) {
    this.message.hidden = !sentence;
    this.message.textContent = sentence ?? "";
    if (sentence) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

/**
 * Returns "meets" or "misses" if the whole 95 % interval of a value does, otherwise "unsure"; without an interval, the
 * value decides. Returns null without a value.
 */
export function verdictOnGoal({ value, low, high }, goal, better) {
  if ((value ?? null) === null) return null;
  const isMet = (number) => (better === "higher" ? number >= goal : number <= goal);
  const ends = [low ?? value, high ?? value].map(isMet);
  return ends[0] !== ends[1] ? "unsure" : ends[0] ? "meets" : "misses";
}
