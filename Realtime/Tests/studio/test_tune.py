"""Tune: each control, wrong values, outages by mouse and keyboard."""

import re

import pytest

from conftest import ROOT, Studio, address, answered, field, settled

EXPECTED = ("422", "400")


def test_first_answer_shows_the_headline_tiles_and_the_day(open_page):
    page = open_page()
    answered(page)
    assert page.locator("#tune .tile").count() == 7
    page.wait_for_selector("#tune .chart svg")


def test_three_tiles_add_up_to_all_ride_time(open_page):
    page = open_page()
    answered(page)
    tiles = page.locator("#tune .tile").all_inner_texts()[:3]
    assert [tile.split(",")[0] for tile in tiles] == ["fresh card", "stale card", "no card"]
    assert sum(int(re.search(r"(\d+)\.(\d\d) %", tile).expand(r"\1\2")) for tile in tiles) == 10_000, tiles
    assert page.locator("#tune .tile .tile-label").last.inner_text() == "cards left until Apple's limit, per replication of the preview"


def test_a_changed_world_with_few_rides_is_said_to_be_small(open_page):
    page = open_page("#tune?set=rides.scale%3D0.005")
    answered(page)
    said = page.inner_text("#tune .note")
    assert re.search(r"The changed world has \d+ % of the base's rides, \d+ in all", said), said


def test_no_maximum_is_a_number_that_none_can_read(open_page):
    page = open_page()
    answered(page)
    for word in ["rides", "seed", "sender", "apns", "monitor"]:
        page.fill("#key-search", word)
        said = page.locator("#tune .found").inner_text()
        assert not re.search(r" to \d{7,}", said), said


def test_a_field_changes_the_world_and_reset_takes_it_back(open_page):
    page = open_page()
    before = answered(page)
    ttl = field(page, "content.ttl")
    ttl.locator("input[type=text]").fill("3m")
    page.keyboard.press("Enter")
    answered(page, but=before)
    page.wait_for_selector("#tune .tile .verdict")
    assert "set=content.ttl%3D3m" in address(page)
    assert "base 2m" in ttl.inner_text()
    ttl.get_by_role("button", name="Reset content.ttl").click()
    page.wait_for_function("() => document.querySelectorAll('#tune .tile .verdict').length === 0")
    assert "content.ttl" not in address(page)
    assert ttl.locator("input[type=text]").input_value() == "2m"


def test_a_file_that_is_saved_meanwhile_changes_neither_world_and_the_page_says_so(open_page, tmp_path):
    file = tmp_path / "town.yaml"
    file.write_text(f"extends: {ROOT}/experiments/apns-outage.yaml\nname: town\ncontent: {{ttl: 2m}}\n")
    studio = Studio(file)
    try:
        page = open_page(address=studio.address)
        before = answered(page)
        settled(page)
        fresh = page.locator("#tune .tile strong").first.inner_text()
        file.write_text("foo: [")
        field(page, "sender.connections").locator("input[type=text]").fill("3")
        page.keyboard.press("Enter")
        answered(page, but=before)
        assert "has been saved since the studio was started" in page.inner_text("header")
        assert field(page, "content.ttl").locator("input[type=text]").input_value() == "2m"
        assert page.locator(".problem:visible").count() == 0
        # The base is unchanged: without the change the first answer appears again.
        field(page, "sender.connections").get_by_role("button", name="Reset sender.connections").click()
        page.wait_for_function("() => document.querySelectorAll('#tune .tile .verdict').length === 0")
        settled(page)
        again = page.locator("#tune .tile strong").first.inner_text()
        assert abs(float(again.split()[0]) - float(fresh.split()[0])) < 1, (again, fresh)
        page.close()
    finally:
        studio.end()


def test_a_key_that_the_studio_chooses_is_no_setting_of_a_page(open_page):
    page = open_page("#tune?set=cells%3D2", expected=EXPECTED)
    page.wait_for_selector("text=can only be set when the studio is started")


def test_an_outage_alone_is_no_other_basis(open_page):
    page = open_page()
    before = answered(page)
    page.get_by_role("button", name="Add an outage").click()
    answered(page, but=before)
    page.wait_for_selector("#tune .tile .verdict")
    settled(page)
    verdicts = page.locator("#tune .tile .verdict").all_inner_texts()
    assert not any("counts" in text for text in verdicts), verdicts


