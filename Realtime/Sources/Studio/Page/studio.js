// The state that the views share: the scenario, the settings of both worlds, the event stream, and the address that
// holds the state.

import { Capacity } from "./capacity.js";
import { loadRuntime } from "./charts.js";
import { clockTime, duration, fileText, h, words } from "./dom.js";
import { Export } from "./export.js";
import { parseFaults } from "./faults.js";
import { Keys, share, valueAt } from "./keys.js";
import { Phones } from "./phones.js";
import { TradeOff } from "./tradeoff.js";
import { Tune } from "./tune.js";

const viewNames = ["tune", "tradeoff", "capacity", "phones", "export"];
/** The number of changes that the badge lists. */
const mostListed = 3;

class Studio {
  /** Settings of the base on top of its file, and of the changed world on top of the base: texts by key. */
  base = new Map();
  changed = new Map();
  /** Goals that differ from the scenario's checks: texts by response, empty for none. */
  goals = new Map();
  /** The size of the preview, as a multiple of the usual size. */
  town = 1;
  /** The state that a view keeps in the address. */
  viewState = new URLSearchParams();
  session = null;
  /** For measuring scripts: the requests, and the time to the first painted answer and to the precise one [ms]. */
  measurements = { answers: [], frames: null, usable: null };
  asks = 0;
  listeners = new Map();

  async open() {
    // Slow steps start at once, in parallel.
    loadRuntime("vega.js");
    this.listen();
    const documents = ["scenario", "schema", "metrics"].map((name) => this.get(`api/${name}`));
    const [scenario, schema, metrics] = await Promise.all(documents);
    this.scenario = scenario;
    this.metrics = new Map(metrics.map((metric) => [metric.name, metric]));
    this.keys = new Keys(schema, scenario.values, scenario.fixed);
    this.faultSchema = schema.properties.faults.items;
    document.title = `${scenario.name} – Freshet studio`;
    document.getElementById("name").textContent = scenario.name;
    const settings = scenario.settings.map((text) => `--set ${text}`);
    document.getElementById("file").textContent = [scenario.file, ...settings].join(" ");
    const notes = scenario.notes.map((note) => h("p", { class: "note" }, note));
    document.querySelector("header").append(...notes);
    this.views = {
      tune: new Tune(this, document.getElementById("tune")),
      tradeoff: new TradeOff(this, document.getElementById("tradeoff")),
      capacity: new Capacity(this, document.getElementById("capacity")),
      phones: new Phones(this, document.getElementById("phones")),
      export: new Export(this, document.getElementById("export")),
    };
    document.getElementById("loading").remove();
    addEventListener("hashchange", () => this.readAddress());
    this.readAddress();
  }

  async get(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error((await response.json()).problem ?? `${path}: ${response.status}`);
    return response.json();
  }

  // MARK: Settings

  /** Returns a key's value in the base. */
  baseValue(path) {
    const value = valueAt(this.scenario.values, path);
    return this.base.get(path) ?? (value === undefined ? "" : fileText(value));
  }

  /** Returns a key's value in the changed world. */
  value(path) {
    return this.changed.get(path) ?? this.baseValue(path);
  }

  get baseSettings() {
    return [...this.base].map(([key, value]) => `${key}=${value}`);
  }

  get changedSettings() {
    return [...new Map([...this.base, ...this.changed])].map(([key, value]) => `${key}=${value}`);
  }

  /** Changes a key of the changed world. */
  set(path, text, how = {}) {
    const key = this.keys.all.get(path);
    if (this.keys.areEqual(key, text, this.baseValue(path))) this.changed.delete(path);
    else this.changed.set(path, text);
    this.settingsChanged(how);
  }

  /** Resets a key to its value in the base. */
  reset(path) {
    this.changed.delete(path);
    this.views.tune.forget(path);
    this.settingsChanged({});
  }

  /** Makes the changed world the base. */
  makeBase() {
    for (const [key, value] of this.changed) this.base.set(key, value);
    this.changed.clear();
    this.settingsChanged({});
  }

  /** Returns a value for readers: 2 %, 3m, or the list of outages. */
  said(path, text) {
    if (path === "faults") {
      return parseFaults(text).map(({ kind, at, duration: length }) =>
        `${words(kind)} at ${clockTime(at, this.scenario.starts_at_us)}${length > 0 ? ` for ${duration(length)}` : ""}`)
        .join(", ") || "none";
    }
    const part = this.keys.kind(this.keys.all.get(path)?.schema ?? {}) === "share" ? share(text) : null;
    return part === null ? text : `${Number((part * 100).toPrecision(6))} %`;
  }

  /** Shows on every view how the worlds differ from each other and from the file. */
  showBadge() {
    const named = (path) => (path === "faults" ? "outages" : path);
    const list = (title, settings, before) => {
      const texts = [...settings].slice(0, mostListed).map(([path, text]) =>
        `${named(path)} = ${this.said(path, text)} (${before} ${this.said(path, this.valueBefore(path, before))})`);
      const rest = settings.size - texts.length;
      return settings.size === 0 ? []
        : [h("strong", {}, title), ` ${texts.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}. `];
    };
    const remark = this.view?.badgeRemark;
    const parts = [...list("Base:", this.base, "file"), ...list("Changed:", this.changed, "base")];
    const badge = document.getElementById("badge");
    badge.hidden = parts.length === 0;
    badge.replaceChildren(...parts, ...(parts.length > 0 && remark ? [remark] : []));
  }

