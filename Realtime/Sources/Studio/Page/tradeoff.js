// Trade-off: a grid of two keys with two responses at each point, drawn as maps and as their Pareto front.

import { clamp, counted, duration, h, microseconds, number, scrollable } from "./dom.js";
import { drawFront } from "./front.js";
import { GoalField, verdictOnGoal } from "./goal.js";
import { share, shareText } from "./keys.js";
import { partText } from "./tune.js";
import { Work } from "./work.js";

/** Suggested responses; users can type any other response of `freshet metrics`. */
const offered = [
  "ride_fresh_coverage_ratio", "displayed_fresh_time_ratio{during_ride}", "pushes_per_activity",
  "pushes_per_live_hour", "ride_stage_coverage_ratio", "displayed_fresh_time_ratio",
  "wrong_stage_time_ratio", "silently_stale_time_ratio", "recovered_ratio", "ended_severe_count", "not_sent_ratio",
  "send_wait_us.max", "send_wait_us.p99", "send_queue_peak_count", "retries_withheld_count",
];

/** Returns the metric of a response: `metric{part}.statistic@window`. */
function metricOf(studio, response) {
  return studio.metrics.get(response.replace(/[{.@].*$/, "").trim());
}

/** Returns the format of a response's values: share, duration or number. */
function kindOf(studio, response) {
  const metric = metricOf(studio, response);
  const statistic = /\.(\w+)$/.exec(response.replace(/\{.*\}|@.*$/g, ""))?.[1] ?? metric?.statistics[0];
  // The parts of a share, such as its denominator, are not shares.
  if (metric?.is_share && statistic === metric.statistics[0]) return "share";
  return metric?.unit === "us" && statistic !== "count" ? "duration" : "number";
}

export class TradeOff {
  constructor(studio, element) {
    this.studio = studio;
    this.columns = this.factor("x", "Columns");
    this.rows = this.factor("y", "Rows");
    this.first = this.response("r1", "First response", "ride_fresh_coverage_ratio");
    this.second = this.response("r2", "Second response", "pushes_per_activity");
    this.state = h("p", { class: "state quiet", "aria-live": "polite" });
    this.work = new Work(studio, { what: "grid", stopped: () => this.stopped(), resume: () => this.run() });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.result = h("div", {});
    element.append(
      h("h2", {}, "Vary two keys"),
      h("datalist", { id: "all-keys" },
        ...[...studio.keys.all.values()].filter((key) => this.levels(key))
          .map((key) => h("option", { value: key.path }))),
      h("datalist", { id: "all-responses" }, ...offered.map((name) => h("option", { value: name }))),
      h("div", { class: "factors" }, this.columns.element, this.rows.element,
        h("fieldset", {}, h("legend", {}, "Responses"), this.first.element, this.second.element)),
      h("p", { class: "buttons" },
        h("button", { type: "button", class: "primary", onclick: () => this.run() }, "Run the grid"), this.state,
        this.work.element),
      this.problem, this.result);
    studio.on("point", (point) => this.pointCame(point));
    studio.on("progress", ({ ask, share: part }) => ask === this.grid?.ask && this.work.report(part));
  }

  // MARK: The form

  factor(name, title) {
    const input = (id, label, wide) => h("input", {
      id: `${name}-${id}`, type: "text", class: wide ? null : "short", autocomplete: "off", spellcheck: "false",
      "aria-describedby": `${name}-problem`,
    });
    const factor = {
      name, key: input("key", "key", true), from: input("from"), to: input("to"),
      count: h("input", { id: `${name}-count`, type: "number", class: "short", min: 2, max: 15, value: 5,
        "aria-describedby": `${name}-problem` }),
      message: h("p", { class: "problem", role: "alert", hidden: true, id: `${name}-problem` }),
      values: h("p", { class: "quiet" }),
    };
    factor.key.setAttribute("list", "all-keys");
    factor.key.addEventListener("change", () => this.keyChosen(factor));
    for (const each of [factor.from, factor.to, factor.count]) {
      each.addEventListener("change", () => this.check(factor));
    }
    const labelled = (id, label, element) =>
      h("span", { class: "labelled" }, h("label", { for: `${name}-${id}` }, label), element);
    factor.element = h("fieldset", {}, h("legend", {}, title), labelled("key", "key", factor.key),
      labelled("from", "from", factor.from), labelled("to", "to", factor.to), labelled("count", "levels", factor.count),
      factor.values, factor.message);
    return factor;
  }

  response(id, title, name) {
    const input = h("input", { id, type: "text", list: "all-responses", value: name, autocomplete: "off",
      spellcheck: "false" });
    const better = h("select", { id: `${id}-better`, "aria-label": `${title}: which direction is better` },
      h("option", { value: "" }, "neither is better"),
      h("option", { value: "higher" }, "higher is better"), h("option", { value: "lower" }, "lower is better"));
    const [neither] = better.options;
    const note = h("span", { class: "quiet" });
    // If a metric has no better direction, the user must choose one.
    const choose = () => {
      const metric = metricOf(this.studio, input.value);
      if (metric?.better) neither.remove();
      else better.prepend(neither);
      if (metric) better.value = metric.better ?? "";
      note.textContent = metric && !metric.better ? " neither is better in itself" : "";
      goal.show();
    };
    const goal = new GoalField(this.studio, `${id}-goal`, "goal", {
      name: () => input.value.trim(), kind: () => kindOf(this.studio, input.value.trim()),
      changed: () => this.redraw(),
    });
    input.addEventListener("change", choose);
    better.addEventListener("change", () => this.wantedChosen(id));
    choose();
    const element = h("div", {},
      h("p", {}, h("label", { for: id }, title), " ", input, " ", better, note, " ", goal.element), goal.message);
    return { input, better, choose, goal, element };
  }

  /** Returns all values of a key without a range, [] for one with a range, undefined if a grid cannot vary the key. */
  levels(key) {
    if (key.schema.type === "boolean") return ["true", "false"];
    if (key.schema.enum) return key.schema.enum.map(String);
    return this.studio.keys.kind(key.schema) ? [] : undefined;
  }

  keyChosen(factor) {
    const key = this.studio.keys.all.get(factor.key.value.trim());
    const levels = key && this.levels(key);
    if (levels?.length === 0) {
      const { keys } = this.studio;
      const now = typical(this.studio.value(key.path));
      const stops = keys.stops(key, now);
      const here = Math.max(0, stops.findIndex((stop) => keys.areEqual(key, stop, now)));
      factor.from.value = stops[clamp(here - 5, 0, stops.length - 1)] ?? "";
      factor.to.value = stops[clamp(here + 5, 0, stops.length - 1)] ?? "";
      factor.proposal = { key, stops, here, ends: [factor.from.value, factor.to.value] };
      this.narrowSoon(factor);
    }
    this.check(factor);
  }

  /** Narrows one range after the other, so that the second is checked together with the first. */
  narrowSoon(factor) {
    this.narrowing = (this.narrowing ?? Promise.resolve()).then(() => this.narrow(factor));
  }

  /** Moves the ends of a proposed range towards the current value until no rule of the scenario refuses them. */
  async narrow(factor) {
    const { studio } = this;
    // Without a session the studio does not respond; this is called again once there is one.
    if (!factor.proposal || !studio.session) return;
    const { key, stops, here, ends } = factor.proposal;
    factor.proposal = null;
    const other = factor === this.columns ? this.rows : this.columns;
    const otherKey = other.key.value.trim();
    const others = this.check(other) && otherKey !== key.path ? [other.from.value.trim(), other.to.value.trim()] : [];
    const isVaried = (text) => [key.path, ...(others.length > 0 ? [otherKey] : [])].includes(text.split("=")[0]);
    const base = studio.changedSettings.filter((text) => !isVaried(text));
    const isRefused = async (stop) => {
      const corners = others.filter(Boolean).map((value) => [`${key.path}=${stop}`, `${otherKey}=${value}`]);
      for (const corner of corners.length > 0 ? corners : [[`${key.path}=${stop}`]]) {
        const { status } = await studio.post("check", { settings: [...base, ...corner] });
        if (status === 422) return true;
      }
      return false;
    };
    for (const [index, input] of [factor.from, factor.to].entries()) {
      // A value that was typed or came with a link is kept.
      const isProposed = () => factor.key.value.trim() === key.path && input.value === ends[index];
      let at = stops.indexOf(ends[index]);
      while (isProposed() && at >= 0 && at !== here && await isRefused(stops[at])) at += index === 0 ? 1 : -1;
      if (isProposed() && at >= 0) input.value = stops[at];
    }
    this.check(factor);
  }

  /** Returns the values of a factor; if they are invalid, shows an error beside it and returns null. */
  check(factor) {
    const { studio } = this;
    const path = factor.key.value.trim();
    const key = studio.keys.all.get(path);
    const all = key && this.levels(key);
    const hasRange = all?.length === 0;
    for (const input of [factor.from, factor.to, factor.count]) input.parentElement.hidden = Boolean(key) && !hasRange;
    const count = Number(factor.count.value);
    let sentence = null;
    let values = all;
    if (!key) {
      sentence = path === "" ? "choose a key"
        : studio.keys.isFixed(path) ? `${path} is a key of this scenario, but a page cannot set it`
          : `${path} is not a key of this scenario: search for it in Tune`;
    }
    else if (!all) sentence = `${path} is ${studio.keys.allowed(key.schema)}, which a grid cannot vary`;
    else if (hasRange) {
      sentence = studio.keys.problem(key, factor.from.value.trim()) ?? studio.keys.problem(key, factor.to.value.trim());
      if (!sentence && !(Number.isInteger(count) && count >= 2 && count <= 15)) {
        sentence = `levels must be 2 to 15; got ${factor.count.value || "nothing"}`;
      }
      const [from, to] = [factor.from.value.trim(), factor.to.value.trim()];
      values = sentence ? null : between(studio.keys.kind(key.schema), from, to, count);
      if (!sentence && values === null) sentence = "from and to must be values with a number, from below to";
    }
    factor.message.hidden = !sentence;
    factor.message.textContent = sentence ?? "";
    if (sentence) factor.values.textContent = "";
    else {
      const now = studio.value(path);
      const part = studio.keys.kind(key.schema) === "share" ? share(now) : null;
      factor.values.textContent = `${values.join(", ")} · current: ${part === null ? now : shareText(part)}`
        + (now.startsWith("{") ? ": each value replaces this distribution" : "");
    }
    return sentence ? null : values;
  }

  // MARK: Callbacks from the studio

  enter() {
    const state = this.studio.viewState;
    const hasMonitor = this.studio.keys.all.has("monitor.fresh_limit");
    const defaults = { x: "content.ttl", y: hasMonitor ? "monitor.fresh_limit" : "apns.loss" };
    for (const factor of [this.columns, this.rows]) {
      const read = (member) => state.get(`${factor.name}${member}`);
      const key = state.get(factor.name) ?? (factor.key.value || defaults[factor.name]);
      if (factor.key.value !== key) {
        factor.key.value = key;
        this.keyChosen(factor);
      }
      factor.from.value = read("from") ?? factor.from.value;
      factor.to.value = read("to") ?? factor.to.value;
      factor.count.value = read("levels") ?? factor.count.value;
      this.check(factor);
    }
    for (const [name, response] of [["r1", this.first], ["r2", this.second]]) {
      const text = state.get(name) ?? response.input.value;
      if (response.input.value !== text) {
        response.input.value = text;
        response.choose();
      }
      const chosen = [...response.better.options].find(({ value }) => value === state.get(`${name}b`));
      if (chosen) response.better.value = chosen.value;
      response.goal.show();
    }
    // A link to a grid runs it; an interrupted grid is run again.
    if (state.has("x") || (this.grid && !this.grid.isDone)) this.run();
  }

  leave() {}

  connected() {
    for (const factor of [this.columns, this.rows]) this.narrowSoon(factor);
    if (this.isWanted || (this.grid && !this.grid.isDone)) this.run();
    else if (!this.grid && this.studio.viewState.has("x")) this.run();
  }

  settingsChanged() {}

  /** A remark on the changes for the badge: the grid replaces those of its keys. */
  get badgeRemark() {
    const { grid, studio } = this;
    const replaced = grid ? [grid.x, grid.y].filter((key) => studio.changed.has(key)) : [];
    return replaced.length > 0 ? `The grid varies ${replaced.join(" and ")}.` : "";
  }

  // MARK: Questions and answers

  async run() {
    const { studio } = this;
    await this.narrowing;
    const columns = this.check(this.columns);
    const rows = this.check(this.rows);
    if (!columns || !rows) return;
    if (!studio.session) {
      this.isWanted = true;
      this.state.textContent = "Waiting for the studio …";
      return;
    }
    this.isWanted = false;
    const [x, y] = [this.columns.key.value.trim(), this.rows.key.value.trim()];
    if (x === y) {
      this.tell("The two keys must differ.");
      return;
    }
    const state = new URLSearchParams({ x, xfrom: this.columns.from.value, xto: this.columns.to.value,
      xlevels: this.columns.count.value,
      y, yfrom: this.rows.from.value, yto: this.rows.to.value, ylevels: this.rows.count.value,
      r1: this.first.input.value.trim(), r1b: this.first.better.value, r2: this.second.input.value.trim(),
      r2b: this.second.better.value });
    studio.viewState = state;
    studio.writeAddress();
    const grid = {
      ask: ++studio.asks, x, y, columns, rows, points: [], isDone: false,
      responses: [this.first, this.second].map(({ input, better }) => {
        const name = input.value.trim();
        return { name, kind: kindOf(studio, name), better: better.value };
      }),
      base: studio.changedSettings.filter((text) => !text.startsWith(`${x}=`) && !text.startsWith(`${y}=`)),
    };
    this.grid = grid;
    this.tell(null);
    this.state.textContent = "Sending the request …";
    this.work.begin();
    studio.showBadge();
    const reply = await studio.post("grid", {
      ask: grid.ask, base: grid.base, town: studio.town, responses: grid.responses.map(({ name }) => name),
      columns: columns.map((value) => `${x}=${value}`), rows: rows.map((value) => `${y}=${value}`),
    });
    if (reply.status === 202 || reply.status === 0 || this.grid !== grid) return;
    grid.isDone = true;
    this.work.end();
    this.state.textContent = "";
    this.tell([reply.problem, ...(reply.problems ?? []).map(({ message }) => message)].filter(Boolean).join(" "));
  }

  /** The better direction changes no value, so the existing grid is only redrawn. */
  wantedChosen(id) {
    const { grid, studio } = this;
    const { input, better } = id === "r1" ? this.first : this.second;
    const response = grid?.responses[id === "r1" ? 0 : 1];
    if (response?.name !== input.value.trim()) return;
    response.better = better.value;
    studio.viewState.set(`${id}b`, better.value);
    studio.writeAddress();
    this.redraw();
  }

  redraw() {
    if (this.grid?.points.some(Boolean)) this.draw();
  }

  /** The server ends its work; the points so far stay visible. */
  stopped() {
    const { grid } = this;
    if (!grid) return;
    grid.isDone = grid.isStopped = true;
    this.state.textContent = `${this.reached()}; stopped.`;
  }

  /** Returns how far the grid is. */
  reached() {
    const { points, columns, rows } = this.grid;
    const [count, known] = [columns.length * rows.length, points.filter(Boolean)];
    if (known.length < count) return `${known.length} of ${count} points`;
    return `${count} points, ${Math.min(...known.map(({ replications }) => replications))} replications each `
      + partText(known[0].part);
  }

  tell(sentence) {
    this.problem.hidden = !sentence;
    this.problem.textContent = sentence ?? "";
  }

  pointCame(point) {
    const { grid } = this;
    if (point.ask !== grid?.ask || grid.isStopped) return;
    grid.points[point.point] = point;
    grid.isDone ||= point.done;
    if (grid.isDone) this.work.end();
    grid.differences = point.differences ?? grid.differences;
    grid.populations = point.populations ?? grid.populations;
    this.state.textContent = grid.isDone
      ? `${this.reached()}, on the same random world; done.`
      : `${this.reached()}; refining …`;
    if (grid.points.filter(Boolean).length === grid.columns.length * grid.rows.length) {
      const empty = grid.responses.filter((_, index) =>
        grid.points.every(({ values }) => (values[index].value ?? null) === null));
      this.tell(empty.map(({ name }) =>
        `${name} has no value at any point; \`freshet metrics\` lists the allowed names.`).join(" "));
    }
    this.drawing ??= requestAnimationFrame(() => { this.drawing = null; this.draw(); });
  }

  // MARK: Drawing

  draw() {
    const { grid, studio } = this;
    const hasFocus = this.result.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    const places = [...this.result.querySelectorAll(".scroll")].map(({ scrollLeft }) => scrollLeft);
    const points = grid.points.map((point, index) => point && {
      ...point,
      column: grid.columns[index % grid.columns.length],
      row: grid.rows[Math.floor(index / grid.columns.length)],
    });
    for (const point of points) if (point) point.address = this.address(point);
    // Without a better direction no value can miss a goal.
    [this.first, this.second].forEach(({ goal, input }, index) => {
      const response = grid.responses[index];
      response.goal = response.better && response.name === input.value.trim() ? goal.value : null;
    });
    const maps = grid.responses.map((response, index) =>
      heatMap(grid, points, index, studio, (point) => point.address));
    const notes = basisNotes(grid, studio);
    const reasons = [...basisReasons(grid, studio),
      ...grid.responses.map((_, index) => noBestReason(grid, points, index)).filter(Boolean)];
    const { warning } = points.find(Boolean) ?? {};
    const small = warning ? [`${warning} Choose the preview scale in Tune.`] : [];
    this.result.replaceChildren(
      ...[...notes, ...idleNotes(grid, points), ...small].map((note) => h("p", { class: "note" }, note)),
      h("p", { class: "quiet" },
        "Choose a point to see its day in Tune. A frame marks the best value, ≈ values that are statistically tied " +
        "with it, pair by pair on the same random world (95 %). A dashed line marks the current settings. " +
        "In both maps " +
        "a darker cell is better; if neither direction is better, a darker cell has a higher value."),
      h("div", { class: "maps" }, ...maps),
      reasons.length > 0 ? noFront(reasons) : drawFront(grid, points.filter(Boolean), valueText));
    this.result.querySelectorAll(".scroll").forEach((each, index) => { each.scrollLeft = places[index] ?? 0; });
    if (hasFocus) this.result.querySelector(`[data-at="${hasFocus}"]`)?.focus({ preventScroll: true });
  }

  /** Returns the address of Tune with a point's settings. */
  address(point) {
    const { studio, grid } = this;
    const changed = new Map(studio.changed);
    for (const [path, text] of [[grid.x, point.column], [grid.y, point.row]]) {
      if (studio.keys.areEqual(studio.keys.all.get(path), text, studio.baseValue(path))) changed.delete(path);
      else changed.set(path, text);
    }
    return studio.address("tune", changed);
  }
}

/** Returns the keys of a grid that change the metric basis of a response. */
function basesOf(grid, studio, { name }) {
  return [grid.x, grid.y].filter((key) => metricOf(studio, name)?.measured_by.includes(key));
}

/** Notes on keys that change no value, such as a key that each stage of a ride overrides. */
function idleNotes({ x, y, columns, rows, points: all }, points) {
  if (points.length < columns.length * rows.length || points.some((point) => !point)) return [];
  const texts = all.map(({ replications, values }) => JSON.stringify([replications, values]));
  const isIdle = (same) => texts.every((text, index) => text === texts[same(index)]);
  const note = (key) =>
    `${key} changes nothing here, to the last digit: other keys of this scenario override it, or nothing ` +
    "depends on it.";
  return [
    ...(isIdle((index) => index - (index % columns.length)) ? [note(x)] : []),
    ...(isIdle((index) => index % columns.length) ? [note(y)] : []),
  ];
}

function basisNotes(grid, studio) {
  return grid.responses
    .flatMap((response) => basesOf(grid, studio, response).map((key) => ({ name: response.name, key })))
    .map(({ name, key }) =>
    `${key} is part of the metric basis: it changes the definition of ${name}. ` +
    `Compare ${name} only at equal ${key}.`);
}

/** Reasons why points with different metric bases cannot be ranked. */
function basisReasons(grid, studio) {
  const keys = [...new Set(grid.responses.flatMap((response) => basesOf(grid, studio, response)))];
  if (keys.length === 0) return [];
  const [names, are] = [keys.join(" and "), keys.length === 1 ? "is" : "are"];
  return [`${names} ${are} part of the metric basis, so points with different values are not comparable and none ` +
    "beats another. Vary other keys, or choose responses without a metric basis, such as ride_stage_coverage_ratio."];
}

/** Returns the point with the best value of a response; undefined if no value is known. */
function closest(grid, points, index) {
  const sign = grid.responses[index].better === "higher" ? 1 : -1;
  return points.filter((point) => (point?.values[index].value ?? null) !== null)
    .sort((a, b) => sign * (b.values[index].value - a.values[index].value))[0];
}

/** Returns why a response has no best value although its points share a metric basis; null if it has one. */
function noBestReason(grid, points, index) {
  const response = grid.responses[index];
  const { name } = response;
  if (!response.better) {
    return `${name} has no better direction in itself, so no point is the best. Choose a direction beside the ` +
      "response.";
  }
  // The server has checked each pair: 1 if the better mean may only reflect a different population.
  const { count, moved } = grid.populations?.[index] ?? {};
  const best = closest(grid, points, index);
  if (!best || !moved?.[best.point].includes("1")) return null;
  const value = valueText(response, best.values[index].value);
  return `Between the points ${count} differs significantly, so ${name} is a mean over different populations and no ` +
    `point is the best: ${value} may only reflect which cases remain. Compare points with similar counts, or use a ` +
    "response that covers all rides, such as ride_stage_coverage_ratio.";
}

/** The section that replaces the Pareto front. */
function noFront(reasons) {
  return h("section", { class: "no-front" }, h("h3", {}, "No Pareto front"),
    ...reasons.map((reason) => h("p", {}, reason)));
}

/** Returns a value from which a grid can start; for a distribution, its first number. */
function typical(text) {
  if (!text.startsWith("{")) return text;
  return /: (\d[\w.]*)/.exec(text)?.[1] ?? "";
}

/**
 * Returns values between two ends, in equal ratios if neither is zero, otherwise in equal steps; null if the ends are
 * not a valid range.
 */
function between(kind, from, to, count) {
  const read = { duration: microseconds, share }[kind] ?? Number;
  const [low, high] = [read(from), read(to)];
  if (low === null || high === null || !(low < high)) return null;
  const exact = Array.from({ length: count }, (_, index) => {
    const part = index / (count - 1);
    return low > 0 ? low * (high / low) ** part : low + (high - low) * part;
  });
  const rounded = (digits) => exact.map((value, index) => {
    if (index === 0 || index === count - 1) return index === 0 ? low : high;
    return kind === "integer" ? Math.round(value) : Number(value.toPrecision(digits));
  });
  // As few digits as keep the values distinct and in order.
  let values = rounded(2);
  const isRising = () => values.every((value, index) => index === 0 || value > values[index - 1]);
  for (let digits = 3; digits <= 6 && !isRising(); digits += 1) values = rounded(digits);
  const texts = values.map({ duration, share: shareText }[kind] ?? String);
  return [...new Set(texts)];
}

/** Returns a response's value as text, by its unit in the metric catalog. */
function valueText(response, value) {
  if (value === null || value === undefined) return "–";
  if (response.kind === "share") return `${number(value * 100, 2)} %`;
  if (response.kind === "duration") return duration(Number(value.toPrecision(3)));
  return number(value, Math.abs(value) < 10 ? 2 : 1);
}

function heatMap(grid, points, index, studio, address) {
  const response = grid.responses[index];
  const reasons = gapReasons(points);
  const known = points.map((point) => point?.values[index]).filter((value) => (value?.value ?? null) !== null);
  // There is no best value if metric bases or populations differ or if no direction is better.
  const reason = noBestReason(grid, points, index);
  const hasBest = !reason && basesOf(grid, studio, response).length === 0;
  const best = hasBest ? closest(grid, points, index)?.values[index] : undefined;
  // The colours span at least one interval, so that chance alone does not appear as a difference.
  const half = Math.max(0, ...known.map(({ low, high }) => (low === undefined || low === null ? 0 : (high - low) / 2)));
  const [least, most] = [Math.min(...known.map(({ value }) => value)), Math.max(...known.map(({ value }) => value))];
  const span = Math.max(most - least, 2 * half) || 1;
  const middle = (least + most) / 2;
  // Points share random numbers, so differences are more precise than values. The server compares each pair.
  const place = (value) => points.findIndex((point) => point?.values[index] === value);
  const marks = !hasBest ? undefined : grid.differences?.[index][place(best)];
  const isNotTold = (value) => hasBest && value !== best && marks?.[place(value)] !== "1";
  const isLowerBetter = response.better === "lower";
  const hasGoal = (response.goal ?? null) !== null;
  const verdict = (value) => (hasGoal ? verdictOnGoal(value, response.goal, response.better) : null);
  const cell = (point) => {
    if (!point) return h("td", { class: "quiet" }, "…");
    const value = point.values[index];
    const link = h("a", { href: address(point), "data-at": `${index}-${point.point}` },
      valueText(response, value.value), isNotTold(value) ? " ≈" : "", goalMarks[verdict(value)] ?? "",
      h("small", {}, value.low === undefined || value.low === null
        ? value.gap ? `no interval ${mark(reasons, value.gap)}` : "no interval"
        : `± ${valueText(response, (value.high - value.low) / 2).replace(" %", " points")}`));
    const part = value.value === null || value.value === undefined ? 0
      : clamp((value.value - middle) / span + 0.5, 0, 1);
    const [background, color] = shade(isLowerBetter ? 1 - part : part);
    link.style.background = background;
    link.style.color = color;
    const isHere = studio.keys.areEqual(studio.keys.all.get(grid.x), point.column, studio.value(grid.x))
      && studio.keys.areEqual(studio.keys.all.get(grid.y), point.row, studio.value(grid.y));
    return h("td", { class: [value === best ? "best" : "", isHere ? "here" : ""].join(" ").trim() || null,
      title: `${grid.x} ${point.column}, ${grid.y} ${point.row}` }, link);
  };
  const notTold = known.filter(isNotTold).length;
  const conclusion = known.length < 2 || !hasBest ? reason ?? "" : notTold === known.length - 1
    ? grid.differences
      ? `All points are statistically tied with the best, ${valueText(response, best.value)}.`
      : ""
    : `Best: ${valueText(response, best.value)}; statistically tied with it: ${notTold} of ` +
      `${counted(known.length - 1, "other")}.`;
  return h("div", {},
    scrollable(`Map of ${response.name}`,
      h("table", { class: "heat" },
        h("caption", {}, response.name, h("span", { class: "quiet" }, ` · columns ${grid.x}, rows ${grid.y}`)),
        h("thead", {}, h("tr", {}, h("td", {}), ...grid.columns.map((value) => h("th", { scope: "col" }, value)))),
        h("tbody", {}, ...grid.rows.map((value, row) => h("tr", {}, h("th", { scope: "row" }, value),
          ...grid.columns.map((_, column) => cell(points[row * grid.columns.length + column]))))))),
    known.length > 0 ? shadeLegend(response, middle - span / 2, middle + span / 2) : null,
    h("p", { class: "quiet" }, conclusion),
    hasGoal ? h("p", { class: "quiet" }, goalText(response, known.map(verdict))) : null,
    ...gapNotes(reasons, known).map((note) => h("p", { class: "quiet gap" }, note)));
}

/** Returns the distinct reasons for missing intervals, over all maps, so that a mark has one meaning in all of them. */
function gapReasons(points) {
  const isKnown = ({ value, gap }) => (value ?? null) !== null && gap;
  const maps = points.find(Boolean)?.values.map((_, index) => points.map((point) => point?.values[index])) ?? [];
  const gaps = maps.flatMap((values) => values.filter((value) => value && isKnown(value)).map(({ gap }) => gap));
  return [...new Set(gaps)];
}

/** Returns the mark of a reason, such as ¹. */
function mark(reasons, reason) {
  return [...String(reasons.indexOf(reason) + 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
}

/** Returns the notes of one map, each with its mark. */
function gapNotes(reasons, known) {
  return reasons.filter((reason) => known.some(({ gap }) => gap === reason)).map((reason) => {
    const count = known.filter(({ gap }) => gap === reason).length;
    return `${mark(reasons, reason)} No interval at ${counted(count, "point")}: ${reason}.`;
  });
}

const goalMarks = { misses: " ✗", unsure: " ?" };

/** Returns how many points meet the goal of a response. */
function goalText(response, verdicts) {
  const count = (verdict) => verdicts.filter((each) => each === verdict).length;
  const side = response.better === "higher" ? "at least" : "at most";
  return `Goal: ${side} ${valueText(response, response.goal)}. ✗ ${counted(count("misses"), "point")} ` +
    `${count("misses") === 1 ? "misses" : "miss"} it, ? ${count("unsure")} too close to say, ${count("meets")} ` +
    `${count("meets") === 1 ? "meets" : "meet"} it (95 % intervals; without one, by the value alone).`;
}

/** Returns the legend of a map's colours, from the palest to the darkest. */
function shadeLegend(response, low, high) {
  const bound = (value) => valueText(response, response.kind === "share" ? clamp(value, 0, 1) : Math.max(value,
    response.kind === "duration" ? 0 : value));
  const ends = response.better === "lower" ? [high, low] : [low, high];
  const ramp = h("i", { class: "ramp", "aria-hidden": "true" });
  const stops = [0, 0.25, 0.5, 0.75, 1].map((part) => shade(part)[0]);
  ramp.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return h("p", { class: "shades quiet" }, h("span", {}, bound(ends[0])), ramp, h("span", {}, bound(ends[1])),
    h("span", {}, response.better ? "darker is better" : "darker is higher"));
}

/** Returns a background from light to dark blue, and black or white text, whichever is easier to read on it. */
function shade(part) {
  const [light, dark] = [[237, 244, 250], [0, 88, 140]];
  const mix = light.map((value, index) => Math.round(value + (dark[index] - value) * part));
  const [red, green, blue] = mix.map((value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [`rgb(${mix.join(" ")})`, luminance > 0.179 ? "#000000" : "#ffffff"];
}
