// The front of a trade-off: both responses of each point, those that another point beats in both in grey.

import { h, scrollable, svg } from "./dom.js";

const [width, height] = [760, 440];
const margin = { left: 90, right: 24, top: 16, bottom: 52 };

/** A picture whose points lead to Tune, the first response upwards, the second to the right. */
export function drawFront(grid, points, valueText) {
  const [up, right] = grid.responses;
  const known = points.filter(({ values }) => values.every(({ value }) => value !== null && value !== undefined));
  const picture = svg("svg", { class: "front", viewBox: `0 0 ${width} ${height}`, role: "group",
    "aria-label": `Front: ${up.name} against ${right.name}` });
  const section = h("section", {}, h("h3", {}, "The front"),
    h("p", { class: "quiet" },
      "Blue: no other point comes closer to what is wanted in both. Grey: another one does. Lines are 95 % intervals."),
    scrollable("The front as a picture", picture));
  if (known.length === 0) return section;

  const scale = (index, from, to) => {
    const ends = known.flatMap(({ values }) =>
      [values[index].low ?? values[index].value, values[index].high ?? values[index].value]);
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
      `${right.name} (${right.better === "higher" ? "more" : "less"} is wanted)`),
    svg("text", { x: 14, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${height / 2})` },
      `${up.name} (${up.better === "higher" ? "more" : "less"} is wanted)`));

  const front = known.filter((point) => !known.some((other) => dominates(other, point, grid.responses)));
  const line = [...front].sort((a, b) => a.values[1].value - b.values[1].value);
  picture.append(svg("polyline", { class: "line",
    points: line.map(({ values }) => `${x.place(values[1].value)},${y.place(values[0].value)}`).join(" ") }));
  // Points of the front last, so that they lie on top.
  for (const point of [...known].sort((a, b) => front.includes(a) - front.includes(b))) {
    const [first, second] = point.values;
    const [px, py] = [x.place(second.value), y.place(first.value)];
    const values = `${up.name} ${valueText(up, first.value)}, ${right.name} ${valueText(right, second.value)}`;
    const text = `${grid.x} ${point.column}, ${grid.y} ${point.row}: ${values}`;
    const link = svg("a", { href: point.address, class: front.includes(point) ? "point" : "point dominated",
      "aria-label": text, "data-at": `front-${point.point}` },
      svg("title", {}, text));
    const range = (x1, x2, y1, y2) => link.append(svg("line", { class: "range", x1, x2, y1, y2 }));
    if (has(first)) range(px, px, y.place(first.low), y.place(first.high));
    if (has(second)) range(x.place(second.low), x.place(second.high), py, py);
    link.append(svg("circle", { cx: px, cy: py, r: front.includes(point) ? 8 : 6 }));
    picture.append(link);
  }
  return section;
}

function has({ low, high }) {
  return low !== undefined && low !== null && high !== undefined && high !== null;
}

/** Whether a point is at least as good in both responses, and better in one. */
function dominates(one, other, responses) {
  const gains = responses.map(({ better }, index) =>
    (one.values[index].value - other.values[index].value) * (better === "higher" ? 1 : -1));
  return gains.every((gain) => gain >= 0) && gains.some((gain) => gain > 0);
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
