// Elements, and the notation of numbers and texts for readers and for scenario files.

/** Returns an element with attributes, listeners (onclick and the like) and children. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Returns an SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/**
 * Returns a container for content wider than the page. It scrolls by mouse and keyboard and has a hint while some of
 *
 * Cells with a background would cover a shadow behind them, so the shadow lies on top.
 */
export function scrollable(label, ...children) {
  const room = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
  const hint = h("p", { class: "quiet scroll-hint", "aria-hidden": "true", hidden: true },
    "Scroll sideways for more ↔");
  const element = h("div", { class: "scrollable" }, h("div", { class: "scroll-frame" }, room), hint);
  const look = () => {
    const hidden = room.scrollWidth - room.clientWidth;
    hint.hidden = hidden <= 1;
    element.classList.toggle("more-left", hidden > 1 && room.scrollLeft > 1);
    element.classList.toggle("more-right", hidden > 1 && room.scrollLeft < hidden - 1);
  };
  room.addEventListener("scroll", look, { passive: true });
  const observer = new ResizeObserver(look);
  for (const each of [room, ...room.children]) observer.observe(each);
  return element;
}

/** Returns a number with its noun: 1 ride, 2 rides. */
export function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** At most one number per unit, from days down to microseconds. */
const durationPattern = new RegExp(
  `^(?=\\d)${["d", "h", "m", "s", "ms", "us"].map((unit) => `(\\d+(?:\\.\\d+)?${unit})?`).join("")}$`);
const unitMicroseconds = { d: 86_400e6, h: 3_600e6, m: 60e6, s: 1e6, ms: 1e3, us: 1 };

/** Returns a duration of a scenario file in microseconds; null if the text is not a duration. */
export function microseconds(text) {
  if (/^0+$/.test(text)) return 0;
  const parts = durationPattern.exec(text);
  if (!parts) return null;
  let sum = 0;
  for (const part of parts.slice(1)) {
    if (part) sum += parseFloat(part) * unitMicroseconds[part.replace(/[\d.]/g, "")];
  }
  return Math.round(sum);
}

/** Returns microseconds in the notation of a scenario file. */
export function duration(us) {
  let rest = Math.round(us);
  if (rest === 0) return "0s";
  let text = "";
  for (const [unit, size] of Object.entries(unitMicroseconds)) {
    const count = Math.floor(rest / size);
    // 6.3s rather than 6s300ms.
    if (count > 0 && size <= 1e6) return `${text}${rest / size}${unit}`;
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text;
}

/** Returns microseconds as text: 3.4 s, 2 min 05 s, 1 h 04 min. */
export function spokenTime(us) {
  const seconds = us / 1e6;
  const two = (value) => String(value).padStart(2, "0");
  if (seconds < 60) return `${number(seconds, 1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor(whole / 60) % 60)} min`;
}

/** Returns the time of day of an instant of the run. */
export function clockTime(us, startsAt, withSeconds = false) {
  const seconds = Math.floor((us + startsAt) / 1e6);
  const two = (number) => String(number).padStart(2, "0");
  const text = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}`;
  return withSeconds ? `${text}:${two(seconds % 60)}` : text;
}

/** Returns the instant of a time of day (18:30) or of a duration from the start (2h30m); null for any other text. */
export function instant(text, startsAt) {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim());
  if (!clock) return microseconds(text.trim());
  const us = (Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)) * 1e6;
  return us >= startsAt ? us - startsAt : us - startsAt + 86_400e6;
}

/** Returns a value of a scenario in the one-line notation of a file. */
export function fileText(value) {
  if (Array.isArray(value)) return `[${value.map(fileText).join(", ")}]`;
  if (value && typeof value === "object") {
    return `{${Object.entries(value).map(([key, member]) => `${key}: ${fileText(member)}`).join(", ")}}`;
  }
  if (typeof value !== "string") return String(value);
  return /^[\w.%+-]+$/.test(value) ? value : JSON.stringify(value);
}

/** Returns a number as text, with separated thousands and without trailing zeros. */
export function number(value, digits = 2) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return value.toLocaleString("en-GB", { maximumFractionDigits: digits });
}

/** Returns a text quoted as one word of a POSIX shell. */
export function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a key of a scenario or a kind of fault in words. */
export function words(name) {
  return name.replaceAll("_", " ").replace(/\bapns\b/g, "APNs").replace(/\bttl\b/g, "TTL");
}

/** Calls at most once per interval, always including the last call; `now` calls at once and drops a pending call. */
export function throttled(interval, call) {
  let timer = null;
  let last = -Infinity;
  const run = () => {
    timer = null;
    last = performance.now();
    call();
  };
  return {
    soon() {
      timer ??= setTimeout(run, Math.max(0, last + interval - performance.now()));
    },
    now() {
      clearTimeout(timer);
      run();
    },
  };
}

/** Returns a value limited to a range. */
export function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}
