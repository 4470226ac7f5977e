// Draws charts with the page's Vega runtime, and updates them without drawing them again.
//
// A specification comes from Freshet: Vega-Lite with its data inside. The drawn chart has no title: the title is
// text of the page. Its data sets have names, so an answer that differs only in numbers replaces rows.

const dark = matchMedia("(prefers-color-scheme: dark)");

/** The colours that replace those of white paper in dark mode. */
const darkColours = {
  "#333333": "#e6e7e9", "#555555": "#a9afb7", "#E5E5E5": "#3a3f45", "#0072B2": "#2a8fdc", "#000000": "#e6e7e9",
  "white": "#17191c", "black": "#e6e7e9",
};

/** Replaces each inner value by the result of a function; undefined removes it. */
function mapped(value, change, key) {
  const own = change(value, key);
  if (own !== value) return own;
  if (Array.isArray(value)) return value.map((inner) => mapped(inner, change));
  if (value === null || typeof value !== "object") return value;
  const copy = {};
  for (const [name, inner] of Object.entries(value)) {
    const result = mapped(inner, change, name);
    if (result !== undefined) copy[name] = result;
  }
  return copy;
}

/** Splits a specification into the drawing and the rows of each data set. */
function split(specification) {
  const rows = {};
  const title = specification.title ?? {};
  const bare = { ...specification, title: undefined, description: undefined, background: undefined };
  const drawn = mapped(bare, (value, key) => {
    if (key !== "data" || !Array.isArray(value?.values)) return value;
    const name = `rows-${Object.keys(rows).length}`;
    rows[name] = value.values;
    return { name };
  });
  return { drawn, rows, title: [title.text ?? ""].flat().join(" "), subtitle: [title.subtitle ?? ""].flat().join(" ") };
}

/** Returns true if a specification's first axis is a time axis, which can be zoomed. */
function isCourse(specification) {
  let found = false;
  mapped(specification, (value, key) => {
    if (key === "x" && value?.type === "temporal") found = true;
    return value;
  });
  return found;
}

/**
 * Returns a time scale whose bounds are expressions; undefined for any other scale.
 *
 * Vega-Lite writes a domain of milliseconds as `datetime(x)`, and the interpreter used instead of `eval` takes x for a
 * year.
 */
function withBounds(scale) {
  if (scale?.type !== "utc" || !Array.isArray(scale.domain)) return undefined;
  const { domain: [from, until], ...rest } = scale;
  return { ...rest, domainMin: { expr: String(from) }, domainMax: { expr: String(until) } };
}

/** Adds zoom, tooltips and a clickable legend to the first time series among the layers. */
function addControls(layers) {
  const course = layers.find((layer) => ["line", "area"].includes(layer.mark?.type ?? layer.mark));
  if (!course) return;
  course.mark = course.mark.type ? course.mark : { type: course.mark };
  const { x, y, color } = course.encoding;
  const title = ({ axis, field }) => axis?.title ?? field;
  course.encoding.tooltip = [
    // As on the axis: a time of day of the run, not of the reader.
    { field: x.field, type: "temporal", timeUnit: "utchoursminutes", title: title(x) },
    { field: y.field, type: "quantitative", format: ",.4~r", title: title(y) },
    ...(color?.field ? [{ field: color.field, type: "nominal" }] : []),
  ];
  course.params = [{ name: "zoom", select: { type: "interval", encodings: ["x"] }, bind: "scales" }];
  if (course.encoding?.color?.field !== "series" || course.encoding.opacity) return;
  // Without a selection all series are visible; a click selects one, with the shift key one more.
  course.params.push({ name: "chosen", select: { type: "point", fields: ["series"] }, bind: "legend" });
  course.encoding = {
    ...course.encoding, opacity: { condition: { param: "chosen", value: course.mark.opacity ?? 1 }, value: 0.08 },
  };
}

/** Returns true if names are to the left of a chart, where a phone has no room for them. */
function hasNames(drawn) {
  let found = false;
  mapped(drawn, (value, key) => {
    if (key === "y" && ["nominal", "ordinal"].includes(value?.type) && value.axis !== null) found = true;
    return value;
  });
  return found;
}

/** Lanes on one axis, as in an activity's history: only the last one has axis labels. */
function isLanes({ vconcat }) {
  return vconcat?.length > 1 && vconcat.every(({ encoding }) => encoding?.x?.type === "quantitative")
    && vconcat.some(({ mark }) => mark?.type === "bar");
}

/** Bars with names, each in a row of its own. */
function isNamedBars({ layer, height }) {
  return layer?.[0].mark?.type === "bar" && layer[0].encoding.y?.type === "nominal" && height?.step > 0;
}

/** Puts the name of each bar above it, because a phone has no room beside the bars. */
function nameAbove(own, width) {
  const { field } = own.layer[0].encoding.y;
  for (const each of own.layer) {
    each.encoding.y = { ...each.encoding.y, axis: null };
    each.mark = { ...each.mark, yOffset: 8 };
  }
  const { y } = own.layer[0].encoding;
  own.layer.push({
    mark: { type: "text", align: "left", fontSize: 11, yOffset: -9, limit: width - 16,
      color: dark.matches ? darkColours["#333333"] : "#333333" },
    encoding: { x: { value: 0 }, y, text: { field, type: "nominal" } },
  });
  own.height = { step: 38 };
}

