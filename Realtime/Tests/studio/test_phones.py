"""Phones: play, pause, step, speed, jump, and the story of a dot by mouse and keyboard."""

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
    # From 600 to 1 the day is opened anew, since frames half a minute apart would be too coarse.
    page.select_option("#speed", "1")
    page.wait_for_timeout(1500)
    before = clock(page)
    page.wait_for_timeout(2000)
    assert before < clock(page) <= before[:6] + f"{int(before[6:]) + 5:02}" or before[6:] > "54"


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
    assert "whole number" in page.inner_text("#jump-problem")
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
