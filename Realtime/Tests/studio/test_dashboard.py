"""The page of a load, during and after the run: the real program, a stand-in, and a browser."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import PICTURES, ROOT, Relay

PROGRAMS = pathlib.Path(os.environ["STUDIO"]).parent


class Load:
    """A load or a monitor with a page, and the printed address."""

    def __init__(self, arguments, folder, program="load"):
        self.errors = folder / f"errors-{program}"
        with open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                [str(PROGRAMS / f"freshet-{program}"), *map(str, arguments), "--dashboard", "0"],
                stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder,
            )
        self.address = self.said("dashboard: ").split("dashboard: ")[1].split()[0]

    def said(self, text):
        for _ in range(600):
            heard = self.errors.read_text()
            if text in heard and heard.endswith("\n"):
                return heard
            assert self.process.poll() is None, heard
            time.sleep(0.05)
        raise AssertionError(self.errors.read_text())

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=20)


@pytest.fixture
def stand_in_process(tmp_path, request):
    """A stand-in for APNs, by default without a scenario, and its ready file."""
    ready = tmp_path / "apns.json"
    process = subprocess.Popen(
        [str(PROGRAMS / "freshet-apns"), *getattr(request, "param", []), "--port", "0", "--ready-file", ready, "--lifetime", "10m"],
        cwd=tmp_path, stderr=subprocess.DEVNULL,
    )
    for _ in range(600):
        if ready.exists():
            break
        time.sleep(0.05)
    yield process, ready
    process.terminate()
    process.wait(timeout=20)


@pytest.fixture
def stand_in(stand_in_process):
    return stand_in_process[1]


@pytest.fixture
def start(tmp_path):
    loads = []

    def start(*arguments, **options):
        loads.append(Load(arguments, tmp_path, **options))
        return loads[-1]

    yield start
    for load in loads:
        load.end()


def pushes(ready, duration="10m", rate="200/s"):
    return [
        "apns", "--ready-file", ready, "--rate", rate, "--duration", duration,
        "--threshold", "request_latency_us.p99 < 5s", "--threshold", "apns_response_count{reason:BadDeviceToken} > 1",
    ]


def measured(page):
    """Waits for numbers and the chart of the rate."""
    page.wait_for_selector("#tiles .tile")
    page.wait_for_selector("[data-chart=rate] svg")


def serious(page):
    found = Axe().run(page).response["violations"]
    return [
        (each["id"], node["target"], node["failureSummary"])
        for each in found if each["impact"] in ("serious", "critical") for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 390])
def test_pictures_and_axe(start, stand_in, open_page, width, scheme):
    load = start(*pushes(stand_in), "--output", "out")
    page = open_page(address=load.address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    measured(page)
    time.sleep(3)
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"dashboard-{width}-{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert serious(page) == []
    # After an early end the same page becomes the report and says that the load ended early.
    load.process.send_signal(signal.SIGINT)
    page.wait_for_selector("#report h2")
    assert "Ended early by Ctrl-C after" in page.inner_text("#report .verdict.bad")
    assert load.process.wait(timeout=30) == 130
    assert json.loads((load.errors.parent / "out/run.json").read_text())["ended_early"]["signal"] == "SIGINT"
    # The page no longer needs the program: charts are drawn as they come into view.
    for figure in page.query_selector_all("figure.chart"):
        figure.scroll_into_view_if_needed()
        page.wait_for_function("figure => figure.querySelector('.chart-frame svg') !== null", arg=figure)
    page.screenshot(path=PICTURES / f"dashboard-report-{width}-{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert serious(page) == []


@pytest.mark.parametrize("stand_in_process", [[ROOT / "experiments/apns-outage.yaml"]], indirect=True)
def test_the_load_of_the_tour(start, stand_in, open_page):
    load = start(
        "apns", "--ready-file", stand_in, "--rate", "300/s", "--duration", "30s",
        "--threshold", "request_latency_us.p99 < 5s", "--threshold", "errors_ratio < 1%", "--output", "out",
    )
    page = open_page(address=load.address, viewport={"width": 1200, "height": 860})
    measured(page)
    page.wait_for_function("() => /^2[5-8] s of 30 s/.test(document.querySelector('#state').textContent)")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / "tour-load.png")


def test_numbers_follow_the_load(start, stand_in, open_page):
    load = start(*pushes(stand_in))
    page = open_page(address=load.address)
    measured(page)
    page.wait_for_function("() => /\\d+ (s|min).* of 10 min .* left$/.test(document.querySelector('#state').textContent)")
    before = page.inner_text("#state")
    page.wait_for_function("before => document.querySelector('#state').textContent !== before", arg=before)
    assert 0 < page.evaluate("document.querySelector('#share').value / document.querySelector('#share').max") < 0.5
    tiles = dict(zip(page.locator("#tiles .label").all_inner_texts(), page.locator("#tiles .value").all_inner_texts()))
    assert tiles["accepted"] == "100.00 %"
    assert 100 < int(tiles["requests answered"].split("/")[0]) < 300
    assert "200/s requested; in the last second" in page.inner_text("#tiles")
    # Among the first few answers there is no 1 in 100 yet.
    page.wait_for_function("() => document.querySelector('#checks').innerText.includes('✓ passed')")
    verdicts = page.locator("#checks tbody tr").all_inner_texts()
    assert "✓ passed" in verdicts[0] and "✗ failed" in verdicts[1]
    assert "status 200" in page.inner_text("#outcomes")
    # A chart is updated in place, so the element under the pointer stays where it is.
    page.evaluate("document.querySelector('[data-chart=rate] svg').dataset.mark = 'kept'")
    page.wait_for_function("before => document.querySelector('#state').textContent !== before", arg=page.inner_text("#state"))
    assert page.evaluate("document.querySelector('[data-chart=rate] svg').dataset.mark") == "kept"


def test_a_program_that_hangs_does_not_look_alive(start, stand_in, open_page):
    load = start(*pushes(stand_in))
    page = open_page(address=load.address)
    measured(page)
    colour = "getComputedStyle(document.querySelector('#tiles .value')).color"
    before = page.evaluate(colour)
    load.process.send_signal(signal.SIGSTOP)
    try:
        page.wait_for_function(
            "() => /^Last message \\d+ s ago: .* of 10 min .* left$/.test(document.querySelector('#state').textContent)"
        )
        assert page.evaluate(colour) != before
        assert serious(page) == []
    finally:
        load.process.send_signal(signal.SIGCONT)
    page.wait_for_function("() => /^\\d.* left$/.test(document.querySelector('#state').textContent)")
    assert page.evaluate(colour) == before


def test_an_endpoint_that_hangs_leaves_thresholds_open(start, stand_in_process, open_page):
    endpoint, ready = stand_in_process
    load = start(*pushes(ready, rate="500/s"))
    page = open_page(address=load.address)
    measured(page)
    page.wait_for_function("() => document.querySelector('#checks').innerText.includes('✓ passed')")
    endpoint.send_signal(signal.SIGSTOP)
    try:
        page.wait_for_function("() => /· undecided: .* requests have no answer yet/.test(document.querySelector('#checks').innerText)")
        assert "requests have no answer yet" in page.inner_text("#tiles")
    finally:
        endpoint.send_signal(signal.SIGCONT)


def test_it_becomes_the_report(start, stand_in, open_page):
    load = start(*pushes(stand_in, duration="4s"), "--output", "out", "--format", "json")
    page = open_page(address=load.address)
    page.wait_for_selector("#report h2")
    # One of the two thresholds fails.
    assert load.process.wait(timeout=30) == 99
    # Only JSON goes to standard output.
    assert json.loads(load.process.stdout.read())["apns_response_count{status:200}.total"] == 800
    text = page.inner_text("#report")
    assert "Thresholds" in text and "failed" in text and "Ended early" not in text
    assert "The load is over: this is its report" in page.inner_text("#banner")
    assert f"Its results are in {load.errors.parent / 'out'}." in page.inner_text("#banner")
    # Two rates with different names: over all answers, and over the time in which requests were scheduled.
    assert "answered per second during the load" in text
    assert page.query_selector("#live") is None
    # The page sends no request to a program that has ended.
    time.sleep(2)
    assert "The load is over" in page.inner_text("#banner")


def test_before_the_first_numbers(start, open_page):
    # A port that never responds: the load waits for its connections.
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    load = start("apns", "--endpoint", f"https://127.0.0.1:{port}", "--insecure-skip-verify")
    page = open_page(address=load.address, expected=["ERR_", "Failed to load resource"])
    page.wait_for_selector("#empty")
    assert "Nothing has been measured yet" in page.inner_text("#empty")
    assert page.inner_text("#name") == "load apns"
    assert serious(page) == []
    # It ends without a report; the page says that the program does not respond.
    load.process.send_signal(signal.SIGINT)
    assert load.process.wait(timeout=30) == 130
    page.wait_for_function("() => /trying again|does not respond/.test(document.querySelector('#banner').textContent)")
    silent.close()


def test_the_keyboard_suffices(start, stand_in, open_page):
    load = start(*pushes(stand_in))
    page = open_page(address=load.address)
    measured(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    seen = set()
    for _ in range(6):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.getAttribute('aria-labelledby')"))
    assert {"checks-title", "outcomes-title", "settings-title"} <= seen


def test_a_connection_that_is_cut_comes_back(start, stand_in, open_page):
    load = start(*pushes(stand_in))
    relay = Relay(int(load.address.split(":")[2].split("/")[0]))
    page = open_page(
        address=load.address.replace(load.address.split(":")[2].split("/")[0], str(relay.listener.getsockname()[1])),
        expected=["ERR_", "Failed to load resource"],
    )
    measured(page)
    relay.isOpen = False
    relay.cut()
    page.wait_for_function("() => /Connection lost|does not respond/.test(document.querySelector('#banner').textContent)")
    before = page.inner_text("#state")
    relay.isOpen = True
    page.wait_for_function("() => document.querySelector('#banner').hidden")
    page.wait_for_function("before => document.querySelector('#state').textContent !== before", arg=before)


def test_two_pages_and_one_that_is_closed(start, stand_in, open_page):
    # Long enough for a slow machine to draw both pages before the load is over.
    load = start(*pushes(stand_in, duration="15s"), "--quiet")
    first, second = open_page(address=load.address), open_page(address=load.address)
    measured(first)
    measured(second)
    second.close()
    first.wait_for_selector("#report h2")
    assert "It is not kept in files" in first.inner_text("#banner")
    assert load.process.wait(timeout=30) == 99


def test_the_address_needs_its_secret(start, stand_in):
    load = start(*pushes(stand_in))
    port = load.address.split(":")[2].split("/")[0]

    def status(path, host=f"127.0.0.1:{port}"):
        with socket.create_connection(("127.0.0.1", int(port))) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            return int(line.recv(1000).split()[1])

    secret = load.address.split("/")[3]
    assert status(f"/{secret}/") == 200
    assert status("/") == 404 and status("/api/events") == 404
    assert status(f"/{secret}/", host=f"evil.example:{port}") == 421
    assert status(f"/{secret}/api/report") == 404


# An outage in the first minute of the wall clock.
EARLY = "faults=[{kind: apns_silent, at: 3m, duration: 5m}]"


@pytest.mark.parametrize("arguments", [
    ["scenario", ROOT / "experiments/live-outage.yaml", "--speed", "20", "--in-process", "--set", "rides.scale=0.2", "--set", EARLY, "--output", "out"],
    ["monitor", ROOT / "experiments/live-outage.yaml", "--speed", "20", "--set", "rides.scale=0.2", "--set", EARLY, "--output", "out"],
])
def test_other_loads(start, open_page, arguments):
    load = start(*arguments)
    page = open_page(address=load.address)
    measured(page)
    time.sleep(4)
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"dashboard-{arguments[0]}.png", full_page=True)
    labels = page.locator("#tiles .label").all_inner_texts()
    assert "fresh on phones now" in labels
    page.wait_for_selector("[data-chart='freshness-now'] svg")
    # The scenario's faults are marked at their times, in the scenario's time and by the wall clock.
    for chart in ["freshness-now", "rate"] + (["latency"] if arguments[0] == "monitor" else []):
        page.wait_for_function(
            "name => document.querySelector(`[data-chart='${name}'] svg`)?.textContent.includes('APNs silent')",
            arg=chart,
        )
    if arguments[0] == "scenario":
        assert "believed fresh now" in labels
    assert serious(page) == []
    load.process.send_signal(signal.SIGINT)
    page.wait_for_selector("#report h2")
    assert load.process.wait(timeout=60) == 130
    assert "Ended early by Ctrl-C" in page.inner_text("#report")


def test_a_monitor_and_a_load_on_it(start, stand_in, open_page, tmp_path):
    ready = json.loads(stand_in.read_text())
    (tmp_path / "secret.txt").write_text("a-secret-of-some-length")
    monitor = start(
        "--registry", "tokens.sqlite", "--apns", f"https://localhost:{ready['port']}", "--ca", ready["ca"],
        "--key", ready["key"], "--key-id", ready["kid"], "--team-id", ready["team"],
        "--topic", "com.example.rides.push-type.liveactivity", "--bearer-token-file", "secret.txt", "--port", "0",
        program="monitor",
    )
    port = monitor.said("monitor: ").split("localhost:")[1].split()[0]
    load = start(
        "monitor", "--monitor", f"http://localhost:{port}", "--bearer-token-file", "secret.txt", "--rate", "50/s",
        "--duration", "10m", "--instances", "20",
    )
    seen, asked = open_page(address=monitor.address), open_page(address=load.address)
    measured(seen)
    measured(asked)
    asked.wait_for_selector("[data-chart=latency] svg")
    seen.wait_for_function("() => /^of [1-9]/.test([...document.querySelectorAll('#tiles .tile')].find((tile) => tile.textContent.includes('believed fresh now'))?.querySelector('.interval').textContent)")
    assert "sent, not answered yet" in asked.inner_text("#tiles")
    assert "failed_requests <= 0" in asked.inner_text("#checks")
    assert seen.inner_text("#state").startswith("Running for ")
    assert "status 200" in seen.inner_text("#outcomes")
    assert not seen.is_visible("#share")
    assert serious(seen) == []
    seen.screenshot(path=PICTURES / "dashboard-of-monitor.png", full_page=True)
    asked.screenshot(path=PICTURES / "dashboard-monitor-rate.png", full_page=True)
    load.process.send_signal(signal.SIGINT)
    asked.wait_for_selector("#report h2")
    assert load.process.wait(timeout=30) == 130
    # The monitor's page says when the service has ended.
    monitor.process.send_signal(signal.SIGINT)
    seen.wait_for_selector("#report h2")
    assert monitor.process.wait(timeout=60) == 130


def test_a_port_in_use_is_a_sentence(start, stand_in):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = subprocess.run(
            [str(PROGRAMS / "freshet-load"), *map(str, pushes(stand_in)), f"--dashboard={port}"],
            capture_output=True, text=True, timeout=60,
        )
    assert outcome.returncode == 75
    assert f"port {port} of 127.0.0.1 is in use; choose another one: --dashboard NUMBER" in outcome.stderr
