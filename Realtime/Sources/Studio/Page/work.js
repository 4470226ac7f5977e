// The progress of the server's work on a request, with a button that stops it and then continues it.

import { h } from "./dom.js";

/** The time after which work is worth a bar [ms]: most answers take less. */
const patience = 300;

export class Work {
  isRunning = false;
  isStopped = false;

  /** `stopped` is called as soon as the user stops the work, `resume` when the user continues it. */
  constructor(studio, { what, stopped, resume }) {
    Object.assign(this, { studio, stopped, resume });
    this.bar = h("progress", { max: 1, "aria-label": `Progress: ${what}` });
    this.percent = h("span", { class: "quiet percent" });
    this.button = h("button", { type: "button", class: "small", onclick: () => this.press() }, "Stop");
    this.element = h("span", { class: "work", hidden: true }, this.bar, this.percent, this.button);
  }

  begin() {
    [this.isRunning, this.isStopped] = [true, false];
    this.bar.hidden = false;
    this.bar.removeAttribute("value");
    this.percent.textContent = "";
    this.button.textContent = "Stop";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.element.hidden = !this.isRunning), patience);
  }

  report(share) {
    if (!this.isRunning) return;
    this.bar.value = share;
    this.percent.textContent = `${Math.floor(share * 100)} %`;
  }

  end() {
    [this.isRunning, this.isStopped] = [false, false];
    clearTimeout(this.timer);
    this.element.hidden = true;
  }

  press() {
    if (this.isStopped) {
      this.resume();
      return;
    }
    [this.isRunning, this.isStopped] = [false, true];
    this.bar.hidden = true;
    this.percent.textContent = "";
    this.button.textContent = "Continue";
    this.studio.post("stop", {});
    this.stopped();
  }
}
