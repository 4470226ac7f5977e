// Export: the current settings as a scenario file, as commands, and as a link.

import { fileText, h, shellWord } from "./dom.js";
import { valueAt } from "./keys.js";

export class Export {
  constructor(studio, element) {
    this.studio = studio;
    this.empty = h("p", {}, "Nothing is changed yet, so this page describes the base. Change something in Tune first.");
    this.yaml = this.block("yaml", "A scenario file", "");
    this.run = this.block("run", "The same as one command", "");
    this.compare = this.block("compare", "A report that compares both worlds",
      "Differences with confidence intervals, on the same random world.");
    this.link = this.block("link", "A link to this state",
      "Valid while this studio runs. In a later studio, append the part from # on to its address.");
    this.download = h("a", { class: "button", download: "" }, "Download the file");
    this.yaml.append(h("p", { class: "buttons" }, this.download));
    element.append(h("h2", {}, "Export the changes"), this.empty, this.yaml, this.run, this.compare, this.link);
  }

  block(name, title, note) {
    const text = h("pre", { id: `export-${name}`, tabindex: "0", "aria-labelledby": `export-${name}-title` });
    const said = h("span", { role: "status", class: "quiet" });
    return h("section", { class: "block" },
      h("h3", { id: `export-${name}-title` }, title),
      h("p", { class: "quiet", id: `export-${name}-note` }, note), text,
      h("p", { class: "buttons" },
        h("button", { type: "button", "aria-label": `Copy: ${title}`, onclick: () => copy(text, said) }, "Copy"),
        said));
  }

  enter() {
    const { studio } = this;
    const { file, name } = studio.scenario;
    this.empty.hidden = studio.changed.size > 0;
    const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/") + 1) : "";
    const own = `${name.replace(/[^\w.-]+/g, "-")}-changed.yaml`;
    const yaml = scenarioFile(studio, own);
    this.show("yaml", yaml);
    // Built-in scenarios have no folder: a file that extends one may be anywhere.
    const place = /\.ya?ml$/.test(file) ? ` beside ${file}` : "";
    document.getElementById("export-yaml-note").textContent = `Save it${place}, as ${folder}${own}.`;
    this.show("run", command(file, [...studio.scenario.settings, ...studio.changedSettings], []));
    const base = [...studio.scenario.settings, ...studio.baseSettings];
    this.show("compare", [
      command(file, base, ["--replications", "8", "--output", "base"]),
      command(file, [...studio.scenario.settings, ...studio.changedSettings],
        ["--replications", "8", "--output", "changed"]),
      "freshet compare base changed --report comparison",
    ].join("\n"));
    this.show("link", location.href.split("#")[0] + studio.address("tune"));
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = URL.createObjectURL(new Blob([yaml], { type: "application/yaml" }));
    this.download.href = this.address;
    this.download.download = own;
  }

  show(name, text) {
    document.getElementById(`export-${name}`).textContent = text;
  }

  leave() {}
  connected() {}
  settingsChanged() {}
}

function command(file, settings, options) {
  const words = ["freshet", "run", file, ...settings.flatMap((setting) => ["--set", setting]), ...options];
  return words.map(shellWord).join(" ");
}

/** Returns a file that extends the base with all differing settings, nested by key. Lists are written in full. */
export function scenarioFile(studio, name) {
  const { file, settings, values } = studio.scenario;
  const tree = {};
  const all = [...settings.map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]),
    ...studio.base, ...studio.changed];
  for (const [path, text] of all) put(tree, values, path.split("."), text);
  const lines = [`extends: ${fileText(file.split("/").pop())}`, `name: ${fileText(name.replace(/\.yaml$/, ""))}`,
    ...yamlLines(tree, "")];
  return lines.join("\n") + "\n";
}

/** A text in the notation of the file, which must not be quoted again. */
class FileText {
  constructor(text) {
    this.text = text;
  }
}

function put(tree, values, path, text) {
  const [name, ...rest] = path;
  if (rest.length === 0) {
    tree[name] = new FileText(text);
    return;
  }
  // A file replaces a list as a whole, so a list with a changed entry is written in full.
  const list = valueAt(values, name);
  if (Array.isArray(list)) {
    tree[name] ??= structuredClone(list);
    if (Array.isArray(tree[name])) putInList(tree[name], rest, text);
    return;
  }
  if (!tree[name] || tree[name] instanceof FileText) tree[name] = {};
  put(tree[name], values?.[name], rest, text);
}

function putInList(list, path, text) {
  const last = path.pop();
  const place = path.reduce((value, name) => value?.[name], list);
  if (place) place[last] = new FileText(text);
}

function oneLine(value) {
  if (value instanceof FileText) return value.text;
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (value && typeof value === "object") {
    return `{${Object.entries(value).map(([key, member]) => `${key}: ${oneLine(member)}`).join(", ")}}`;
  }
  return fileText(value);
}

function yamlLines(tree, indent) {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (Array.isArray(value)) return [`${indent}${key}:`, ...value.map((item) => `${indent}  - ${oneLine(item)}`)];
    if (!(value instanceof FileText)) return [`${indent}${key}:`, ...yamlLines(value, `${indent}  `)];
    const faults = key === "faults" ? [...value.text.matchAll(/\{[^{}]*\}/g)] : [];
    const items = faults.map(([item]) => `${indent}  - ${item}`);
    return items.length > 0 ? [`${indent}${key}:`, ...items] : [`${indent}${key}: ${value.text}`];
  });
}

async function copy(element, said) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    said.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(element);
    said.textContent = "selected: copy it with Ctrl-C";
  }
  setTimeout(() => (said.textContent = ""), 4000);
}
