// Keys of a scenario, from the schema: the meaning and allowed values of each, and a field or slider to change it.

import { duration, h, microseconds, number, words } from "./dom.js";

/** The most important keys, in order, with the ends of their sliders. */
const foremost = {
  "content.ttl": ["10s", "1h"],
  "monitor.fresh_limit": ["1s", "30m"],
  "monitor.recovery_window": ["30s", "1h"],
  "monitor.scan_interval": ["1s", "5m"],
  "monitor.retry.max_attempts": [0, 50],
  "monitor.retry.budget.per_second": [0, 1000],
  "sender.connections": [1, 100],
  "sender.timeout": ["1s", "2m"],
  "apns.loss": [0, 1],
  "content.refresh_priority": null,
};

const niceDurations = [
  "100ms", "200ms", "500ms", "1s", "2s", "3s", "5s", "7s", "10s", "15s", "20s", "30s", "45s", "1m", "1m15s", "1m30s",
  "2m", "2m30s", "3m", "4m", "5m", "6m", "7m", "8m", "10m", "12m", "15m", "20m", "25m", "30m", "40m", "50m", "1h",
  "1h30m", "2h", "3h", "4h", "6h", "8h", "12h",
  "24h",
].map(microseconds);

/** All keys of a schema that the scenario has. */
export class Keys {
  /** `fixed` lists the keys that a page may not set; outages have their own view. */
  constructor(schema, values, fixed) {
    this.schema = schema;
    this.fixed = new Set(fixed);
    this.withoutField = new Set([...fixed, "faults"]);
    this.definitions = schema.$defs;
    this.all = new Map();
    this.collect(schema, values, "");
    this.foremost = Object.keys(foremost).filter((path) => this.all.has(path));
  }

  /** `names` are the names of the list entries on the path to a value, such as the name of a stage. */
  collect(schema, value, path, names = []) {
    for (const [name, of] of Object.entries(this.objectOf(schema, value)?.properties ?? {})) {
      const own = path ? `${path}.${name}` : name;
      if (this.withoutField.has(own) || value?.[name] === undefined) continue;
      const member = value[name];
      const resolved = this.resolve(of);
      const isList = resolved.type === "array" && Array.isArray(member) && resolved.items?.properties;
      if (isList) {
        member.forEach((item, index) => this.collect(resolved.items, item, `${own}.${index}`,
          typeof item?.name === "string" ? [...names, item.name] : names));
      } else if (this.objectOf(resolved, member)?.properties && !isDistribution(member)) {
        this.collect(resolved, member, own, names);
      }
      else {
        const key = { path: own, names, schema: resolved, doc: of.description ?? resolved.description ?? "" };
        this.all.set(own, key);
        this.collectParameters(key, member);
      }
    }
  }

  /** Returns true if a path names a key that a page may not set. */
  isFixed(path) {
    const names = path.split(".");
    let of = this.schema;
    for (const name of names) {
      of = of && this.forms(this.resolve(of)).map((form) => form.properties?.[name]).find(Boolean);
    }
    return this.fixed.has(names[0]) && Boolean(of);
  }

  /** Adds the parameters of a distribution, each as its own key: `rides.stages.3.refresh.lognormal.median`. */
  collectParameters({ path, names, schema, doc }, value) {
    if (!value || typeof value !== "object" || !isDistribution(value)) return;
    const [[name, members]] = Object.entries(value);
    const form = this.forms(schema).filter((each) => each.properties?.[name])
      .map((each) => this.resolve(each.properties[name]))
      .find((each) => each.properties && fits(each, members));
    for (const [member, of] of Object.entries(form?.properties ?? {})) {
      if (members[member] === undefined) continue;
      const own = `${path}.${name}.${member}`;
      this.all.set(own,
        { path: own, names, schema: this.resolve(of), doc: `${words(member)} of the distribution: ${doc}` });
    }
  }

  /** Returns all forms that a value may have, including nested ones. */
  forms(schema) {
    return schema.anyOf ? schema.anyOf.flatMap((each) => this.forms(this.resolve(each))) : [schema];
  }

  resolve(schema) {
    if (!schema.$ref) return schema;
    const definition = this.definitions[schema.$ref.split("/").pop()];
    return { ...definition, ...schema, unit: definition.description };
  }

