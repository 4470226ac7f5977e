"""The page as a whole: lost connections, two tabs, a slow machine, the keyboard, axe, narrow and dark."""

import os
import re
import subprocess
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import PICTURES, ROOT, SCENARIO, Relay, Studio, answered, field, settled

VIEWS = {
    "tune": "#tune?set=content.ttl%3D3m",
    "tradeoff": "#tradeoff?x=sender.timeout&xfrom=2s&xto=20s&xlevels=3&y=apns.loss&yfrom=0.1%25&yto=10%25&ylevels=3",
    "phones": "#phones",
    "export": "#export?set=content.ttl%3D3m",
}


def ready(page, view):
    if view == "tune":
        answered(page)
        page.wait_for_selector("#tune .chart svg")
        settled(page)
    if view == "tradeoff":
        page.wait_for_function("() => /done\\.$/.test(document.querySelector('#tradeoff .state')?.textContent)", timeout=180_000)
    if view == "phones":
        page.wait_for_selector("#phones button.primary:not([disabled])")
        page.locator("#phones .legend button").first.click()
        page.wait_for_selector(".story .chart svg")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 390])
@pytest.mark.parametrize("view", VIEWS)
def test_pictures_and_axe(open_page, view, width, scheme):
    page = open_page(VIEWS[view], viewport={"width": width, "height": 900}, color_scheme=scheme)
    ready(page, view)
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{view}-{width}-{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    serious = [
        (each["id"], node["target"], node["failureSummary"])
        for each in found if each["impact"] in ("serious", "critical") for node in each["nodes"]
    ]
    assert serious == []


def test_a_lost_connection_is_said_and_the_page_goes_on(studio, open_page):
    relay = Relay(studio.port)
    address = studio.address.replace(str(studio.port), str(relay.listener.getsockname()[1]))
    page = open_page(address=address, expected=("ERR_", "Failed to"))
    before = answered(page)
    relay.isOpen = False
    relay.cut()
    page.wait_for_selector("#banner:not([hidden])")
    assert "trying again" in page.inner_text("#banner")
    assert page.locator("#tune .tile").count() == 7
    # Changes made meanwhile are sent as soon as the connection is back.
    field(page, "content.ttl").locator("input[type=text]").fill("4m")
    page.keyboard.press("Enter")
    page.wait_for_timeout(3500)
    page.wait_for_function("() => document.getElementById('banner').textContent.includes('does not respond')")
    relay.isOpen = True
    page.wait_for_selector("#banner[hidden]", state="attached")
    answered(page, but=before)
    page.wait_for_selector("#tune .tile .verdict")


def test_a_studio_that_is_over_is_said(open_page):
    own = Studio()
    page = open_page(address=own.address, expected=("ERR_", "Failed to"))
    answered(page)
    own.end()
    page.wait_for_function("() => /does not respond/.test(document.getElementById('banner').textContent)", timeout=20_000)
    assert page.locator("#tune .tile").count() == 7
    again = Studio(port=own.port)
    try:
        page.wait_for_function("() => /open the new address that it printed/.test(document.getElementById('banner').textContent)", timeout=20_000)
    finally:
        again.end()


def test_two_tabs_do_not_disturb_each_other(open_page):
    first, second = open_page(), open_page("#tune?set=content.ttl%3D5m")
    before = answered(first)
    answered(second)
    field(first, "content.ttl").locator("input[type=text]").fill("1m")
    first.keyboard.press("Enter")
    answered(first, but=before)
    first.wait_for_selector("#tune .tile .verdict")
    assert field(second, "content.ttl").locator("input[type=text]").input_value() == "5m"
    settled(first)
    settled(second)


def test_of_many_tabs_the_oldest_gives_way_and_says_so(open_page):
    first = open_page()
    answered(first)
    # All pages of one browser share its six connections.
    others = [first.context.new_page() for _ in range(6)]
    for page in others:
        page.goto(first.url)
        answered(page)
    first.wait_for_function("() => /A newer page replaced this one/.test(document.getElementById('banner').textContent)")
    newest = others[-1]
    before = answered(newest)
    field(newest, "content.ttl").locator("input[type=text]").fill("1m")
    newest.keyboard.press("Enter")
    answered(newest, but=before)


def test_a_slow_machine(open_page):
    page = open_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
    before = answered(page)
    slider = field(page, "content.ttl").locator("input[type=range]")
    slider.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    answered(page, but=before)
    page.wait_for_function("() => freshetStudio.measurements.answers.length > 0")
    settled(page)
    page.goto(page.url.split("#")[0] + "#phones")
    page.wait_for_selector("#phones button.primary:not([disabled])")
    page.click("#phones button.primary")
    page.wait_for_timeout(2000)
    assert page.evaluate("freshetStudio.measurements.frames.count") > 20


def test_the_keyboard_alone_suffices(open_page):
    page = open_page()
    answered(page)
    seen = []
    for _ in range(14):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", seen[-1]
    tabs = [f"tab-{name}" for name in ["tune", "tradeoff", "capacity", "phones", "export"]]
    assert seen[:7] == ["Skip to the view", *tabs, "key-content-ttl"]
    page.locator("#tab-export").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#export:not([hidden])")
    assert page.locator("#tab-export").get_attribute("aria-current") == "page"


def test_back_and_forward_restore_views_and_settings(open_page):
    page = open_page("#tune?set=content.ttl%3D3m")
    answered(page)
    page.click("#tab-export")
    page.wait_for_selector("#export:not([hidden])")
    assert "ttl: 3m" in page.inner_text("#export-yaml")
    page.go_back()
    page.wait_for_selector("#tune:not([hidden])")
    assert field(page, "content.ttl").locator("input[type=text]").input_value() == "3m"


def test_nothing_is_loaded_from_elsewhere(open_page, studio):
    page = open_page("#phones")
    page.wait_for_selector("#phones button.primary:not([disabled])")
    asked = page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    assert asked and all(name.startswith((studio.address, "data:", "blob:")) for name in asked)


def test_what_opens_the_browser_is_not_waited_for(tmp_path):
    opener = tmp_path / "xdg-open"
    opener.write_text("#!/bin/sh\nexec sleep 60\n")
    opener.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "DISPLAY": ":99"}
    process = subprocess.Popen([os.environ["STUDIO"], str(SCENARIO)] + ["--port", "0"], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
    try:
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(address, timeout=5) as answer:
            assert answer.status == 200
    finally:
        process.terminate()
        process.wait(timeout=20)


CHANGED = "?base=content.ttl%3D3m&set=apns.loss%3D2%25"


def test_a_badge_on_every_view_says_what_is_changed(open_page):
    page = open_page(f"#tune{CHANGED}")
    for view in ["tune", "tradeoff", "phones", "export"]:
        page.click(f"#tab-{view}")
        page.wait_for_selector(f"#{view}:not([hidden])")
        assert page.inner_text("#badge").strip() == (
            "Base: content.ttl = 3m (file 2m). Changed: apns.loss = 2 % (base 0.1 %)."
        ), view
    page.click("#tab-phones")
    page.select_option("#world", "base")
    assert page.inner_text("#badge").endswith("This view shows the base.")
    page.click("#tab-tune")
    page.get_by_role("button", name="Reset all").click()
    assert page.inner_text("#badge").strip() == "Base: content.ttl = 3m (file 2m)."


def test_without_changes_there_is_no_badge(open_page):
    page = open_page("#phones")
    page.wait_for_selector("#phones:not([hidden])")
    assert page.locator("#badge").is_hidden()
    page.click("#tab-tune")
    page.get_by_role("button", name="Add an outage").click()
    said = page.inner_text("#badge")
    assert re.fullmatch(r"Changed: outages = APNs silent at 18:00 for 10m, .* at 19:00 for 10m \(base APNs silent at 18:00 for 10m\)\. ?", said), said


def test_a_long_list_of_changes_is_cut(open_page):
    page = open_page("#export?set=content.ttl%3D3m&set=apns.loss%3D2%25&set=sender.timeout%3D5s&set=sender.connections%3D3&set=apns.reorder%3Dfalse")
    assert page.inner_text("#badge").strip().endswith("; and 2 more.")


def test_a_grid_says_which_change_it_replaces(open_page):
    page = open_page(f"#tradeoff?set=apns.loss%3D2%25&{VIEWS['tradeoff'].split('?')[1]}")
    page.wait_for_function("() => /The grid varies apns\\.loss\\./.test(document.getElementById('badge').textContent)")
