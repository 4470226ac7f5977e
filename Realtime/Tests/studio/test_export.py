"""Export: the file and the commands give the same scenario."""

import os
import pathlib
import shlex
import subprocess

import pytest

from conftest import ROOT, SCENARIO

STATE = (
    "#export?set=content.ttl%3D3m&set=monitor.retry.budget.per_second%3D2&set=rides.stages.3.refresh%3D40s"
    "&set=faults%3D%5B%7Bkind%3A+apns_silent%2C+at%3A+2h%2C+duration%3A+10m%7D%2C+%7Bkind%3A+apns_slow%2C+at%3A+5h%2C+duration%3A+9m%2C+factor%3A+10%7D%5D"
)


def resolved(freshet, file, settings, tmp_path, name):
    output = tmp_path / name
    command = [freshet, "run", str(file), "--output", str(output), "--quiet"]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True)
    lines = (output / "scenario.resolved.yaml").read_text().splitlines()
    return [line for line in lines if not line.startswith(("name:", "description:"))]


def test_differences_are_nested_by_key_and_lists_are_whole(open_page):
    page = open_page(STATE)
    yaml = page.inner_text("#export-yaml")
    assert yaml.startswith("extends: apns-outage.yaml\n")
    assert "content:\n  ttl: 3m\n" in yaml
    assert "monitor:\n  retry:\n    budget:\n      per_second: 2\n" in yaml
    assert "faults:\n  - {kind: apns_silent, at: 2h, duration: 10m}\n  - {kind: apns_slow, at: 5h, duration: 9m, factor: 10}" in yaml
    assert yaml.count("refresh: 40s") == 1 and "name: matching" in yaml


def test_file_and_command_give_the_same_scenario(open_page, tmp_path):
    freshet = os.environ.get("FRESHET")
    if not freshet or not pathlib.Path(freshet).exists():
        pytest.skip("FRESHET names no built freshet")
    page = open_page(STATE)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    (tmp_path / SCENARIO.name).write_bytes(SCENARIO.read_bytes())
    words = shlex.split(page.inner_text("#export-run"))
    assert words[:3] == ["freshet", "run", str(SCENARIO)]
    settings = words[4::2]
    assert words[3::2] == ["--set"] * len(settings)
    assert resolved(freshet, file, [], tmp_path, "of-file") == resolved(freshet, SCENARIO, settings, tmp_path, "of-command")


def test_the_link_restores_the_state(open_page):
    page = open_page(STATE)
    link = page.inner_text("#export-link").strip()
    again = open_page(address=link)
    again.wait_for_selector("#tune:not([hidden])")
    assert again.evaluate("[...freshetStudio.changed]") == page.evaluate("[...freshetStudio.changed]")


def test_copying(open_page):
    page = open_page(STATE, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy: A scenario file").click()
    page.wait_for_function("() => document.querySelector('#export').innerText.includes('copied')")
    assert page.evaluate("navigator.clipboard.readText()") == page.evaluate("document.getElementById('export-yaml').textContent")


def test_words_of_a_shell_are_quoted(open_page):
    page = open_page("#export?set=sender.queue_limit%3D%7Ba%3A+%27b%27%7D")
    assert shlex.split(page.inner_text("#export-run"))[-1] == "sender.queue_limit={a: 'b'}"


def test_every_line_that_export_prints_runs(open_page, tmp_path):
    freshet = os.environ.get("FRESHET")
    if not freshet or not pathlib.Path(freshet).exists():
        pytest.skip("FRESHET names no built freshet")
    page = open_page("#export?set=content.ttl%3D3m")
    lines = page.inner_text("#export-compare").splitlines()
    assert [line.split()[1] for line in lines] == ["run", "run", "compare"]
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    environment = {**os.environ, "PATH": f"{pathlib.Path(freshet).parent}:{os.environ['PATH']}"}
    for line in lines:
        done = subprocess.run(line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, (line, done.stderr)
    assert (tmp_path / "comparison" / "report.html").exists(), sorted(path.name for path in tmp_path.iterdir())
