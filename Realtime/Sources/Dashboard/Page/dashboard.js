// The page of a running load: numbers once a second, replaced by the report at the end.

import { loadRuntime, mountChart } from "./charts.js";
import { h, number } from "./dom.js";

const place = (id) => document.getElementById(id);

/** The silence after which the page warns: a minimum [ms], and a multiple of the usual pause. */
const patience = { least: 5000, pauses: 3 };

class Dashboard {
  /** Charts by name; they are updated, not redrawn. */
  charts = new Map();
  isOver = false;
  lostAt = null;
  /** The time of the last message by the page's clock, and the two pauses before it [ms]. */
  heardAt = performance.now();
  pauses = [0, 0];
  /** The last reported state. */
  state = null;
  /** True for a service, which has no planned end. */
  isService = false;

  open() {
    loadRuntime("vega.js");
    this.listen();
    setInterval(() => this.watch(), 1000);
  }

  /** Marks old numbers: if the program hangs, its connection stays open but no message arrives. */
  watch() {
    if (this.isOver) return;
    const silence = performance.now() - this.heardAt;
    const isSilent = silence > Math.max(patience.least, patience.pauses * Math.min(...this.pauses));
    place("live").classList.toggle("silent", isSilent && this.state !== null);
    if (!isSilent) return;
    const ago = `last message ${Math.floor(silence / 1000)} s ago`;
    place("state").textContent = this.state === null
      ? `No numbers yet; ${ago}` : `${ago[0].toUpperCase()}${ago.slice(1)}: ${this.state}`;
  }

  /** Notes a message. A large load reports less often, and one long pause alone does not change the usual pause. */
  heard() {
    const now = performance.now();
    this.pauses = [this.pauses[1], now - this.heardAt];
    this.heardAt = now;
  }

  listen() {
    this.events?.close();
    const events = new EventSource("api/events");
    this.events = events;
    events.addEventListener("hello", (event) => {
      const { name, is_service: isService } = JSON.parse(event.data);
      this.isService = isService;
      place("name").textContent = name;
      if (!this.isOver) document.title = `${name} – Freshet`;
      this.lostAt = null;
      this.tell(null);
    });
    events.addEventListener("snapshot", (event) => {
      this.heard();
      this.show(JSON.parse(event.data));
    });
    events.addEventListener("over", (event) => this.finish(JSON.parse(event.data)));
    events.onerror = () => this.lost(events);
  }

  /** Handles a lost connection. The browser retries automatically, unless the response was an error. */
  lost(events) {
    if (events !== this.events || this.isOver) return;
    this.lostAt ??= performance.now();
    const isLong = performance.now() - this.lostAt > 3000;
    this.tell(isLong
      ? "The program does not respond: it has ended without a report for this page, or the machine is busy. The " +
        "numbers here are the last received; the page continues as soon as the program responds."
      : "Connection lost; trying again …");
    if (events.readyState === EventSource.CLOSED) setTimeout(() => this.events === events && this.listen(), 1000);
  }

  tell(sentence) {
    const banner = place("banner");
    banner.hidden = !sentence;
    if (banner.textContent !== (sentence ?? "")) banner.textContent = sentence ?? "";
  }

  show(snapshot) {
    if (this.isOver) return;
    place("empty").hidden = true;
    this.state = this.stateWords(snapshot);
    place("live").classList.remove("silent");
    place("state").textContent = this.state;
    const share = place("share");
    share.hidden = snapshot.planned_us === undefined;
    if (!share.hidden) {
      share.max = Math.max(1, snapshot.planned_us);
      share.value = Math.min(snapshot.elapsed_us, snapshot.planned_us);
    }
    place("ended").hidden = !snapshot.ended_early;
    place("ended").textContent = snapshot.ended_early ? `✗ ${snapshot.ended_early}` : "";
    place("warning").hidden = !snapshot.warning;
    place("warning").textContent = snapshot.warning ? `? ${snapshot.warning}` : "";
    this.showTiles(snapshot.tiles);
    this.showTable("checks", ["threshold", "so far", "verdict"], snapshot.checks.map((check) => {
      const [kind, mark] = check.holds ? ["holds", "✓"] : check.open ? ["", "·"] : ["fails", "✗"];
      return [check.name, check.value, h("span", { class: kind }, `${mark} ${check.words}`)];
    }));
    this.showTable("outcomes", ["answer", "count"], snapshot.outcomes.map((each) => [each.name, number(each.count)]));
    this.showTable("settings", ["setting", "value"], snapshot.settings.map((each) => [each.name, each.value]));
    this.showCharts(snapshot.charts);
  }

