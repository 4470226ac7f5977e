// Draws charts by the Vega runtime that the page carries, and brings them up to date without drawing them anew.
//
// A specification is one of Freshet's: Vega-Lite with its data inside. What is drawn has no title (that is text of the page)
// and named data, so an answer with other numbers alone only exchanges rows.

const dark = matchMedia("(prefers-color-scheme: dark)");

/** What replaces the colours of white paper where the reader's system is dark. */
const darkColours = {
  "#333333": "#e6e7e9", "#555555": "#a9afb7", "#E5E5E5": "#3a3f45", "#0072B2": "#2a8fdc", "#000000": "#e6e7e9",
  "white": "#17191c", "black": "#e6e7e9",
};

/** The same value with each inner value replaced by what a function gives; undefined leaves it out. */
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

/** A specification apart from its rows: what is drawn, and the rows of each of its data sets. */
function split(specification) {
  const rows = {};
  const title = specification.title ?? {};
  const drawn = mapped({ ...specification, title: undefined, description: undefined, background: undefined }, (value, key) => {
    if (key !== "data" || !Array.isArray(value?.values)) return value;
    const name = `rows-${Object.keys(rows).length}`;
    rows[name] = value.values;
    return { name };
  });
  return { drawn, rows, title: [title.text ?? ""].flat().join(" "), subtitle: [title.subtitle ?? ""].flat().join(" ") };
}

/** Whether a specification's first axis is a course of time, which one can zoom. */
function isCourse(specification) {
  let found = false;
  mapped(specification, (value, key) => {
    if (key === "x" && value?.type === "temporal") found = true;
    return value;
  });
  return found;
}

/** What is drawn, at the width of its frame and in the colours of the reader's system. */
function adapted(drawn, width) {
  const own = mapped(drawn, (value, key) => {
    // Vega-Lite 6 loses a fixed domain of times where one can zoom; as expressions it keeps both ends.
    if (key === "scale" && value?.type === "utc" && typeof value.domain?.[0] === "number") {
      const [least, most] = value.domain;
      return { ...value, domain: undefined, domainMin: { expr: `${least}` }, domainMax: { expr: `${most}` } };
    }
    return (dark.matches && typeof value === "string" && darkColours[value]) || value;
  });
  own.background = "transparent";
  own.autosize = { type: "fit-x", contains: "padding" };
  if (typeof drawn.width === "number" && !drawn.hconcat && !drawn.vconcat && !drawn.facet) own.width = width;
  own.config = { ...own.config, view: { stroke: "transparent" } };
  if (isCourse(drawn) && Array.isArray(own.layer) && !own.params) {
    const line = own.layer.findIndex((layer) => (layer.mark?.type ?? layer.mark) === "line");
    if (line >= 0) {
      own.layer[line].params = [{ name: "zoom", select: { type: "interval", encodings: ["x"] }, bind: "scales" }];
      own.layer[line].mark = { ...own.layer[line].mark, tooltip: true };
    }
  }
  return own;
}

const options = { actions: false, ast: true, renderer: "svg", defaultStyle: false, tooltip: { disableDefaultStyle: true } };

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
  // The heading says what the picture shows; a reader of the screen is not led through its marks.
  frame.setAttribute("aria-hidden", "true");
  element.append(heading, frame);
  let shown = "";
  let embedded = null;
  let latest = specification;
  let width = 0;
  let queue = Promise.resolve();

  async function draw() {
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