  /** Returns a key's value in the file or in the base. */
  valueBefore(path, before) {
    const value = valueAt(this.scenario.values, path);
    return before === "base" ? this.baseValue(path) : value === undefined ? "" : fileText(value);
  }

  /** Returns the goal of a response, in the notation of a file; empty for none. By default, the limit of a check. */
  goal(response) {
    return this.goals.get(response) ?? this.goalOfChecks(response);
  }

  goalOfChecks(response) {
    return this.scenario.goals.find((goal) => goal.response === response)?.limit ?? "";
  }

  setGoal(response, text) {
    if (text === this.goalOfChecks(response)) this.goals.delete(response);
    else this.goals.set(response, text);
    this.writeAddress();
  }

  settingsChanged(how) {
    this.showBadge();
    this.writeAddress();
    this.view?.settingsChanged(how);
  }

  // MARK: Address

  /** Returns the address from # on for a view and settings; by default, the current settings. */
  address(view, changed = this.changed, viewState = new URLSearchParams()) {
    const query = new URLSearchParams();
    for (const [key, value] of this.base) query.append("base", `${key}=${value}`);
    for (const [key, value] of changed) query.append("set", `${key}=${value}`);
    if (this.town !== 1) query.set("town", this.town);
    for (const [response, text] of this.goals) query.append("goal", `${response}=${text}`);
    for (const [key, value] of viewState) query.append(key, value);
    const text = query.toString();
    return `#${view}${text ? `?${text}` : ""}`;
  }

  writeAddress() {
    const address = this.address(this.viewName, this.changed, this.viewState);
    if (location.hash !== address) history.replaceState(null, "", address);
    for (const name of viewNames) document.getElementById(`tab-${name}`).href = this.address(name);
  }

  readAddress() {
    const [name, query = ""] = location.hash.slice(1).split("?");
    const parameters = new URLSearchParams(query);
    const read = (member) => new Map(parameters.getAll(member).filter((text) => text.includes("="))
      .map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]));
    this.base = read("base");
    this.changed = read("set");
    this.goals = read("goal");
    const town = Number(parameters.get("town") ?? 1);
    this.town = town >= 0.1 && town <= 1000 ? town : 1;
    for (const member of ["base", "set", "goal", "town"]) parameters.delete(member);
    this.viewState = parameters;
    this.show(viewNames.includes(name) ? name : "tune");
  }

  show(name) {
    if (this.view && this.viewName !== name) this.view.leave();
    this.viewName = name;
    this.view = this.views[name];
    for (const other of viewNames) {
      document.getElementById(other).hidden = other !== name;
      const tab = document.getElementById(`tab-${other}`);
      if (other === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    this.writeAddress();
    this.view.enter();
    this.showBadge();
  }

  // MARK: Server

  /** Registers a listener for the data of each event of a kind. */
  on(kind, listener) {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }

  listen() {
    this.events?.close();
    const events = new EventSource("api/events");
    this.events = events;
    events.addEventListener("session", (event) => {
      this.session = JSON.parse(event.data).session;
      this.tell(null);
      this.lostAt = null;
      this.view?.connected();
    });
    events.addEventListener("replaced", () => {
      events.close();
      [this.events, this.session] = [null, null];
      this.tell("A newer page replaced this one: at most five can be open. To continue, close another page and " +
        "reload this one.");
    });
    for (const kind of ["answer", "capacity", "point", "progress", "opening", "reading"]) {
      events.addEventListener(kind, (event) => {
        const data = JSON.parse(event.data);
        for (const listener of this.listeners.get(kind) ?? []) listener(data);
      });
    }
    events.onerror = () => this.lost(events);
  }

  /** Handles a lost connection. The browser retries automatically, unless the response was an error. */
  lost(events) {
    if (events !== this.events) return;
    this.session = null;
    this.lostAt ??= performance.now();
    const isLong = performance.now() - this.lostAt > 3000;
    this.tell(isLong
      ? "The studio does not respond. Is `freshet studio` still running? The display is kept; the page continues " +
        "as soon as the studio responds."
      : "Connection lost; trying again …");
    if (events.readyState === EventSource.CLOSED) {
      if (isLong) {
        this.tell("The studio at this address has ended. If you restarted it, open the new address that it printed.");
      }
      setTimeout(() => this.events === events && this.listen(), 1000);
    }
  }

  /** Both worlds keep the file's old contents, so that its change is not mistaken for a change of settings. */
  noteChangedFile() {
    if (this.isFileChanged) return;
    this.isFileChanged = true;
    document.querySelector("header").append(h("p", { class: "note", role: "status" },
      `${this.scenario.file} has been saved since the studio was started. This page shows the file as it was ` +
      "then; restart the studio to load the new version."));
  }

  tell(sentence) {
    const banner = document.getElementById("banner");
    banner.hidden = !sentence;
    banner.textContent = sentence ?? "";
  }

  /** Sends a request; returns the response's status and document. Without a connection the status is 0. */
  async post(path, message) {
    if (!this.session) return { status: 0 };
    try {
      const response = await fetch(`api/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ session: this.session, ...message }),
      });
      const document = await response.json();
      if (response.headers.has("Freshet-File-Changed")) this.noteChangedFile();
      // The session has ended although the connection seems open; a new connection gets a new session.
      if (response.status === 410) {
        this.session = null;
        this.listen();
      }
      return { status: response.status, ...document };
    } catch {
      return { status: 0 };
    }
  }
}

const studio = new Studio();
globalThis.freshetStudio = studio;
studio.open().catch((error) => {
  const place = document.getElementById("loading") ?? document.getElementById("banner");
  place.textContent = `The studio could not be opened: ${error.message}`;
});