  /** Returns the part of a schema that describes objects, if the scenario has an object there. */
  objectOf(schema, value) {
    if (!value || typeof value !== "object" || Array.isArray(value)) return null;
    if (schema.properties) return schema;
    return (schema.anyOf ?? []).map((part) => this.resolve(part)).find((part) => part.properties && fits(part, value));
  }

  /** Returns keys that match all words of a text; matches in the path or in an entry's name come first. */
  search(text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return [];
    const rank = (key) => {
      const own = [key.path, ...key.names].join(" ").toLowerCase();
      const path = `${own.replaceAll("_", " ")} ${own}`;
      if (wanted.every((word) => path.includes(word))) return 0;
      const all = `${path} ${key.doc.toLowerCase()}`;
      return wanted.every((word) => all.includes(word)) ? 1 : 2;
    };
    return [...this.all.values()].map((key) => [rank(key), key]).filter(([at]) => at < 2)
      .sort(([a], [b]) => a - b).map(([, key]) => key);
  }

  /** Returns the allowed values of a key, in words. */
  allowed(schema) {
    const { minimum, maximum, exclusiveMinimum } = schema;
    if (schema.$ref?.endsWith("/duration")) return "a duration such as 250ms, 30s, 2m or 1h30m";
    if (schema.$ref?.endsWith("/share")) return "a share from 0 to 1, or 0% to 100%";
    if (schema.$ref?.endsWith("_distribution")) {
      return "a value, or a distribution such as {lognormal: {median: 15s, p95: 40s}}";
    }
    if (schema.enum) {
      return schema.enum.filter((value) => value !== null && value !== false && value !== "none").join(" or ");
    }
    if (schema.type === "boolean") return "true or false";
    if (schema.anyOf) return schema.anyOf.map((part) => this.allowed(this.resolve(part))).filter(Boolean).join(", or ");
    if (schema.type === "integer" || schema.type === "number") {
      const kind = schema.type === "integer" ? "a whole number" : "a number";
      const most = largest(maximum);
      if (exclusiveMinimum !== undefined) return `${kind} above ${exclusiveMinimum}${most ? `, at most ${most}` : ""}`;
      if (minimum === undefined) return kind;
      return most ? `${kind} from ${minimum} to ${most}` : `${kind}, at least ${minimum}`;
    }
    if (schema.type === "array") return "a list in brackets: [ … ]";
    if (schema.type === "object") return "members in braces: { … }";
    return "a text";
  }

  /** Returns the error in a value, in a sentence that says what is allowed; null if the value is valid. */
  problem(key, text) {
    return this.accepts(key.schema, text) ? null
      : `${key.path} must be ${this.allowed(key.schema)}; got ${text === "" ? "nothing" : text}`;
  }

