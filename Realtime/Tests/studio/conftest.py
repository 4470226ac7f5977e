"""A studio, a browser, and pages whose errors fail the test."""

import os
import pathlib
import signal
import socket
import subprocess
import threading

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
# A relative path, as a user types it: the page shows it unchanged.
SCENARIO = pathlib.Path("experiments/apns-outage.yaml")
PICTURES = pathlib.Path(os.environ.get("STUDIO_PICTURES", ROOT / ".build/studio-pictures"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# Few rides in one cell, so that even a debug build answers within seconds.
SMALL = ["rides.scale=0.02", "cells=1"]


def serve_sources(page):
    """Serves the page's files from the folders of STUDIO_PAGE, so that a change of the page needs no build."""
    if "STUDIO_PAGE" in os.environ:
        page.route(lambda url: "/api/" not in url, from_sources)


TYPES = {"js": "text/javascript", "css": "text/css"}


def from_sources(route):
    name = route.request.url.split("?")[0].split("/")[-1] or "studio.html"
    for folder in os.environ["STUDIO_PAGE"].split(":"):
        file = pathlib.Path(folder) / name
        if file.exists():
            kind = TYPES.get(name.split(".")[-1], "text/html")
            route.fulfill(body=file.read_bytes(), content_type=f"{kind}; charset=utf-8")
            return
    route.continue_()


class Studio:
    """The program and the address that it prints."""

    def __init__(self, scenario=SCENARIO, settings=SMALL, port=0):
        command = [os.environ["STUDIO"], str(scenario), "--no-open", "--port", str(port)]
        for setting in settings:
            command += ["--set", setting]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address

    @property
    def port(self):
        return int(self.address.split(":")[2].split("/")[0])

    def memory(self):
        """Resident memory in MB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise AssertionError("no VmRSS")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=20)


class Relay:
    """A proxy that can cut connections to a program while the program continues."""

    def __init__(self, port):
        self.port, self.pairs, self.isOpen = port, [], True
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            if not self.isOpen:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.port))
            self.pairs.append((near, far))
            for one, other in [(near, far), (far, near)]:
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        finally:
            for each in (one, other):
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def cut(self):
        for pair in self.pairs:
            for each in pair:
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.pairs = []


@pytest.fixture(scope="session")
def studio():
    studio = Studio()
    yield studio
    studio.end()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # Containers rarely have the user namespaces that Chromium's sandbox needs, and the pages are our own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(studio, browser):
    """Opens a view; an error in the page's log fails the test unless it is expected."""
    contexts, errors = [], []

    def open_page(view="", address=None, expected=(), **options):
        options.setdefault("viewport", {"width": 1300, "height": 1000})
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(int(os.environ.get("STUDIO_TIMEOUT", "60")) * 1000)

        def heard(kind, text):
            if kind == "error" and not any(part in text for part in expected):
                errors.append(text)

        page.on("console", lambda message: heard(message.type, message.text))
        page.on("pageerror", lambda error: heard("error", str(error)))
        serve_sources(page)
        page.goto((address or studio.address) + view)
        # The studio's view and its badge are there once this is gone; other pages have no such element.
        page.wait_for_selector("#loading", state="detached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def answered(page, but=None):
    """Waits until Tune has an answer to another question than a known one; returns the number of its question.

    Two questions may have the same text below their tiles, with the same rides in the same time.
    """
    return page.wait_for_function(
        """but => {
          const ask = globalThis.freshetStudio?.views?.tune.answeredAsk;
          return /replications/.test(document.querySelector("#tune .state")?.textContent) && ask !== but && ask;
        }""",
        arg=but,
    ).json_value()


def settled(page):
    """Waits for the final answer to the last request of Tune."""
    page.wait_for_function("() => /done\\.$/.test(document.querySelector('#tune .state')?.textContent)", timeout=120_000)


def address(page):
    """Returns the page's address as the page itself knows it: `page.url` follows a change by script only later."""
    return page.evaluate("location.href")


def field(page, path):
    return page.locator(f"#tune .key[data-path='{path}']")