def test_a_slider_moves_by_keyboard_and_says_its_value(open_page):
    page = open_page()
    answered(page)
    slider = field(page, "sender.connections").locator("input[type=range]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "3"
    page.wait_for_function("() => location.hash.includes('sender.connections%3D3')")
    page.wait_for_function("() => freshetStudio.measurements.answers.length === 1")


def test_while_one_drags_the_page_asks_at_most_every_150_ms(open_page):
    page = open_page()
    answered(page)
    asked = []
    page.on("request", lambda request: asked.append(request) if request.url.endswith("api/compare") else None)
    box = field(page, "content.ttl").locator("input[type=range]").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for step in range(40):
        page.mouse.move(box["x"] + box["width"] * (0.3 + step / 100), middle)
        page.wait_for_timeout(15)
    before_release = len(asked)
    page.mouse.up()
    settled(page)
    times = page.evaluate("performance.getEntriesByType('resource').filter(e => e.name.endsWith('compare')).map(e => e.startTime)")
    assert 2 <= before_release <= 20
    gaps = [later - earlier for earlier, later in zip(times[1:-1], times[2:-1])]
    assert all(gap >= 130 for gap in gaps), gaps


def test_a_wrong_value_says_what_is_allowed_there_and_the_answer_stays(open_page):
    page = open_page(expected=EXPECTED)
    answered(page)
    tiles = page.locator("#tune .tiles").inner_text()
    for path, value, allowed in [
        ("content.ttl", "3x", "250ms, 30s, 2m or 1h30m"),
        ("sender.connections", "0", "from 1 to 10 million"),
        ("apns.loss", "120%", "0 to 1, or 0% to 100%"),
        ("monitor.retry.max_attempts", "-1", "unlimited"),
    ]:
        row = field(page, path)
        row.locator("input[type=text]").fill(value)
        page.keyboard.press("Enter")
        message = row.locator(".problem")
        message.wait_for()
        assert allowed in message.inner_text() and path in message.inner_text()
        assert row.locator("input[type=text]").get_attribute("aria-invalid") == "true"
        row.get_by_role("button", name=f"Reset {path}").click()
        assert message.is_hidden()
    assert page.locator("#tune .tile").count() == 7 and tiles


def test_what_only_the_server_knows_to_be_wrong_is_said_at_its_field(open_page):
    page = open_page(expected=EXPECTED)
    answered(page)
    page.fill("#tune .search input", "rides.stages.3.refresh")
    page.locator("#tune .found button").first.click()
    row = field(page, "rides.stages.3.refresh")
    row.locator("input[type=text]").fill("{lognormal: {median: -1s, p95: 2s}}")
    page.keyboard.press("Enter")
    row.locator(".problem:not([hidden])").wait_for()
    assert "rides.stages.3.refresh" in row.locator(".problem").inner_text()
    assert page.locator("#tune .tile").count() == 7
    assert "last valid" in page.inner_text("#tune .state")


def test_any_other_key_is_found_by_a_word_of_its_meaning(open_page):
    page = open_page()
    page.fill("#tune .search input", "throttl OR nothing")
    assert "No key" in page.inner_text("#tune .search")
    page.fill("#tune .search input", "overtake")
    found = page.locator("#tune .found button")
    assert "apns.reorder" in found.first.inner_text()
    found.first.click()
    choice = field(page, "apns.reorder").locator("select")
    before = answered(page)
    choice.select_option("false")
    answered(page, but=before)
    assert "apns.reorder%3Dfalse" in address(page)


def test_a_key_is_found_by_the_name_of_its_stage(open_page):
    page = open_page()
    for text in ["on_trip refresh", "on trip refresh"]:
        page.fill("#tune .search input", text)
        first = page.locator("#tune .found button").first
        assert first.inner_text().startswith("rides.stages.3.refresh (on_trip)"), first.inner_text()
        assert first.get_attribute("data-path") == "rides.stages.3.refresh"
    first.click()
    row = field(page, "rides.stages.3.refresh")
    assert row.locator("label").inner_text() == "rides.stages.3.refresh (on_trip)"
    page.fill("#tune .search input", "trip")
    found = page.locator("#tune .found strong").all_inner_texts()
    assert len(found) >= 4 and all("(on_trip)" in text for text in found[:4]), found


def test_the_changed_world_becomes_the_base(open_page):
    page = open_page("#tune?set=content.ttl%3D3m")
    answered(page)
    page.get_by_role("button", name="Make this the base").click()
    page.wait_for_function("() => location.hash.includes('base=content.ttl%3D3m')")
    assert "set=" not in address(page)
    assert field(page, "content.ttl").locator("input[type=text]").input_value() == "3m"
    assert page.get_by_role("button", name="Make this the base").is_disabled()


def test_town_size(open_page):
    page = open_page()
    before = answered(page)
    page.select_option("#town", "4")
    answered(page, but=before)
    assert "town=4" in address(page)


def test_an_outage_is_dragged_moved_resized_and_removed(open_page):
    page = open_page(expected=EXPECTED)
    before = answered(page)
    assert page.locator(".strip .fault").count() == 1
    page.locator(".strip").scroll_into_view_if_needed()
    box = page.locator(".strip").bounding_box()
    y = box["y"] + box["height"] / 2

    def drag(start, end):
        page.mouse.move(box["x"] + start, y)
        page.mouse.down()
        page.mouse.move(box["x"] + (start + end) / 2, y, steps=4)
        page.mouse.move(box["x"] + end, y, steps=4)
        page.mouse.up()

    drag(box["width"] * 0.75, box["width"] * 0.80)
    assert page.locator(".strip .fault").count() == 2
    answered(page, but=before)
    faults = page.evaluate("freshetStudio.changed.get('faults')")
    assert faults.startswith("[{kind: apns_silent, at: 2h, duration: 10m}, {kind: apns_silent, at: 4h3"), faults
    recoveries = page.locator(".recoveries li").all_inner_texts()
    assert len(recoveries) == 3 and recoveries[0].startswith("Base: APNs silent, 18:00 to 18:10: fresh on phones during rides 9"), recoveries
    assert all("at the lowest (" in text and "; back: " in text for text in recoveries), recoveries
    row = page.locator(".fault-row").nth(1)
    assert page.evaluate("document.activeElement.id") == "fault-1-kind"
    page.select_option("#fault-1-kind", "connection_lost")
    assert row.locator("#fault-1-duration").count() == 0
    page.select_option("#fault-1-kind", "apns_slow")
    row.locator("#fault-1-at").fill("21:00")
    page.keyboard.press("Enter")
    row.locator("#fault-1-at").fill("noon")
    page.keyboard.press("Enter")
    assert "a time of the day such as 18:00" in row.locator(".problem:not([hidden])").inner_text()
    row.locator("#fault-1-at").fill("21:00")
    page.keyboard.press("Enter")
    assert "at: 5h, duration: 10m, factor: 10}" in page.evaluate("freshetStudio.changed.get('faults')")

    bar = page.locator(".strip .fault").nth(1)
    bar.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert "at: 5h1m, duration: 11m" in page.evaluate("freshetStudio.changed.get('faults')")
    page.keyboard.press("Delete")
    page.wait_for_function("() => !freshetStudio.changed.has('faults')")
    assert page.locator(".strip .fault").count() == 1


def test_the_base_s_outage_can_be_taken_away(open_page):
    page = open_page()
    before = answered(page)
    page.get_by_role("button", name="Remove outage 1").click()
    answered(page, but=before)
    assert page.evaluate("freshetStudio.changed.get('faults')") == "[]"


def test_a_chart_tells_its_values_where_one_points(open_page):
    page = open_page("#tune?set=content.ttl%3D3m")
    settled(page)
    page.locator("#tune .right .chart").first.scroll_into_view_if_needed()
    tip = page.locator("#vg-tooltip-element.visible")
    # Values are shown at the points that a line connects.
    points = page.locator("#tune .right .chart .mark-line path").first.evaluate("""path => {
        const toScreen = path.getScreenCTM();
        return path.__data__.mark.items.map(({ x, y }) => new DOMPoint(x, y).matrixTransform(toScreen))
          .map(({ x, y }) => [x, y]);
    }""")
    for x, y in points[2:12]:
        page.mouse.move(x - 9, y)
        page.mouse.move(x, y)
        page.wait_for_timeout(100)
        if tip.count():
            break
    assert tip.count() == 1, "the pointer met a point"
    said = tip.inner_text()
    assert "1970" not in said and re.search(r"\b\d\d:\d\d\b", said), said
    assert tip.evaluate("element => getComputedStyle(element).position") == "fixed"
    page.mouse.move(5, 5)
    page.wait_for_function("() => getComputedStyle(document.querySelector('#vg-tooltip-element')).display === 'none'")


def test_what_was_left_while_it_was_refined_is_asked_again(open_page):
    page = open_page("#export")
    # The page itself leaves while it refines: that may take less time than a message from here.
    page.evaluate("""() => {
      const state = document.querySelector("#tune .state");
      new MutationObserver((_, observer) => {
        if (!/refining/.test(state.textContent)) return;
        observer.disconnect();
        location.hash = "#tradeoff?x=sender.timeout&xfrom=2s&xto=4s&xlevels=2&y=monitor.retry.max_attempts&yfrom=0&yto=1&ylevels=2";
      }).observe(state, { childList: true, characterData: true, subtree: true });
      location.hash = "#tune?set=content.ttl%3D3m&town=4";
    }""")
    page.wait_for_function("() => /done\\.$/.test(document.querySelector('#tradeoff .state')?.textContent)", timeout=180_000)
    page.evaluate("location.hash = '#tune?set=content.ttl%3D3m&town=4'")
    settled(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_charts_are_shown_whole(open_page, width):
    page = open_page("#tune?set=content.ttl%3D3m", viewport={"width": width, "height": 900})
    settled(page)
    page.wait_for_function("() => document.querySelectorAll('#tune .right .chart svg').length === 5")
    page.wait_for_function("""() => [...document.querySelectorAll('#tune .right .chart svg')].every((svg) => {
        const room = svg.closest('.chart').getBoundingClientRect();
        return [...svg.querySelectorAll('text')].every((text) => {
          const { left, right, width } = text.getBoundingClientRect();
          return width === 0 || (left >= room.left - 1 && right <= room.right + 1);
        });
      })""")
    # On a phone a cause is above its bar, in letters of full size.
    causes = page.locator("#tune .causes .chart").first
    assert "APNs lost the end" in causes.text_content()
    assert causes.locator("svg").evaluate("svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width") > 0.95


def bars(chart):
    """The bars of a chart: the start of each, its width and height [pixels], and its row."""
    return chart.locator(".mark-rect path").evaluate_all("""paths => paths.map((path) => path.__data__)
        .map(({ x, width, height, datum }) => ({ x, width, height, ...datum }))""")


@pytest.mark.parametrize("view", ["#tune", "#tune?set=content.ttl%3D10m"])
def test_ages_of_two_worlds_stand_under_each_other_on_one_axis(open_page, view):
    page = open_page(view)
    settled(page)
    if "set" not in view:
        assert page.locator("#tune .ages").is_hidden()
        field(page, "content.ttl").locator("input[type=text]").fill("10m")
        page.keyboard.press("Enter")
    page.wait_for_selector("#tune .ages:not([hidden])")
    settled(page)
    said = page.inner_text("#tune .ages")
    span = r"[\d. hmins]+"
    both = f"{span} in the base, {span} in the changed world"
    assert re.search(f"during rides: on average {both}; 95 % of the time younger than {both}", said), said
    assert said.endswith("Unlike freshness, ages mean the same in both worlds."), said
    charts = page.locator("#tune .age .chart")
    page.wait_for_function("() => document.querySelectorAll('#tune .age .chart svg').length === 2")
    drawn = []
    for index, world in enumerate(["In the base", "In the changed world"]):
        chart = charts.nth(index)
        assert chart.locator("xpath=preceding-sibling::p").inner_text() == world
        assert "younger than" in chart.locator(".chart-title").inner_text()
        drawn.append({bar["from"]: (bar["x"], bar["height"] / bar["percent"]) for bar in bars(chart) if bar["percent"] > 0.5})
    both = drawn[0].keys() & drawn[1].keys()
    assert len(both) > 10 and drawn[0] != drawn[1]
    for age in both:
        assert drawn[0][age] == pytest.approx(drawn[1][age], rel=0.02), age
    # Without a change only one chart remains.
    field(page, "content.ttl").get_by_role("button", name="Reset content.ttl").click()
    page.wait_for_selector("#tune .ages", state="hidden")
    assert charts.nth(1).is_hidden()


def test_waterfalls_of_two_worlds_have_one_axis(open_page):
    page = open_page("#tune?set=apns.loss%3D20%25")
    settled(page)
    charts = page.locator("#tune .causes .chart")
    page.wait_for_function("() => document.querySelectorAll('#tune .causes .chart svg').length >= 3")
    scales = []
    for index in range(2):
        assert charts.nth(index).locator("xpath=preceding-sibling::p").inner_text().startswith("In the ")
        first = bars(charts.nth(index))[0]
        scales.append(first["width"] / (first["high"] - first["low"]))
    assert scales[0] == pytest.approx(scales[1], rel=0.01), scales


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_name_of_an_outage_stands_above_the_course(open_page, scheme):
    page = open_page("#tune", color_scheme=scheme)
    settled(page)
    day = page.locator("#tune .right > .chart").first
    boxes = day.evaluate("""chart => {
        const name = [...chart.querySelectorAll('text')].find((text) => text.textContent === 'APNs silent');
        const line = chart.querySelector('.mark-line path');
        const isClipped = Boolean(name.closest('[clip-path]'));
        return [name.getBoundingClientRect().bottom, line.getBoundingClientRect().top, isClipped];
    }""")
    assert boxes[0] <= boxes[1] and not boxes[2], boxes
    assert "in steps of" in day.locator(".chart-title").inner_text()


def test_worse_has_no_arrow_that_contradicts_the_change(open_page):
    """More loss leaves more cards behind: the value rises, and that is worse."""
    page = open_page("#tune?set=apns.loss%3D30%25")
    settled(page)
    tile = page.locator("#tune .tile.worse", has_text="cards left until Apple's limit")
    assert "+" in tile.locator(".tile-change").inner_text()
    assert tile.locator(".verdict").inner_text() == "✗ worse"


def test_the_day_has_the_scale_of_the_reports_and_the_windows_of_the_run(open_page):
    page = open_page("#tune")
    settled(page)
    title = page.locator("#tune .right > .chart .chart-title").first.inner_text()
    assert "in steps of 5 min" in title, title
    # An outage of ten minutes lowers a window to less than half: the axis begins at 0.
    labels = page.locator("#tune .right > .chart").first.locator("text").all_text_contents()
    assert {"0", "20", "40", "60", "80", "100"} <= set(labels), labels


def test_a_goal_is_a_line_with_words(open_page):
    page = open_page("#tune?set=apns.loss%3D30%25", expected=EXPECTED)
    settled(page)
    assert page.locator("#tune .goal-said").is_hidden()
    page.fill("#goal", "2x")
    page.keyboard.press("Enter")
    assert "a share from 0 to 1" in page.inner_text("#goal-problem")
    assert page.locator("#goal").get_attribute("aria-invalid") == "true"
    page.fill("#goal", "85%")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#tune').textContent.includes('the goal for the whole run')")
    settled(page)
    said = page.inner_text("#tune .goal-said")
    assert re.fullmatch(
        r"Over the whole run, the base \d\d\.\d+ %: meets the goal; the changed world \d\d\.?\d* %: misses the goal\.", said
    ), said
    assert "goal=displayed_fresh_time_ratio%3D85%25" in address(page)
    page.fill("#goal", "")
    page.keyboard.press("Enter")
    page.wait_for_function("() => ![...document.querySelectorAll('#tune .chart text')].some((text) => /goal/.test(text.textContent))")


def test_a_check_of_the_scenario_is_the_first_goal(open_page):
    studio = Studio(ROOT / "experiments/release-gate.yaml")
    try:
        page = open_page(address=studio.address)
        answered(page)
        assert page.input_value("#goal") != ""
        page.close()
    finally:
        studio.end()


def test_each_wrong_field_of_an_outage_keeps_its_words(open_page):
    page = open_page()
    answered(page)
    row = page.locator("#tune .fault-row").first
    for name, value in [("at", "99:99"), ("duration", "abc")]:
        row.locator(f"#fault-0-{name}").fill(value)
        page.keyboard.press("Enter")
    assert [text[-9:] for text in row.locator(".problem:not([hidden])").all_inner_texts()] == ["got 99:99", "; got abc"]
    row.locator("#fault-0-duration").fill("5m")
    page.keyboard.press("Enter")
    assert row.locator(".problem:not([hidden])").all_inner_texts()[0].endswith("got 99:99")
