// Capacity: the use of the senders' limits over the day, of the base and of the changed world, on one pair of axes.

import { mountChart } from "./charts.js";
import { counted, h, number, scrollable } from "./dom.js";
import { Work } from "./work.js";

/** The quantities in order of display. */
const quantities = new Map([
  ["streams", "Streams in use"], ["queue", "Queue"], ["wait", "p99 wait"], ["requests", "Requests per second"],
  ["retries", "Retry tokens of the monitor"], ["repeats", "Retry tokens of the sender"],
]);
/** The notes on quantities that a world lacks. */
const without = {
  retries: "There is no monitor (monitor.enabled), or it has no retry budget (monitor.retry.budget).",
  repeats: "The sender has no retry budget (sender.retry_budget).",
};

export class Capacity {
  constructor(studio, element) {
    this.studio = studio;
    this.charts = new Map();
    this.state = h("p", { class: "state quiet", "aria-live": "polite" }, "Sending the request …");
    this.work = new Work(studio, { what: "capacity", stopped: () => this.stopped(), resume: () => this.resume() });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.warning = h("p", { class: "note", hidden: true });
    this.answers = pair();
    this.rows = new Map([...quantities.keys()].map((name) => [name, pair()]));
    element.append(
      h("h2", {}, "What saturates first, and when does it recover?"),
      h("p", { class: "quiet" },
        "One replication at full load: at least one whole cell of the scenario. Change settings in Tune."),
      this.problem, h("div", { class: "with-work" }, this.state, this.work.element), this.warning,
      this.answers.element,
      ...[...this.rows].map(([name, { element }]) => h("section", { class: "quantity", "data-quantity": name },
        h("h3", {}, quantities.get(name)), element)),
      h("p", { class: "quiet" }, "Both worlds have the same axes. Peaks are of seconds, sums over the cells, and so " +
        "upper bounds. Dashed lines are limits without faults; a limit far above a curve is stated below its title."));
    studio.on("capacity", (answer) => this.answered(answer));
    studio.on("progress", ({ ask, share }) => ask === this.current && this.work.report(share));
  }

  // MARK: Callbacks from the studio

  enter() {
    this.ask();
  }

  /** The server ends this work when another view sends a request; an unfinished request is sent again. */
  leave() {
    if (this.work.isRunning) this.forget();
  }

  connected() {
    this.forget();
    this.ask();
  }

  settingsChanged() {
    this.ask();
  }

  // MARK: Questions and answers

  async ask() {
    const { studio } = this;
    const question = { base: studio.baseSettings, changed: studio.changedSettings };
    const text = JSON.stringify(question);
    if (text === this.asked || !studio.session) return;
    this.asked = text;
    this.current = ++studio.asks;
    const { current } = this;
    this.state.textContent = "Running …";
    this.work.begin();
    const reply = await studio.post("capacity", { ask: current, ...question });
    if (current !== this.current) return;
    const problems = (reply.problems ?? []).map(({ path, message }) => (path ? `${path}: ${message}` : message));
    if (reply.problem && reply.status !== 410) problems.push(reply.problem);
    this.problem.hidden = problems.length === 0;
    this.problem.textContent = problems.join(" ");
    if (reply.status === 202) return;
    this.forget();
    this.work.end();
    this.state.textContent = this.isAnswered ? "The charts are of the last valid settings." : "";
  }

  forget() {
    [this.asked, this.current] = [null, null];
  }

  stopped() {
    this.state.textContent = this.isAnswered ? "Stopped. The charts are of earlier settings." : "Stopped.";
    this.forget();
  }

  resume() {
    this.ask();
  }

  async answered(answer) {
    if (answer.ask !== this.current) return;
    this.work.end();
    this.isAnswered = true;
    const { worlds } = answer;
    this.state.textContent = `1 replication, ${answer.cells} of ${counted(answer.all_cells, "cell")}, ` +
      `${counted(answer.rides, "ride")}, ${number(answer.ms / 1000, 1)} s.`;
    this.warning.hidden = !answer.warning;
    this.warning.textContent = answer.warning ?? "";
    const names = worlds.length > 1 ? ["In the base", "In the changed world"] : [""];
    const name = (index) => h("p", { class: "chart-of" }, names[index]);
    show(this.answers, worlds.map((world, index) => [name(index), h("p", { class: "answer" }, world.answer),
      scrollable(["Limits", names[index].toLowerCase()].join(" ").trim(), table(world.limits))]));
    for (const [quantity, row] of this.rows) {
      const specifications = worlds.map(({ charts }) => charts.find(({ name: own }) => own === quantity)?.chart);
      this.draw(quantity, row, specifications, names);
    }
  }

  /** Draws a quantity of each world; without the quantity in any world, only the note on it. */
  draw(quantity, row, specifications, names) {
    row.places.forEach((place, index) => {
      place.hidden = index >= specifications.length;
      const specification = specifications[index];
      const key = `${quantity}-${index}`;
      const known = this.charts.get(key);
      if (specification && known) {
        place.querySelector(".chart-of").textContent = names[index];
        known.update(specification);
        return;
      }
      known?.destroy();
      this.charts.delete(key);
      const title = h("p", { class: "chart-of" }, names[index] ?? "");
      if (!specification) {
        place.replaceChildren(title, h("p", { class: "quiet" }, without[quantity] ?? ""));
        return;
      }
      const frame = h("div", { class: "chart", role: "group" });
      place.replaceChildren(title, frame);
      this.charts.set(key, mountChart(frame, specification));
    });
  }
}

/** Returns a row with a place for each world. */
function pair() {
  const places = ["base", "changed"].map(() => h("div", {}));
  return { places, element: h("div", { class: "worlds" }, ...places) };
}

function show({ places }, contents) {
  places.forEach((place, index) => {
    place.hidden = index >= contents.length;
    place.replaceChildren(...(contents[index] ?? []));
  });
}

function table({ columns, rows }) {
  return h("table", { class: "limits" },
    h("thead", {}, h("tr", {}, ...columns.map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, ...rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first),
      ...rest.map((cell) => h("td", {}, cell))))));
}
