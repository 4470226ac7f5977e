"""Measures the studio's speed in the browser. Prints a table; with --strict, exits with 1 if a goal is missed.

usage: measure.py [--minutes N] [--strict]     (STUDIO names the program, CHROMIUM the browser)
"""

import argparse
import os
import statistics
import sys
import time

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, ROOT, Studio, serve_sources

# A day of Lyft in New York: Tune simulates it at preview scale, Phones plays all of it.
SCENARIO = ROOT / "experiments/nyc-lyft-day.yaml"
# The time of day with the most activities on screens [s].
PEAK = 18 * 3600


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Goals:
    def __init__(self):
        self.missed = 0

    def tell(self, what, value, unit, goal=None, isMet=None):
        mark = "" if goal is None else f"   goal {goal}: {'met' if isMet else 'MISSED'}"
        self.missed += isMet is False
        print(f"{what:<58}{value:>9} {unit}{mark}", flush=True)


def load(browser, studio, goals):
    times = []
    for _ in range(5):
        context = browser.new_context(viewport={"width": 1300, "height": 1000})
        page = context.new_page()
        serve_sources(page)
        page.goto(studio.address)
        page.wait_for_function("() => window.freshetStudio?.measurements.usable")
        times.append(page.evaluate("freshetStudio.measurements.usable"))
        context.close()
    slowest = max(times)
    goals.tell("page opened to first painted answer, slowest of 5", round(slowest), "ms", "1000 ms", slowest <= 1000)


def sliders(browser, studio, goals, count=60):
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    serve_sources(page)
    page.goto(studio.address)
    page.wait_for_function("() => window.freshetStudio?.measurements.usable")
    wait_done = "() => /done\\.$/.test(document.querySelector('#tune .state').textContent)"
    page.wait_for_function(wait_done, timeout=60_000)
    done = 0
    precise = []
    for key in ["content.ttl", "monitor.fresh_limit", "monitor.recovery_window", "sender.timeout"]:
        slider = page.locator(f"#tune .key[data-path='{key}'] input[type=range]")
        most, now = (int(slider.evaluate(f"slider => slider.{name}")) for name in ["max", "value"])
        # Each value once, so that the server must simulate it.
        stops = [stop for stop in range(most + 1) if stop != now][: count // 4]
        for step, stop in enumerate(stops):
            slider.evaluate("(slider, stop) => { slider.value = stop; slider.dispatchEvent(new Event('change')); }", stop)
            done += 1
            page.wait_for_function("count => freshetStudio.measurements.answers.length >= count", arg=done)
            if step % 5 == 4:
                page.wait_for_function("() => freshetStudio.measurements.answers.at(-1).precise", timeout=60_000)
                precise.append(page.evaluate("freshetStudio.measurements.answers.at(-1).precise"))
            page.wait_for_timeout(60)
    records = page.evaluate("freshetStudio.measurements.answers")
    painted = [each["paint"] for each in records]
    p95 = quantile(painted, 0.95)
    goals.tell(f"slider released to first painted answer, p50 of {len(painted)}", round(statistics.median(painted)), "ms")
    goals.tell("  the same, p95", round(p95), "ms", "150 ms", p95 <= 150)
    for what, name in [("until the answer had come", "arrived"), ("of that, as the server measured it", "server")]:
        goals.tell(f"  {what}, p50", round(statistics.median(each[name] for each in records)), "ms")
    p95 = quantile(precise, 0.95)
    goals.tell(f"slider released to an interval of ± 0.5 points, p50 of {len(precise)}", round(statistics.median(precise)), "ms")
    goals.tell("  the same, p95", round(p95), "ms", "1000 ms", p95 <= 1000)
    context.close()


def memory_of_page(session):
    session.send("HeapProfiler.collectGarbage")
    values = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return values["JSHeapUsedSize"] / 1e6


def phones(browser, studio, goals, minutes):
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    serve_sources(page)
    page.set_default_timeout(120_000)
    page.goto(f"{studio.address}#phones?at={PEAK}")
    page.wait_for_selector("#phones button.primary:not([disabled])")
    session = context.new_cdp_session(page)
    session.send("Performance.enable")

    def press_play():
        page.click("#phones button.primary")

    # The canvas under more load than any day causes: 5,000 dots, and a fifth of them change in each frame.
    made = page.evaluate(
        """() => new Promise((resolve) => {
          const { dots } = freshetStudio.views.phones;
          const changes = [];
          for (let ride = 1e6; dots.count + changes.length / 4 < 5000; ride += 1) changes.push(ride, ride % 4, ride % 3, 1);
          dots.apply(changes);
          const rides = [...dots.places.keys()];
          const times = [];
          let frame = 0;
          const next = (time) => {
            times.push(time);
            frame += 1;
            const some = rides.filter((ride) => ride % 5 === frame % 5).flatMap((ride) => [ride, (ride + frame) % 4, frame % 4, 1]);
            dots.apply(some);
            dots.draw();
            if (times.length < 240) requestAnimationFrame(next);
            else resolve({ count: dots.count, rate: (times.length - 1) / ((times.at(-1) - times[0]) / 1000) });
          };
          requestAnimationFrame(next);
        })"""
    )
    goals.tell(f"frames a second, {made['count']:,} dots, a fifth of them changing", round(made["rate"], 1), "/s", "30 /s", made["rate"] >= 30)
    page.evaluate("freshetStudio.views.phones.open(%d * 1e6)" % PEAK)
    page.wait_for_timeout(500)
    page.wait_for_selector("#phones button.primary:not([disabled])")

    page.select_option("#speed", "60")
    press_play()
    page.wait_for_timeout(10_000)
    memory = [(studio.memory(), memory_of_page(session))]
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end:
        page.wait_for_timeout(5_000)
        memory.append((studio.memory(), memory_of_page(session)))
    frames = page.evaluate("freshetStudio.measurements.frames")
    rate = frames["count"] / (frames["milliseconds"] / 1000)
    dots = page.evaluate("freshetStudio.views.phones.dots.count")
    goals.tell(f"frames a second while the day plays at 60×, {dots:,} dots", round(rate, 1), "/s", "30 /s", rate >= 30)
    goals.tell("  frames that had to wait for the server", round(100 * frames["waits"] / frames["count"], 1), "%")
    third = max(1, len(memory) // 3)
    for index, who in enumerate(["server", "page"]):
        first = statistics.median(each[index] for each in memory[:third])
        last = statistics.median(each[index] for each in memory[-third:])
        # A leak would keep growing; a tenth and 5 MB are random variation.
        goals.tell(f"memory of the {who} over {minutes:g} min, first and last third", f"{first:.1f}→{last:.1f}", "MB", "flat", last <= first * 1.1 + 5)
    context.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    goals = Goals()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
    studio = Studio(SCENARIO, [])
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            load(browser, studio, goals)
            sliders(browser, studio, goals)
            phones(browser, studio, goals, options.minutes)
            browser.close()
    finally:
        studio.end()
    sys.exit(1 if options.strict and goals.missed else 0)


if __name__ == "__main__":
    main()
