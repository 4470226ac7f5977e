// The Pareto front of a trade-off: both responses of each point, and the points that another one beats significantly.

import { h, scrollable, svg } from "./dom.js";

const [width, height] = [760, 440];
const margin = { left: 90, right: 24, top: 16, bottom: 52 };

/** Draws the front with the first response upwards and the second to the right. Points link to Tune. */
export function drawFront(grid, points, valueText) {
  const [up, right] = grid.responses;
  const known = points.filter(({ values }) => values.every(({ value }) => value !== null && value !== undefined));
  const picture = svg("svg", { class: "front", viewBox: `0 0 ${width} ${height}`, role: "group",
    "aria-label": `Front: ${up.name} against ${right.name}` });
  const hasMoved = grid.populations?.some(({ moved }) => moved?.some((marks) => marks.includes("1")));
  const causes = hasMoved ? "chance or different populations" : "chance";
  const section = h("section", {}, h("h3", {}, "Pareto front"),
    h("p", { class: "quiet" },
      (grid.responses.some(hasGoal) ? "Red dashes: the goals. " : "") +
      `Blue: no other point is better in both responses. Hollow: another point is better, but ${causes} may explain ` +
      "that. Grey: another point is significantly better in one response and no worse in the other. Lines are 95 % " +
      "intervals."),
    scrollable("Chart of the Pareto front", picture));
  if (known.length === 0) return section;

  const scale = (index, from, to) => {
    const ends = known.flatMap(({ values }) =>
      [values[index].low ?? values[index].value, values[index].high ?? values[index].value]);
    if (hasGoal(grid.responses[index])) ends.push(grid.responses[index].goal);
    const [least, most] = [Math.min(...ends), Math.max(...ends)];
    const pad = (most - least || Math.abs(most) || 1) * 0.06;
    const place = (value) => from + ((value - least + pad) / (most - least + 2 * pad)) * (to - from);
    return { place, ticks: ticks(least, most) };
  };
  const y = scale(0, height - margin.bottom, margin.top);
  const x = scale(1, margin.left, width - margin.right);

  for (const tick of y.ticks) {
    picture.append(svg("line", { class: "grid", x1: margin.left, x2: width - margin.right,
      y1: y.place(tick), y2: y.place(tick) }),
      svg("text", { x: margin.left - 8, y: y.place(tick) + 4, "text-anchor": "end" }, valueText(up, tick)));
  }
  for (const tick of x.ticks) {
    picture.append(svg("text", { x: x.place(tick), y: height - margin.bottom + 20, "text-anchor": "middle" },
      valueText(right, tick)));
  }
  picture.append(
    svg("line", { class: "axis", x1: margin.left, x2: width - margin.right,
      y1: height - margin.bottom, y2: height - margin.bottom }),
    svg("text", { x: (margin.left + width - margin.right) / 2, y: height - 10, "text-anchor": "middle" },
      `${right.name} (${right.better} is better)`),
    svg("text", { x: 14, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${height / 2})` },
      `${up.name} (${up.better} is better)`));

  const goalLine = (ends, text, x1, y1, anchor) => picture.append(svg("line", { class: "goal", ...ends }),
    svg("text", { class: "goal-name", x: x1, y: y1, "text-anchor": anchor }, text));
  if (hasGoal(up)) {
    const at = y.place(up.goal);
    goalLine({ x1: margin.left, x2: width - margin.right, y1: at, y2: at }, `goal ${valueText(up, up.goal)}`,
      width - margin.right - 4, at - 5, "end");
  }
  if (hasGoal(right)) {
    const at = x.place(right.goal);
    goalLine({ x1: at, x2: at, y1: margin.top, y2: height - margin.bottom }, `goal ${valueText(right, right.goal)}`,
      at + 5, margin.top + 12, at > width * 0.8 ? "end" : "start");
  }

  const looks = new Map(known.map((point) => {
    const closer = known.filter((other) => dominates(other, point, grid));
    return [point, closer.some((other) => isToldFrom(other, point, grid)) ? "dominated"
      : closer.length > 0 ? "open" : "front"];
  }));
  const front = known.filter((point) => looks.get(point) === "front");
  const line = [...front].sort((a, b) => a.values[1].value - b.values[1].value);
  picture.append(svg("polyline", { class: "line",
    points: line.map(({ values }) => `${x.place(values[1].value)},${y.place(values[0].value)}`).join(" ") }));
  // Points of the front last, so that they lie on top.
  const order = ["dominated", "open", "front"];
  for (const point of [...known].sort((a, b) => order.indexOf(looks.get(a)) - order.indexOf(looks.get(b)))) {
    const [first, second] = point.values;
    const [px, py] = [x.place(second.value), y.place(first.value)];
    const values = `${up.name} ${valueText(up, first.value)}, ${right.name} ${valueText(right, second.value)}`;
    const text = `${grid.x} ${point.column}, ${grid.y} ${point.row}: ${values}`;
    const link = svg("a", { href: point.address, class: `point ${looks.get(point)}`,
      "aria-label": text, "data-at": `front-${point.point}` },
      svg("title", {}, text));
    const range = (x1, x2, y1, y2) => link.append(svg("line", { class: "range", x1, x2, y1, y2 }));
    if (has(first)) range(px, px, y.place(first.low), y.place(first.high));
    if (has(second)) range(x.place(second.low), x.place(second.high), py, py);
    link.append(svg("circle", { cx: px, cy: py, r: looks.get(point) === "front" ? 8 : 6 }));
    picture.append(link);
  }
  return section;
}

function hasGoal({ goal }) {
  return goal !== undefined && goal !== null;
}

function has({ low, high }) {
  return low !== undefined && low !== null && high !== undefined && high !== null;
}

/** Returns by how much one point is better than another in each response, by the point estimates alone. */
function gains(one, other, { responses }) {
  return responses.map(({ better }, index) =>
    (one.values[index].value - other.values[index].value) * (better === "higher" ? 1 : -1));
}

/** Returns true if a point is at least as good in both responses and better in one, by the point estimates alone. */
function dominates(one, other, grid) {
  const all = gains(one, other, grid);
  return all.every((gain) => gain >= 0) && all.some((gain) => gain > 0);
}

/** Returns true if a point is significantly better in a response (paired), with both means over the same population. */
function isToldFrom(one, other, grid) {
  if (grid.populations?.some(({ moved }) => moved?.[one.point][other.point] === "1")) return false;
  return gains(one, other, grid).some((gain, index) =>
    gain > 0 && grid.differences?.[index][one.point][other.point] === "1");
}

function ticks(least, most) {
  const span = most - least;
  if (!(span > 0)) return [least];
  const rough = span / 4;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * decade).find((each) => each >= rough);
  const all = [];
  for (let tick = Math.ceil(least / step) * step; tick <= most + step / 1e6; tick += step) {
    all.push(Number(tick.toPrecision(10)));
  }
  return all;
}
