"""A trace of 40,000 rides: a first answer from some of them, then the answer from all; progress, stop and continue."""

import random
import re

import pytest

from conftest import ROOT, Studio, answered, field, settled

RIDES = 40_000


def moment(second):
    return f"2026-07-15 {second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


@pytest.fixture(scope="module")
def own_city(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own-city")
    rows = ["status,request_time,driver_arrived_time,pickup_time,dropoff_time"]
    rng = random.Random(7)
    for request in sorted(rng.randrange(80_000) for _ in range(RIDES)):
        arrival = request + rng.randrange(60, 600)
        pickup = arrival + rng.randrange(10, 120)
        rows.append(f"completed,{moment(request)},{moment(arrival)},{moment(pickup)},{moment(pickup + rng.randrange(300, 1800))}")
    (folder / "rides.csv").write_text("\n".join(rows) + "\n")
    (folder / "own-city.yaml").write_text(
        f"extends: {ROOT}/experiments/trace-replay.yaml\nname: own-city\nrides: {{trace: {{file: rides.csv, provider: off}}}}\n"
    )
    studio = Studio(folder / "own-city.yaml", settings=[])
    yield studio
    studio.end()


BAR = "#tune .work:not([hidden])"


def test_the_first_answer_is_from_some_rides_and_all_rides_follow(own_city, open_page):
    page = open_page("#tune?set=apns.loss%3D2%25", address=own_city.address)
    answered(page)
    first = page.inner_text("#tune .state")
    part = int(re.search(r"^\d+ preview replications from 1 in (\d+) rides: [\d,]+ rides, ([\d.]+) s", first)[1])
    assert 20 < part < 200, first
    # The work of the first answer, without the time to open the page; a release build needs a fifth of it.
    assert float(re.search(r"rides, ([\d.]+) s", first)[1]) < 5, first
    page.wait_for_function("() => /now all rides …$/.test(document.querySelector('#tune .state').textContent)")
    assert "Preview scale" in page.inner_text("#tune .note")
    page.wait_for_selector(f"{BAR} progress[value]")
    assert re.fullmatch(r"\d+ %", page.inner_text("#tune .percent"))
    settled(page)
    said = page.inner_text("#tune .state")
    assert re.match(rf"4 replications of all rides: {4 * RIDES:,} rides, ", said), said
    assert page.locator("#tune .note:visible").count() == 0 and page.locator(BAR).count() == 0
    assert page.locator("#tune .tile .tile-label").last.inner_text() == "cards left until Apple's limit, per replication"


def test_stop_keeps_the_answer_and_continue_goes_on(own_city, open_page):
    page = open_page("#tune?set=apns.loss%3D3%25", address=own_city.address)
    page.wait_for_function("() => /now all rides …$/.test(document.querySelector('#tune .state').textContent)")
    page.click(f"{BAR} button")
    said = page.inner_text("#tune .state")
    assert re.search(r"from 1 in \d+ rides: .*; stopped\.$", said), said
    assert page.locator("#tune .tile").count() == 7
    page.wait_for_timeout(1500)
    assert page.inner_text("#tune .state") == said, "nothing comes after a stop"
    # Another view and back: still stopped.
    page.click("#tab-export")
    page.click("#tab-tune")
    page.wait_for_timeout(500)
    assert page.inner_text("#tune .state") == said
    page.get_by_role("button", name="Continue").click()
    settled(page)
    assert "of all rides" in page.inner_text("#tune .state")


def test_a_stop_before_the_first_answer_says_so(own_city, open_page):
    # Settings that no other test has, so that no replication is known yet.
    page = open_page("#tune?town=1000&base=sender.timeout%3D9s", address=own_city.address)
    page.wait_for_selector(BAR)
    page.click(f"{BAR} button")
    assert page.inner_text("#tune .state").startswith("Stopped before the first answer.")


def test_a_grid_over_a_trace_has_progress_and_stops(own_city, open_page):
    page = open_page(
        "#tradeoff?x=apns.loss&xfrom=0.1%25&xto=10%25&xlevels=5&y=sender.timeout&yfrom=2s&yto=20s&ylevels=5&town=4",
        address=own_city.address,
    )
    page.wait_for_selector("#tradeoff .work:not([hidden]) progress[value]")
    page.click("#tradeoff .work button")
    said = page.inner_text("#tradeoff .state")
    assert re.match(r"(\d+ of 25 points|25 points, \d replications each from 1 in \d+ rides); stopped\.$", said), said
    page.wait_for_timeout(1000)
    assert page.inner_text("#tradeoff .state") == said
    page.locator("#tradeoff .work button").click()
    page.wait_for_function("() => /done\\.$/.test(document.querySelector('#tradeoff .state').textContent)", timeout=300_000)


def test_opening_a_day_has_progress_and_stops(own_city, open_page):
    page = open_page("#phones?at=79000", address=own_city.address, expected=("409",))
    # At once, because a release build opens the day in less than a second.
    page.wait_for_function("""() => {
        const work = document.querySelector("#phones .work:not([hidden])");
        if (work?.querySelector("progress[value]")) work.querySelector("button").click();
        return Boolean(work?.querySelector("progress[value]"));
    }""")
    page.wait_for_function("() => /^Stopped on the way to 21:56\\.$/.test(document.querySelector('#phones .state').textContent)")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_selector("#phones button.primary:not([disabled])")


def test_a_changed_setting_replaces_the_work(own_city, open_page):
    page = open_page("#tune", address=own_city.address)
    before = answered(page)
    field(page, "apns.loss").locator("input[type=text]").fill("5%")
    page.keyboard.press("Enter")
    answered(page, but=before)
    page.wait_for_selector("#tune .tile .verdict")
