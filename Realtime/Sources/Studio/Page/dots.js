// Activities as dots on a canvas. Each has a stable place; only changed dots are redrawn.

/** States of a screen: colour, words. */
export const screens = [
  ["#009e73", "shows fresh content"],
  ["#e69f00", "shows content past its stale date"],
  ["#d55e00", "shows a stage that is over"],
  ["#cc79a7", "shows a leftover card after its ride"],
];
/** Beliefs of the server about an activity. */
export const beliefs = [
  "not watched by the server",
  "the server believes: fresh",
  "the server believes: stale but recoverable",
  "the server believes: severely stale",
];

const gone = 9;
/** Minimum size of a place [CSS pixels]. On a phone the canvas grows in height so that dots stay visible. */
const leastPlace = 7;

export class Dots {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    this.clear(100);
  }

  /** Removes all activities and makes room for a number of new ones. */
  clear(room) {
    this.places = new Map();
    this.rides = new Int32Array(room).fill(-1);
    this.looks = new Uint8Array(room);
    this.stages = new Uint8Array(room);
    this.screenCounts = [0, 0, 0, 0];
    this.beliefCounts = [0, 0, 0, 0];
    this.dirty = new Set();
    this.resize();
  }

  get count() {
    return this.places.size;
  }

  /** Applies changes: ride, screen, belief, stage, in rows of four. */
  apply(changes) {
    for (let index = 0; index < changes.length; index += 4) {
      const [ride, screen, belief, stage] = changes.slice(index, index + 4);
      let place = this.places.get(ride);
      if (place !== undefined) this.tally(place, -1);
      if (screen === gone) {
        if (place === undefined) continue;
        this.places.delete(ride);
        this.rides[place] = -1;
      } else {
        place ??= this.placeOf(ride);
        this.looks[place] = screen * 4 + belief;
        this.stages[place] = stage;
        this.tally(place, 1);
      }
      this.dirty.add(place);
    }
  }

  tally(place, by) {
    this.screenCounts[this.looks[place] >> 2] += by;
    this.beliefCounts[this.looks[place] & 3] += by;
  }

  /** Returns the first free place, starting from a place that depends only on the ride. */
  placeOf(ride) {
    if (this.places.size >= this.rides.length * 0.92) this.grow();
    let place = (Math.imul(ride, 2654435761) >>> 0) % this.rides.length;
    while (this.rides[place] >= 0) place = (place + 1) % this.rides.length;
    this.rides[place] = ride;
    this.places.set(ride, place);
    return place;
  }

  grow() {
    const before = [...this.places.keys()].map((ride) =>
      [ride, this.looks[this.places.get(ride)], this.stages[this.places.get(ride)]]);
    this.clear(Math.ceil(this.rides.length * 1.5));
    this.apply(before.flatMap(([ride, look, stage]) => [ride, look >> 2, look & 3, stage]));
  }

  // MARK: Drawing

  /** Adopts the size of the canvas on the page; everything is redrawn. */
  resize() {
    const { canvas } = this;
    canvas.style.height = "";
    const rows = Math.ceil(this.rides.length / Math.max(1, Math.floor(canvas.clientWidth / leastPlace)));
    if (rows * leastPlace > canvas.clientHeight) canvas.style.height = `${rows * leastPlace + 2}px`;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.max(1, Math.round(canvas.clientWidth * ratio)),
      Math.max(1, Math.round(canvas.clientHeight * ratio))];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.ratio = ratio;
    this.size = Math.max(2, Math.floor(Math.sqrt((width * height) / this.rides.length)));
    const room = () => Math.floor(width / this.size) * Math.floor(height / this.size);
    while (this.size > 2 && room() < this.rides.length) this.size -= 1;
    this.perRow = Math.max(1, Math.floor(width / this.size));
    this.sprites = sprites(this.size, getComputedStyle(document.documentElement));
    this.background = getComputedStyle(document.documentElement).getPropertyValue("--paper");
    this.isWhole = true;
  }

  draw() {
    if (this.isWhole) {
      this.context.fillStyle = this.background;
      this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
      for (const place of this.places.values()) this.drawAt(place);
      this.isWhole = false;
    } else {
      for (const place of this.dirty) this.drawAt(place);
    }
    this.dirty.clear();
  }

  drawAt(place) {
    const { size } = this;
    const [x, y] = [(place % this.perRow) * size, Math.floor(place / this.perRow) * size];
    // The last sprite is an empty place.
    this.context.drawImage(this.sprites, (this.rides[place] < 0 ? 16 : this.looks[place]) * size, 0, size, size, x, y,
      size, size);
  }

  // MARK: Choosing

  /** Returns the corner and the size of a place, relative to the corner of the canvas [CSS pixels]. */
  box(place) {
    const size = this.size / this.ratio;
    return { x: (place % this.perRow) * size, y: Math.floor(place / this.perRow) * size, size };
  }

  /** Returns the activity at or beside a point of the canvas; -1 if there is none. */
  at(x, y) {
    const size = this.size / this.ratio;
    const [column, row] = [Math.floor(x / size), Math.floor(y / size)];
    let nearest = -1;
    let least = Infinity;
    for (let by = -2; by <= 2; by += 1) {
      for (let across = -2; across <= 2; across += 1) {
        const place = (row + by) * this.perRow + column + across;
        const distance = by * by + across * across;
        const isInRow = column + across >= 0 && column + across < this.perRow;
        if (isInRow && this.rides[place] >= 0 && distance < least) [nearest, least] = [place, distance];
      }
    }
    return nearest;
  }

  /** Returns the next activity from a place in a direction, or the place itself if there is none. */
  next(place, key) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.perRow, ArrowDown: this.perRow }[key];
    for (let other = place + step; other >= 0 && other < this.rides.length; other += step) {
      if (this.rides[other] >= 0) return other;
    }
    return place;
  }

  /** Returns the next activity after a place whose screen and belief pass a test; -1 if there is none. */
  find(accepts, after = -1) {
    for (let step = 1; step <= this.rides.length; step += 1) {
      const place = (after + step) % this.rides.length;
      if (this.rides[place] >= 0 && accepts(this.looks[place] >> 2, this.looks[place] & 3)) return place;
    }
    return -1;
  }
}

