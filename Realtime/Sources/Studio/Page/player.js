// Plays a day on the server ahead of the display, so that the display never waits.

import { counted } from "./dom.js";

/** How far ahead of the display frames are fetched [s of real time]. */
const ahead = 1.5;
/** Frames per second of real time. */
const framesPerSecond = 20;

export class Player {
  isOpen = false;
  isPlaying = false;
  isOpening = false;
  /** True if the day that is being opened should play once it is open. */
  isAwaited = false;
  now = 0;
  queue = [];

  /**
   * The player calls `dots.apply` with changes, `outside.tell` with a state in words, and `outside.changed` when the
   * clock moves. It calls `outside.applied` with each instant that was played, or with null after a day was opened.
   */
  constructor(studio, dots, outside) {
    this.studio = studio;
    this.dots = dots;
    this.outside = outside;
    this.speedNow = 60;
  }

  get speed() {
    return this.speedNow;
  }

  /** Frames fetched for a high speed are too far apart for a low one; in that case the day is opened again. */
  set speed(speed) {
    this.speedNow = speed;
    const last = this.queue.at(-1);
    if (last && (last.now_us - this.now) / 1e6 / speed > 5 * ahead) this.reopen();
  }

  async reopen() {
    const wasPlaying = this.isPlaying || this.isAwaited;
    await this.open(this.settings, Math.floor(this.now / 1e6) * 1e6);
    if (wasPlaying) this.play();
  }

  /** Opens a world at an instant; returns an error message, or null. */
  async open(settings, at) {
    this.pause();
    this.settings = settings;
    this.wanted = at;
    this.queue = [];
    this.isOpen = false;
    this.isOpening = true;
    const opening = (this.opening = (this.opening ?? 0) + 1);
    this.outside.tell("Opening …");
    const reply = await this.studio.post("play", { settings, from_s: Math.round(at / 1e6) });
    if (opening !== this.opening) return null;
    this.isOpening = false;
    const { isAwaited } = this;
    this.isAwaited = false;
    if (reply.status !== 200) {
      this.outside.tell("");
      return reply.problem ?? reply.problems?.map(({ message }) => message).join(" ")
        ?? (reply.status === 0 ? null : "The day cannot be opened.");
    }
    this.isOpen = true;
    this.now = reply.now_us;
    this.until = reply.until_us;
    this.dots.clear(Math.max(100, Math.ceil((reply.changes.length / 4) * 1.4)));
    this.dots.apply(reply.changes);
    this.outside.applied(null);
    this.dots.draw();
    const all = reply.cells === 1 ? "one cell" : `all ${reply.cells} cells`;
    this.part = reply.cells === reply.all_cells ? all : `${reply.cells} of ${reply.all_cells} cells`;
    this.sayCount();
    this.fetch();
    if (isAwaited) this.play();
    return null;
  }

  sayCount() {
    this.outside.tell(`${counted(this.dots.count, "activity", "activities")} on screens, ${this.part}.`);
  }

  /** Starts to play; if the day is still being opened, once it is open. */
  play() {
    if (this.isOpening) this.isAwaited = true;
    if (!this.isOpen || this.isPlaying) return;
    this.isPlaying = true;
    this.measured = this.studio.measurements.frames = { count: 0, milliseconds: 0, waits: 0, longest: 0 };
    this.before = undefined;
    this.request = requestAnimationFrame((time) => this.frame(time));
  }

  pause() {
    this.isPlaying = false;
    this.isAwaited = false;
    cancelAnimationFrame(this.request);
  }

  /** Shows the next frame. */
  async step() {
    if (!this.isOpen || this.isPlaying) return;
    if (this.queue.length === 0) await this.fetch();
    const next = this.queue.shift();
    if (!next) return;
    this.now = next.now_us;
    this.apply(next);
    this.dots.draw();
    this.sayCount();
    this.outside.changed();
    this.fetch();
  }

  apply(frame) {
    this.dots.apply(frame.changes);
    this.outside.applied(frame.now_us);
  }

  frame(time) {
    if (!this.isPlaying) return;
    // A tab in the background is not called. The time that it missed is not caught up in one frame.
    const passed = this.before === undefined ? 0 : Math.min(250, time - this.before);
    if (this.before !== undefined) {
      this.measured.count += 1;
      this.measured.milliseconds += time - this.before;
      this.measured.longest = Math.max(this.measured.longest, time - this.before);
    }
    this.before = time;
    const last = this.queue.at(-1)?.now_us ?? this.now;
    const wanted = this.now + passed * 1000 * this.speed;
    // Without frames the clock stops.
    if (wanted > last && !this.isOver) this.measured.waits += 1;
    this.now = this.isOver ? Math.min(wanted, this.until) : Math.min(wanted, Math.max(last, this.now));
    while (this.queue.length > 0 && this.queue[0].now_us <= this.now) this.apply(this.queue.shift());
    this.dots.draw();
    if (time - (this.told ?? 0) > 200) {
      this.told = time;
      this.outside.changed();
      this.sayCount();
    }
    if (this.isOver && this.queue.length === 0) {
      this.pause();
      this.outside.changed();
      return;
    }
    this.fetch();
    this.request = requestAnimationFrame((next) => this.frame(next));
  }

  get isOver() {
    return this.now >= this.until || (this.queue.at(-1)?.now_us ?? 0) >= this.until;
  }

  /** Fetches the next second of frames if too few are queued. */
  async fetch() {
    const last = this.queue.at(-1)?.now_us ?? this.now;
    if (this.isFetching || !this.isOpen || last >= this.until || (last - this.now) / 1e6 > ahead * this.speed) return;
    this.isFetching = true;
    const { opening } = this;
    const step = Math.max(1, Math.round((this.speed * 1000) / framesPerSecond));
    const reply = await this.studio.post("frames", { step_ms: step, times: framesPerSecond });
    this.isFetching = false;
    if (opening !== this.opening) return;
    if (reply.status === 200) this.queue.push(...reply.frames);
    // 409: a newer request replaced this one; the next frames include the changes.
    else if (reply.status !== 0 && reply.status !== 409) {
      this.pause();
      this.outside.tell(reply.problem ?? "");
      this.outside.changed();
    }
  }
}
