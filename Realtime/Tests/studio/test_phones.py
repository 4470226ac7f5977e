"""Phones: play, pause, step, speed, jump, and the story of a dot by mouse and keyboard."""

import re

from conftest import address

PLAY = "#phones button.primary"


def opened(page):
    page.wait_for_selector(f"{PLAY}:not([disabled])")


def clock(page):
    return page.inner_text("#phones output")


def test_it_begins_before_the_outage_plays_and_pauses(open_page):
    page = open_page("#phones")
    opened(page)
    assert clock(page) == "17:59:00"
    page.click(PLAY)
    page.wait_for_function("() => document.querySelector('#phones output').textContent > '18:00:00'")
    page.click(PLAY)
    at = clock(page)
    page.wait_for_timeout(400)
    assert clock(page) == at
    frames = page.evaluate("freshetStudio.measurements.frames")
    assert frames["count"] > 5


def test_counts_of_the_legend_add_up(open_page):
    page = open_page("#phones")
    opened(page)
    counts = [int(text.replace(",", "")) for text in page.locator(".legend b").all_inner_texts()]
    assert sum(counts[:4]) == sum(counts[4:]) > 0
    assert page.inner_text("#phones .state").startswith(f"{sum(counts[:4]):,} activities")


def test_step_speed_and_jump(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    assert clock(page) == "17:00:00"
    page.get_by_role("button", name="Step").click()
    page.wait_for_function("() => document.querySelector('#phones output').textContent === '17:00:03'")
    page.select_option("#speed", "600")
    page.fill("#jump", "19:30")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#phones output').textContent === '19:30:00'")
    opened(page)
    page.click(PLAY)
    page.wait_for_function("() => document.querySelector('#phones output').textContent > '19:40:00'")
    # From 600 to 1 the day is opened again, since frames half a minute apart would be too coarse.
    page.select_option("#speed", "1")
    page.wait_for_timeout(1500)
    before = clock(page)
    page.wait_for_timeout(2000)
    assert before < clock(page) <= before[:6] + f"{int(before[6:]) + 5:02}" or before[6:] > "54"


def test_play_pressed_while_a_day_is_opened_plays_it_then(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    # The response arrives when the test releases it.
    held = []
    page.route("**/api/play", lambda route: held.append(route))
    page.fill("#jump", "19:30")
    page.keyboard.press("Enter")
    page.click(PLAY)
    assert "It plays as soon as it is open." in page.inner_text("#phones .state")
    assert page.inner_text(PLAY) == "Pause"
    page.click(PLAY)
    assert page.inner_text(PLAY) == "Play" and "plays" not in page.inner_text("#phones .state")
    page.click(PLAY)
    held[0].continue_()
    page.wait_for_function("() => document.querySelector('#phones output').textContent > '19:30:05'")
    assert page.inner_text(PLAY) == "Pause"


def seconds(time):
    hours, minutes, rest = time.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(rest)


def in_address(page):
    """The instant and the ride in the address."""
    found = dict(part.split("=") for part in address(page).split("?")[1].split("&"))
    return int(found["at"]), found.get("ride")


CAPTION = "#phones .dots + p"


def test_the_address_holds_the_instant_at_which_it_was_paused_and_the_chosen_ride(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    page.click(PLAY)
    page.wait_for_function("() => document.querySelector('#phones output').textContent > '17:00:30'")
    page.click(PLAY)
    began = seconds("16:00:00")
    assert in_address(page) == (seconds(clock(page)) - began, None)
    before = clock(page)
    page.get_by_role("button", name="Step").click()
    page.wait_for_function("at => document.querySelector('#phones output').textContent > at", arg=before)
    page.locator(".legend button").first.click()
    page.wait_for_selector(".story tbody tr")
    page.wait_for_function("() => location.hash.includes('ride=')")
    at, ride = in_address(page)
    assert at == seconds(clock(page)) - began and f"Ride {ride}" in page.inner_text(CAPTION)

    other = open_page(f"#{address(page).split('#')[1]}")
    other.wait_for_selector(".story tbody tr")
    assert clock(other) == clock(page) and other.inner_text(CAPTION) == page.inner_text(CAPTION)
    assert other.inner_text(".story h3") == f"History of ride {ride}"
    assert other.locator("#phones .cursor").is_visible() and in_address(other) == (at, ride)
    # Another view and back.
    other.click("#tab-tune")
    other.click("#tab-phones")
    other.wait_for_function("ride => location.hash.includes(`ride=${ride}`)", arg=ride)
    assert in_address(other) == (at, ride) and clock(other) == clock(page)


def test_of_a_ride_that_is_over_the_caption_says_since_when(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    page.locator(".legend button").first.click()
    said = page.inner_text(CAPTION)
    ride = re.match(r"Ride (\d+), ", said)[1]
    # A jump shows the ride at another time.
    page.fill("#jump", "21:30")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#phones output').textContent === '21:30:00'")
    assert page.inner_text(CAPTION) == f"Ride {ride}: it has no activity on a screen at this moment."
    assert page.locator("#phones .cursor").is_hidden()
    page.fill("#jump", "17:00")
    page.keyboard.press("Enter")
    page.wait_for_function("said => document.querySelector('#phones .dots + p').textContent === said", arg=said)
    page.select_option("#speed", "600")
    page.click(PLAY)
    page.wait_for_function("() => /gone from the screen/.test(document.querySelector('#phones .dots + p').textContent)")
    gone = page.inner_text(CAPTION)
    since = re.fullmatch(rf"Ride {ride}: its activity has been gone from the screen since (\d\d:\d\d:\d\d)\.", gone)[1]
    assert "17:00:00" < since <= clock(page)
    page.wait_for_timeout(600)
    assert page.inner_text(CAPTION) == gone


def test_a_wrong_jump_says_what_is_allowed(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    for value in ["25:00", "99h", "noon"]:
        page.fill("#jump", value)
        page.keyboard.press("Enter")
        page.wait_for_selector("#jump-problem:not([hidden])")
        assert "18:00" in page.inner_text("#jump-problem")
    assert clock(page) == "17:00:00"


def test_a_dot_tells_its_story_by_mouse(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    box = page.evaluate(
        "() => { const { dots } = freshetStudio.views.phones; const { x, y, size } = dots.box([...dots.places.values()][0]); return [x + size / 2, y + size / 2]; }"
    )
    page.locator("#phones canvas[tabindex]").click(position={"x": box[0] + 1, "y": box[1] + 1})
    page.wait_for_selector(".story tbody tr")
    assert "ride" in page.inner_text(".story h3")
    page.wait_for_selector(".story .chart svg")


def test_a_dot_is_chosen_by_keyboard(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    page.locator("#phones canvas[tabindex]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert "the server" in page.inner_text("#phones")
    page.keyboard.press("Enter")
    page.wait_for_selector(".story tbody tr")
    page.keyboard.press(" ")
    assert page.inner_text(PLAY) == "Pause"


def test_the_same_world_gives_each_ride_the_same_place(open_page):
    places = []
    for _ in range(2):
        page = open_page("#phones?at=3600")
        opened(page)
        places.append(page.evaluate("[...freshetStudio.views.phones.dots.places]"))
    assert places[0] == places[1]


def test_a_ride_by_its_number(open_page):
    page = open_page("#phones?at=3600", expected=("400", "422"))
    opened(page)
    page.fill("#ride", "one")
    page.keyboard.press("Enter")
    assert "whole number" in page.inner_text("#ride-problem")
    page.fill("#ride", "1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".story tbody tr")


def test_the_day_that_was_asked_for_last_plays(open_page):
    # The browser logs that the first request was refused.
    page = open_page("#phones", expected=("409",))
    page.wait_for_function("() => /activities on screens/.test(document.querySelector('#phones .state')?.textContent)")
    late, early, frames = page.evaluate("""async () => {
        const play = (from_s) => freshetStudio.post("play", { settings: [], from_s });
        const first = play(20 * 3600);
        await new Promise((resolve) => setTimeout(resolve, 5));
        const second = play(3600);
        const replies = [(await first).status, (await second).status];
        return [...replies, await freshetStudio.post("frames", { step_ms: 1000, times: 1 })];
    }""")
    assert early == 200 and late in (200, 409)
    assert frames["frames"][0]["now_us"] == 3601 * 1_000_000


def test_one_colour_has_one_meaning(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    keys = page.evaluate("""() => [...document.querySelectorAll('.legend canvas')].map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(20, 20, 1, 1);
        return data[3] === 0 ? null : [...data].slice(0, 3).join();
    })""")
    assert len(keys) == 8 and len(set(keys[:4])) == 4 and None not in keys[:4]
    assert keys[4:] == [None] * 4, "a belief is a ring around nothing"
    assert page.locator(".legends h3").all_inner_texts() == [
        "Inside: what the screen shows", "Ring around it: what the server believes",
    ]


def test_a_ride_that_there_is_not(open_page):
    page = open_page("#phones?at=3600", expected=("400",))
    opened(page)
    page.fill("#ride", "99999999")
    page.keyboard.press("Enter")
    page.wait_for_selector(".story .problem")
    said = page.inner_text(".story .problem")
    assert "there is no ride 99999999" in said and "numbered from 0" in said
    shown = page.evaluate("[...freshetStudio.views.phones.dots.places.keys()].sort((a, b) => a - b)")
    assert f"On screens now: {shown[0]}, {shown[1]}" in said and f"… {shown[-1]}." in said


def test_numbers_agree_with_their_nouns(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    said = page.evaluate("""async () => {
        const { counted } = await import(new URL('dom.js', location.href).href);
        return [counted(1, 'activity', 'activities'), counted(2, 'activity', 'activities'), counted(1, 'other')];
    }""")
    assert said == ["1 activity", "2 activities", "1 other"]
    page.locator(".legend button").first.click()
    page.wait_for_selector(".story tbody tr")
    assert not re.search(r"\b1 (requests|retries|activities)\b", page.inner_text("#phones"))


def test_a_crowd_on_a_phone_can_be_told_apart(open_page):
    page = open_page("#phones?at=3600", viewport={"width": 390, "height": 900})
    opened(page)
    size = page.evaluate("() => { const { dots } = freshetStudio.views.phones; return dots.box(0).size; }")
    assert size >= 20, "a small crowd fills its place"
    # A crowd of 5,000.
    size, height = page.evaluate("""() => {
        const { dots } = freshetStudio.views.phones;
        dots.clear(8000);
        dots.apply(Array.from({ length: 5000 }, (_, ride) => [ride, ride % 4, ride % 4, 0]).flat());
        dots.draw();
        return [dots.box(0).size, dots.canvas.clientHeight];
    }""")
    assert size >= 7 and height > 800, (size, height)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_each_wrong_field_is_red_with_its_own_words(open_page):
    page = open_page("#phones?at=3600")
    opened(page)
    for field, value in [("jump", "99:99"), ("ride", "abc")]:
        page.fill(f"#{field}", value)
        page.keyboard.press("Enter")
    for field, value in [("jump", "99:99"), ("ride", "abc")]:
        assert page.locator(f"#{field}").get_attribute("aria-invalid") == "true"
        said = page.inner_text(f"#{field}-problem")
        assert said.startswith(field) and said.endswith(f"got {value}"), said
    page.fill("#jump", "17:30")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('#phones output').textContent === '17:30:00'")
    assert page.locator("#jump").get_attribute("aria-invalid") is None and page.locator("#jump-problem").is_hidden()
    # The other field is still wrong, and still says so.
    assert page.locator("#ride").get_attribute("aria-invalid") == "true" and page.locator("#ride-problem").is_visible()
