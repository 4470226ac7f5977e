"""Capacity: what saturates, the limits, and charts of both worlds on one pair of axes."""

import re

import pytest

from conftest import PICTURES, Studio

NAMES = ["streams", "queue", "wait", "requests", "retries", "repeats"]
# So few streams that pushes wait during the outage, and a retry budget.
BUSY = "#capacity?set=sender.connections%3D1&set=sender.streams%3D10&set=monitor.retry.budget.per_second%3D1"


@pytest.fixture(scope="module")
def city():
    """Enough rides for a queue."""
    city = Studio(settings=["rides.scale=0.2", "cells=2"])
    yield city
    city.end()


def answered(page):
    page.wait_for_function(
        "() => /^1 replication/.test(document.querySelector('#capacity .state')?.textContent)", timeout=120_000
    )
    page.wait_for_selector("#capacity .chart.drawn")
    return page.inner_text("#capacity .state")


def charts(page, quantity):
    return page.locator(f"#capacity [data-quantity={quantity}] .chart:visible")


def test_the_base_alone_has_an_answer_its_limits_and_charts(open_page):
    page = open_page("#capacity")
    said = answered(page)
    assert re.search(r"^1 replication, 1 of 1 cell, [\d,]+ rides, ", said), said
    assert page.locator("#capacity .answer:visible").count() == 1
    assert page.locator("#capacity table.limits:visible tbody tr").count() >= 3
    for name in ["streams", "queue", "wait", "requests"]:
        assert charts(page, name).count() == 1, name
    assert "no retry budget" in page.inner_text("#capacity [data-quantity=repeats]")


def test_both_worlds_have_the_same_axes_and_their_limits(open_page, city):
    page = open_page(BUSY, address=city.address)
    said = answered(page)
    assert re.search(r"^1 replication, 1 of 2 cells, ", said), said
    answers = page.locator("#capacity .answer:visible").all_inner_texts()
    assert len(answers) == 2 and answers[1].startswith("Sender streams: full from "), answers
    page.wait_for_function("() => document.querySelectorAll('#capacity .chart.drawn').length >= 9")
    for name in ["streams", "queue", "wait", "requests"]:
        pair = charts(page, name)
        assert pair.count() == 2, name
        axes = [pair.nth(index).locator(".role-axis-label text").all_text_contents() for index in range(2)]
        assert axes[0] == axes[1] and len(axes[0]) > 4, (name, axes)
    assert charts(page, "retries").count() == 2
    assert page.locator("#capacity [data-quantity=repeats]").inner_text().count("no retry budget") == 2
    limits = page.locator("#capacity [data-quantity=streams] .chart").nth(1).text_content()
    assert "limit: 10" in limits and "peak" in limits and "mean of a step" in limits, limits


def test_a_change_in_tune_is_run_again(open_page):
    page = open_page("#capacity")
    answered(page)
    page.evaluate("freshetStudio.set('sender.connections', '7')")
    page.wait_for_function("() => document.querySelectorAll('#capacity .answer').length === 2")
    assert "Changed: sender.connections = 7" in page.inner_text("#badge").replace("\u00a0", " ")


def test_an_invalid_setting_is_named_and_the_charts_stay(open_page):
    page = open_page("#capacity", expected=("422",))
    answered(page)
    page.evaluate("freshetStudio.set('sender.connections', '0')")
    page.wait_for_selector("#capacity .problem:visible")
    assert "sender.connections" in page.inner_text("#capacity .problem")
    assert page.inner_text("#capacity .state") == "The charts are of the last valid settings."
    assert charts(page, "streams").count() == 1


@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_is_as_wide_as_the_window(open_page, city, width):
    page = open_page(BUSY, address=city.address, viewport={"width": width, "height": 900})
    answered(page)
    page.wait_for_function("() => document.querySelectorAll('#capacity .chart.drawn').length >= 9")
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"capacity-{width}.png", full_page=True)
