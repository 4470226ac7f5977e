"""Renders Vega-Lite specifications as SVG (and PNG), offline.

usage: render_charts.py OUTPUT_DIRECTORY [--png] SPECIFICATION.vl.json...
       render_charts.py --runtime FILE

The second form writes the JavaScript that draws them in a browser: Vega, Vega-Lite and Vega-Embed as one file.

The same specification gives the same bytes, whichever others are rendered with it.
"""
import json
import os
import pathlib
import re
import sys
import textwrap
import unicodedata

import vl_convert

# Of the versions that vl-convert carries, the newest of the schema that the specifications name.
VEGA_LITE = "5.21"
# The number of characters of a line of the title and of the subtitle that fit into a picture in the widest usual font.
TITLE, SUBTITLE = 62, 85


def with_own_ids(svg, name):
    """Numbers the ids within a picture and puts its name before them, so that pictures can stand on one page."""
    numbers = {}
    for old in re.findall(r' id="([^"]+)"', svg):
        numbers.setdefault(old, f"{name}-{len(numbers) + 1}")
    svg = re.sub(r' id="([^"]+)"', lambda match: f' id="{numbers[match[1]]}"', svg)
    return re.sub(r"url\(#([^)]+)\)", lambda match: f"url(#{numbers.get(match[1], match[1])})", svg)


def printable(value):
    """The value with a space for each control character of its texts: one in a label aborts the whole program."""
    if isinstance(value, str):
        return "".join(" " if unicodedata.category(character) == "Cc" else character for character in value)
    if isinstance(value, list):
        return [printable(element) for element in value]
    if isinstance(value, dict):
        return {printable(key): printable(element) for key, element in value.items()}
    return value


def roomy(specification):
    """The specification with room for wide fonts: a picture is measured with one font, and its reader may have another."""
    config = dict(specification.get("config", {}))
    config["title"] = {**config.get("title", {}), "frame": "bounds"}
    config["legend"] = {**config.get("legend", {}), "columnPadding": 30}
    changed = {**specification, "config": config}
    if isinstance(specification.get("title"), dict):
        changed["title"] = dict(specification["title"])
        for key, width in [("text", TITLE), ("subtitle", SUBTITLE)]:
            text = changed["title"].get(key)
            lines = textwrap.wrap(" ".join(text) if isinstance(text, list) else text or "", width)
            if lines:
                changed["title"][key] = lines if len(lines) > 1 else lines[0]
    return changed


def write(path, contents):
    """Writes a file beside its place and renames it: a reader never finds half of it, and a named pipe is replaced."""
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    partial.write_bytes(contents)
    partial.replace(path)


def write_runtime(path):
    """Writes the runtime."""
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE)
    write(path, (bundle + "\n").encode("utf-8"))


def main(arguments):
    if arguments[:1] == ["--runtime"] and len(arguments) == 2:
        write_runtime(pathlib.Path(arguments[1]))
        return
    with_png = "--png" in arguments
    paths = [pathlib.Path(argument) for argument in arguments if argument != "--png"]
    if len(paths) < 2:
        sys.exit(__doc__)
    output, *specifications = paths
    failures = 0
    for path in specifications:
        name = path.name.removesuffix(".vl.json")
        try:
            specification = roomy(printable(json.loads(path.read_text(encoding="utf-8"))))
            specification = json.dumps(specification, ensure_ascii=False)
            svg = with_own_ids(vl_convert.vegalite_to_svg(specification, vl_version=VEGA_LITE), name)
            write(output / f"{name}.svg", (svg + "\n").encode("utf-8"))
            if with_png:
                png = vl_convert.vegalite_to_png(specification, vl_version=VEGA_LITE, scale=2)
                write(output / f"{name}.png", png)
        except (ValueError, RecursionError) as error:
            # The first line says that it failed, the second why.
            print(f"{path}: {' '.join(str(error).split(chr(10))[:2])}", file=sys.stderr)
            failures += 1
    sys.exit(65 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