/** Gives a panel its own numbers on the vertical axis, because it stands below another and no longer beside it. */
function withOwnLabels(panel, drawn) {
  const first = drawn.concat[0].layer?.[0].encoding?.y?.axis;
  for (const { encoding } of panel.layer ?? []) {
    if (encoding?.y?.axis?.labels === false) encoding.y.axis = { ...first };
  }
}

/** Returns the drawing at the width of its frame and in the colours of the reader's system. */
function adapted(drawn, width) {
  const colour = (value) => dark.matches && typeof value === "string" && darkColours[value];
  const own = mapped(drawn, (value, key) => (key === "scale" && withBounds(value)) || colour(value) || value);
  own.background = "transparent";
  // Panels side by side cannot fit a width: they share it, and move below each other if it is small.
  if (Array.isArray(drawn.concat)) {
    const columns = width < 480 ? 1 : Math.min(drawn.columns ?? 1, drawn.concat.length);
    const axes = 80;
    own.columns = columns;
    const room = Math.floor((width - axes) / columns - (drawn.spacing ?? 20));
    for (const panel of own.concat) {
      if (typeof panel.width === "number") panel.width = room;
      if (columns === 1) withOwnLabels(panel, own);
    }
  }
  // Time series below each other are as wide as the page, less their axis.
  for (const panel of own.vconcat ?? []) if (panel.mark?.type === "area") panel.width = Math.max(width, 480) - 90;
  // On a phone, the text beside lanes moves below them.
  if (width < 480 && isLanes(own)) {
    for (const panel of own.vconcat) panel.width = width - 80;
    own.config = { ...own.config, legend: { ...own.config?.legend, orient: "bottom" } };
    mapped(own, (value, key) => {
      if (key === "legend" && value?.orient === "right") value.orient = "bottom";
      return value;
    });
  }
  if (typeof drawn.width === "number") {
    own.autosize = { type: "fit-x", contains: "padding" };
    const isNarrow = width < 480;
    if (isNarrow && isNamedBars(own)) nameAbove(own, width);
    // Other charts with names are drawn wider and scaled down.
    own.width = isNarrow && hasNames(own) ? 480 : width;
  }
  // A line without a colour of its own is black, which is invisible in dark mode.
  const rule = dark.matches ? { rule: { color: darkColours.black } } : {};
  own.config = { ...own.config, ...rule, view: { stroke: "transparent" } };
  if (width < 480) own.config.legend = { ...own.config.legend, columns: 1 };
  if (isCourse(drawn) && Array.isArray(own.layer) && !own.params) addControls(own.layer);
  return own;
}

/** Settled once the runtime is loaded or has failed to load. A page with an embedded runtime does not wait. */
let runtime = Promise.resolve();

/** Fetches the runtime in the background: it is large, and the page has other work before its first chart. */
export function loadRuntime(address) {
  const script = document.createElement("script");
  runtime = new Promise((resolve) => {
    script.onload = script.onerror = resolve;
  });
  script.src = address;
  document.head.append(script);
}

const options = { actions: false, ast: true, renderer: "svg", defaultStyle: false,
  tooltip: { disableDefaultStyle: true } };

/**
 * Puts a chart into an element.
 *
 * @returns {{update: (specification: object) => Promise<void>, destroy: () => void}}
 */
export function mountChart(element, specification) {
  const heading = element.querySelector(".chart-title") ?? document.createElement("div");
  heading.className = "chart-title";
  const frame = document.createElement("div");
  frame.className = "chart-frame";
  // The heading describes the chart, so screen readers skip its marks.
  frame.setAttribute("aria-hidden", "true");
  element.append(heading, frame);
  let shown = "";
  let embedded = null;
  let latest = specification;
  let width = 0;
  let queue = Promise.resolve();

  async function draw() {
    await runtime;
    const { drawn, rows, title, subtitle } = split(latest);
    heading.replaceChildren(Object.assign(document.createElement("strong"), { textContent: title }),
      Object.assign(document.createElement("span"), { textContent: subtitle }));
    element.setAttribute("aria-label", `${title}. ${subtitle}`);
    const room = Math.floor(frame.clientWidth);
    if (room < 40) return;
    const form = JSON.stringify(drawn) + room + dark.matches;
    if (form === shown && embedded) {
      for (const [name, values] of Object.entries(rows)) embedded.view.data(name, values);
      await embedded.view.runAsync();
      return;
    }
    const next = { ...adapted(drawn, room), datasets: rows };
    const old = embedded;
    embedded = await globalThis.vegaEmbed(frame, next, options);
    old?.finalize();
    shown = form;
    width = room;
    element.classList.add("drawn");
  }

  function redraw() {
    queue = queue.then(draw).catch((problem) => {
      heading.textContent = `This chart cannot be drawn: ${problem.message}`;
    });
    return queue;
  }

  const observer = new ResizeObserver(() => { if (Math.abs(frame.clientWidth - width) > 1) redraw(); });
  observer.observe(frame);
  dark.addEventListener("change", redraw);
  redraw();
  return {
    update(next) { latest = next; return redraw(); },
    destroy() {
      observer.disconnect();
      dark.removeEventListener("change", redraw);
      embedded?.finalize();
      element.replaceChildren();
    },
  };
}
