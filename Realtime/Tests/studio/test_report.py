"""A report of the command line on a phone."""

import os
import pathlib
import subprocess

import pytest

from conftest import PICTURES, ROOT


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    freshet = os.environ.get("FRESHET")
    if not freshet or not pathlib.Path(freshet).exists():
        pytest.skip("FRESHET names no built freshet")
    output = tmp_path_factory.mktemp("report") / "run"
    settings = ["--set", "rides.scale=0.02", "--set", "cells=1", "--replications", "2"]
    command = [freshet, "run", "experiments/food-delivery.yaml", *settings, "--output", str(output), "--report", "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    # At this scale a check may fail; 1 is the verdict, not a failure of the program.
    assert (output / "report.html").exists(), done.stderr
    return output / "report.html"


@pytest.mark.parametrize("width", [320, 390, 1300])
def test_verdicts_of_checks_are_in_view(browser, report, width):
    context = browser.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto(report.as_uri())
    table = page.locator(".table:has(th.deciding)").first
    table.scroll_into_view_if_needed()
    # The numbers between the name and the verdict scroll; the verdict stays visible beside them.
    for share in (0, 0.5, 1):
        table.evaluate("(element, share) => { element.scrollLeft = share * (element.scrollWidth - element.clientWidth); }", share)
        boxes = table.locator(".deciding").evaluate_all("cells => cells.map(c => c.getBoundingClientRect()).map(b => [b.left, b.right])")
        assert len(boxes) >= 5
        assert all(0 <= left and right <= width for left, right in boxes), (share, boxes)
        names = table.locator("th:first-child").evaluate_all("cells => cells.map(c => c.getBoundingClientRect().right)")
        assert max(names) <= min(left for left, _ in boxes), (share, names, boxes)
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"report-checks-{width}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