  stateWords(snapshot) {
    const { elapsed, planned, left } = snapshot;
    if (planned === undefined) return `Running for ${elapsed}`;
    if (snapshot.stage === "draining") return `${elapsed} · sending has ended; waiting for the last answers`;
    return `${elapsed} of ${planned} · ${left} left`;
  }

  /** Tiles keep their elements, so that a screen reader is not sent back to the first one every second. */
  showTiles(tiles) {
    const list = place("tiles");
    list.hidden = tiles.length === 0;
    while (list.children.length > tiles.length) list.lastElementChild.remove();
    tiles.forEach((tile, index) => {
      const element = list.children[index] ?? list.appendChild(h("li", { class: "tile" },
        h("span", { class: "label" }), h("span", { class: "value" }), h("span", { class: "interval" })));
      [tile.label, tile.value, tile.detail].forEach((text, part) => { element.children[part].textContent = text; });
    });
  }

  showTable(id, labels, rows) {
    const section = place(id);
    section.hidden = rows.length === 0;
    const shown = JSON.stringify(rows.map((row) => row.map((cell) => cell.textContent ?? cell)));
    if (section.dataset.shown === shown) return;
    section.dataset.shown = shown;
    const kind = (column) => (labels[column] === "count" || labels[column] === "so far" ? "number" : null);
    section.querySelector(".table").replaceChildren(h("table", {},
      h("thead", {}, h("tr", {}, ...labels.map((label, column) =>
        h("th", { scope: "col", class: kind(column) }, label)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, column) =>
        h(column === 0 ? "th" : "td", { scope: column === 0 ? "row" : null, class: kind(column) }, cell)))))));
  }

  showCharts(charts) {
    for (const { name, specification } of charts) {
      const known = this.charts.get(name);
      if (known) {
        known.update(specification);
        continue;
      }
      const figure = h("figure", { class: "chart", role: "group", "data-chart": name });
      place("charts").append(figure);
      this.charts.set(name, mountChart(figure, specification));
    }
    // In the order of the message, whichever chart was created first.
    charts.forEach(({ name }, index) => {
      const all = place("charts");
      const figure = all.querySelector(`[data-chart="${name}"]`);
      if (all.children[index] !== figure) all.insertBefore(figure, all.children[index]);
    });
  }

  get end() { return this.isService ? "The service has been stopped" : "The load is over"; }

  /** Replaces the numbers with the report, which works without the program. */
  async finish({ results }) {
    if (this.isOver) return;
    this.isOver = true;
    const events = this.events;
    try {
      const response = await fetch("api/report");
      if (!response.ok) throw new Error(`status ${response.status}`);
      place("report").innerHTML = await response.text();
    } catch {
      this.isOver = false;
      this.tell(`${this.end}; its report could not be fetched.`);
      return;
    }
    events.close();
    for (const chart of this.charts.values()) chart.destroy();
    place("live").remove();
    place("report").hidden = false;
    const near = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        mountChart(target, JSON.parse(target.querySelector("script").textContent));
      }
    }, { rootMargin: "400px" });
    for (const figure of place("report").querySelectorAll("figure.chart")) near.observe(figure);
    place("banner").classList.add("rests");
    const kept = results ? `Its results are in ${results}.` : "It is not kept in files: print or save the page.";
    this.tell(`${this.end}: this is its report. ${kept} The program that served the page has ended.`);
    document.title = `${document.title.replace(/^✓ /, "")} – report`;
  }
}

new Dashboard().open();