/** Returns all appearances side by side: a shape for the screen, a ring for the belief; the last one is empty. */
export function sprites(size, style) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [size * 17, size];
  const context = canvas.getContext("2d", { alpha: false });
  context.fillStyle = style.getPropertyValue("--paper");
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (let look = 0; look < 16; look += 1) {
    context.save();
    context.translate((look + 0.5) * size, size / 2);
    drawLook(context, size, look >> 2, look & 3, style);
    context.restore();
  }
  return canvas;
}

function drawLook(context, size, screen, belief, style) {
  const radius = size * 0.27;
  context.fillStyle = screens[screen][0];
  context.beginPath();
  // Shapes differ too, for readers who cannot distinguish the colours.
  if (screen === 0) context.arc(0, 0, radius, 0, 2 * Math.PI);
  else if (screen === 1) context.rect(-radius, -radius, 2 * radius, 2 * radius);
  else if (screen === 2) {
    for (const [x, y] of [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]]) context.lineTo(x * radius, y * radius);
  }
  else [[0, -1.2], [1.2, 1], [-1.2, 1]].forEach(([x, y]) => context.lineTo(x * radius, y * radius));
  context.fill();
  context.translate(-size / 2, -size / 2);
  if (belief > 0) drawRing(context, size, belief, style);
}

/** Draws the ring of a belief alone; without a belief, a faint dashed ring. */
export function drawRing(context, size, belief, style) {
  context.save();
  const isNone = belief === 0;
  context.strokeStyle = style.getPropertyValue({ 0: "--muted", 1: "--muted", 2: "--link" }[belief] ?? "--ink");
  context.lineWidth = Math.max(0.75, size * ([0.07, 0.04][belief] ?? 0.13));
  if (isNone) context.setLineDash([size * 0.07, size * 0.09]);
  if (belief === 2) context.setLineDash([size * 0.2, size * 0.12]);
  context.beginPath();
  context.arc(size / 2, size / 2, size * 0.42, 0, 2 * Math.PI);
  context.stroke();
  context.restore();
}