  accepts(schema, text) {
    if (text === "") return false;
    if (schema.$ref?.endsWith("/duration")) return microseconds(text) !== null;
    if (schema.$ref?.endsWith("/share")) return share(text) !== null;
    if (schema.enum) return schema.enum.some((value) => String(value) === text);
    if (schema.type === "boolean") return text === "true" || text === "false";
    // The server parses distributions, lists and members; the page only distinguishes them from plain values.
    if (/^[[{]/.test(text)) return true;
    if (schema.anyOf) return schema.anyOf.some((part) => this.accepts(this.resolve(part), text));
    if (schema.type === "integer" || schema.type === "number") {
      const value = Number(text);
      if (!Number.isFinite(value) || (schema.type === "integer" && !Number.isInteger(value))) return false;
      return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity)
        && !(value <= schema.exclusiveMinimum);
    }
    return schema.type === "string";
  }

  /** Returns the stops of a slider, as texts in ascending order; null for a key without a slider. */
  stops(key, base) {
    const kind = this.kind(key.schema);
    if (!kind || /^[[{]/.test(base)) return null;
    const [low, high] = foremost[key.path] ?? [];
    if (kind === "duration") {
      const now = microseconds(base) || 30e6;
      const from = low ? microseconds(low) : now / 20;
      const to = high ? microseconds(high) : now * 20;
      return withBase(niceDurations.filter((us) => us >= from && us <= to), microseconds(base)).map(duration);
    }
    if (kind === "share") {
      const shares = [0, ...oneTwoFive(1e-4, 0.1), 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
      return withBase(shares, share(base)).map(shareText);
    }
    const value = Number(base);
    const least = low ?? key.schema.minimum ?? 0;
    const most = high ?? Math.min(key.schema.maximum ?? Infinity, Math.max(10, (value || 0) * 100));
    const zero = least <= 0 ? [0] : [];
    const steps = kind === "integer"
      ? [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, ...oneTwoFive(20, most)]
      : oneTwoFive(Math.max(0.01, least), most);
    return withBase([...zero, ...steps.filter((step) => step >= least && step <= most)],
      Number.isFinite(value) ? value : null).map(String);
  }

  /** Returns the kind of value that a slider moves: duration, share, integer or number; null for anything else. */
  kind(schema) {
    if (schema.$ref?.endsWith("/duration") || schema.$ref?.endsWith("duration_distribution")) return "duration";
    if (schema.$ref?.endsWith("/share")) return "share";
    if (schema.anyOf) return schema.anyOf.map((part) => this.kind(this.resolve(part))).find(Boolean) ?? null;
    return schema.type === "integer" || schema.type === "number" ? schema.type : null;
  }

  /** Returns true if two texts denote the same value of a key. */
  areEqual(key, one, other) {
    if (one === other) return true;
    const kind = this.kind(key?.schema ?? {});
    const read = { duration: microseconds, share, integer: Number, number: Number }[kind];
    return read !== undefined && read(one) !== null && read(one) === read(other);
  }
}

/** A key's path with the names of the list entries on it: rides.stages.3.refresh (on_trip). */
function titled(key) {
  return [h("code", {}, key.path), ...key.names.map((name) => ` (${name})`)];
}

/** Returns a maximum in words; null for one too large to matter, such as a seed's. */
function largest(maximum) {
  if (maximum === undefined || maximum > Number.MAX_SAFE_INTEGER) return null;
  const [size, word] = [[1e9, "billion"], [1e6, "million"]].find(([least]) => maximum >= least && maximum % least === 0)
    ?? [1, ""];
  return `${number(maximum / size, Number.isInteger(maximum) ? 0 : 4)} ${word}`.trim();
}

/** Returns a share as a number; null if the text is not a share. */
export function share(text) {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text);
  const value = percent ? Number(percent[1]) / 100 : Number(text);
  return text !== "" && value >= 0 && value <= 1 ? Number(value.toPrecision(12)) : null;
}

/** Returns a share in the notation of scenario files: 0.1%. */
export function shareText(value) {
  return `${Number((value * 100).toPrecision(6))}%`;
}

/** Returns the value of a scenario at a path, in the notation of its file. */
export function valueAt(values, path) {
  return path.split(".").reduce((value, name) => value?.[name], values);
}

function isDistribution(value) {
  const names = ["constant", "exponential", "lognormal", "quantiles", "mixture", "shifted", "uniform", "gamma",
    "weibull", "erlang"];
  return Object.keys(value).length === 1 && names.includes(Object.keys(value)[0]);
}

function fits(schema, value) {
  return typeof value === "object" && Object.keys(value).every((name) => name in schema.properties);
}

function oneTwoFive(from, to) {
  const steps = [];
  for (let decade = 1e-4; decade <= to; decade *= 10) {
    for (const digit of [1, 2, 3, 5, 7]) {
      const step = Number((digit * decade).toPrecision(3));
      if (step >= from && step <= to) steps.push(step);
    }
  }
  return steps;
}

function withBase(steps, base) {
  if (base === null || Number.isNaN(base)) return steps;
  return [...new Set([...steps, base])].sort((a, b) => a - b);
}

/** A field, with a slider if it has one: base value, changed value, reset, and its error message. */
export class KeyField {
  /** `studio.set(path, text, isDragging)` is called with each value that the schema allows. */
  constructor(studio, key) {
    this.studio = studio;
    this.key = key;
    const id = `key-${key.path.replaceAll(".", "-")}`;
    const choices = key.schema.type === "boolean" ? ["true", "false"] : key.schema.enum?.map(String);
    this.input = choices
      ? h("select", { id, onchange: () => this.take(this.input.value) },
          ...choices.map((choice) => h("option", { value: choice }, choice)))
      : h("input", { id, type: "text", autocomplete: "off", spellcheck: "false",
          onchange: () => this.take(this.input.value.trim()) });
    this.input.setAttribute("aria-describedby", `${id}-problem ${id}-base`);
    this.slider = h("input", {
      type: "range", min: 0, step: 1, "aria-label": `${key.path}, slider`,
      oninput: () => this.slide(true), onchange: () => this.slide(false),
    });
    this.baseText = h("span", { id: `${id}-base`, class: "quiet" });
    this.reset = h("button", { type: "button", class: "small", "aria-label": `Reset ${key.path}`,
      onclick: () => this.studio.reset(key.path) }, "reset");
    this.message = h("p", { id: `${id}-problem`, class: "problem", role: "alert", hidden: true });
    this.element = h("div", { class: "key", "data-path": key.path },
      h("label", { for: id }, ...titled(key)),
      h("div", { class: "key-values" }, this.input, this.baseText, this.reset),
      this.slider, this.message,
      h("details", {}, h("summary", {}, "Meaning"), h("p", {}, key.doc),
        h("p", { class: "quiet" }, `Allowed: ${studio.keys.allowed(key.schema)}.`)));
    this.show();
  }

  /** Shows the values of the two worlds. */
  show() {
    const { studio, key } = this;
    const base = studio.baseValue(key.path);
    const value = studio.value(key.path);
    const isChanged = studio.changed.has(key.path);
    if (this.refused === undefined) this.input.value = value;
    this.baseText.textContent = isChanged ? `base ${studio.said(key.path, base)}` : "same as the base";
    this.element.classList.toggle("changed", isChanged);
    this.reset.disabled = !isChanged && this.refused === undefined;
    this.stops = studio.keys.stops(key, base);
    this.slider.hidden = !this.stops || this.stops.length < 2;
    if (this.slider.hidden || this.isSliding) return;
    this.slider.max = this.stops.length - 1;
    this.slider.value = this.nearest(value);
    this.slider.setAttribute("aria-valuetext", value);
  }

  nearest(value) {
    const exact = this.stops.findIndex((stop) => this.studio.keys.areEqual(this.key, stop, value));
    if (exact >= 0) return exact;
    const read = (text) => microseconds(text) ?? share(text) ?? Number(text);
    const wanted = read(value);
    const above = this.stops.findIndex((stop) => read(stop) >= wanted);
    return above < 0 ? this.stops.length - 1 : above;
  }

  slide(isDragging) {
    const text = this.stops[Number(this.slider.value)];
    this.isSliding = isDragging;
    this.input.value = text;
    this.slider.setAttribute("aria-valuetext", text);
    this.take(text, isDragging, true);
  }

  take(text, isDragging = false, isSlider = false) {
    const sentence = this.studio.keys.problem(this.key, text);
    this.refused = sentence ? text : undefined;
    this.tell(sentence);
    if (!sentence) this.studio.set(this.key.path, text, { isDragging, isSlider });
    else this.reset.disabled = false;
  }

  /** Shows an error at the field; null clears it. */
  tell(sentence) {
    this.message.hidden = !sentence;
    this.message.textContent = sentence ?? "";
    if (sentence) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }

  /** Discards a refused value. */
  forget() {
    this.refused = undefined;
    this.tell(null);
  }
}

/** Searches all keys by words of their name or meaning; calls `choose` with the chosen key. */
export function keySearch(studio, choose) {
  const id = "key-search";
  const list = h("ul", { class: "found" });
  const state = h("p", { class: "quiet", role: "status" });
  const input = h("input", {
    id, type: "search", placeholder: "a name or a word: refresh, latency, queue …", autocomplete: "off",
    oninput: () => {
      const found = studio.keys.search(input.value);
      const said = found.length === 0 ? "No key has this in its name or meaning." : `${found.length} found`;
      state.textContent = input.value.trim() === "" ? "" : said;
      list.replaceChildren(...found.slice(0, 12).map((key) => h("li", {},
        h("button", { type: "button", "data-path": key.path,
          onclick: () => { input.value = ""; input.dispatchEvent(new Event("input")); choose(key); } },
          h("strong", {}, ...titled(key)), h("span", {}, key.doc),
          h("span", { class: "quiet" }, `${studio.keys.allowed(key.schema)}; now ${studio.value(key.path)}`)))));
    },
  });
  return h("div", { class: "search" }, h("label", { for: id }, "All other keys"), input, state, list);
}
