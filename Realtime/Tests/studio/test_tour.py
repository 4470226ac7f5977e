"""The tour of docs/tour.md and its pictures."""

import pytest

from conftest import PICTURES, SCENARIO, Studio, answered, field, settled

SIZE = {"width": 1200, "height": 860}


@pytest.fixture(scope="module")
def city():
    """Enough phones to look like a crowd."""
    city = Studio(SCENARIO, ["rides.scale=0.1", "cells=1"])
    yield city
    city.end()


@pytest.fixture
def walk(city, open_page):
    def walk(view, **options):
        return open_page(view, address=city.address, viewport=SIZE, **options)

    PICTURES.mkdir(parents=True, exist_ok=True)
    return walk


def keep(page, name):
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / f"tour-{name}.png")


def test_tune(walk):
    page = walk("#tune")
    before = answered(page)
    field(page, "apns.loss").locator("input[type=text]").fill("5%")
    page.keyboard.press("Enter")
    answered(page, but=before)
    settled(page)
    page.wait_for_selector("#tune .chart svg")
    keep(page, "tune")
    assert page.locator("#tune .tile .verdict").count() == 7


def test_trade_off(walk):
    page = walk("#tradeoff?x=monitor.fresh_limit&xfrom=15s&xto=2m&xlevels=4&y=apns.loss&yfrom=0.1%25&yto=5%25&ylevels=4")
    page.wait_for_function(
        "() => /done\\.$/.test(document.querySelector('#tradeoff .state')?.textContent)", timeout=180_000
    )
    keep(page, "trade-off")
    assert page.locator("#tradeoff table td, #tradeoff .map button").count() >= 16


def test_capacity(walk):
    page = walk("#capacity?set=sender.connections%3D1&set=sender.streams%3D20")
    page.wait_for_function("() => /^1 replication/.test(document.querySelector('#capacity .state')?.textContent)")
    page.wait_for_function("() => document.querySelectorAll('#capacity .chart.drawn').length >= 10")
    keep(page, "capacity")


def test_phones(walk):
    page = walk("#phones", color_scheme="dark")
    page.wait_for_selector("#phones button.primary:not([disabled])")
    page.fill("#jump", "18:07")
    page.keyboard.press("Enter")
    page.wait_for_function("() => /18:07/.test(document.querySelector('#phones').innerText)")
    page.wait_for_timeout(500)
    keep(page, "phones")
