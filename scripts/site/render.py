#!/usr/bin/env python3
"""Renders README, docs/ and what they link to as static pages, with a list of pages beside each.

usage: render.py SITE_DIRECTORY

Every page of docs/ has to stand in PAGES. A link that leads nowhere within the repository, or to a heading that is not
there, is an error (exit 65), and so is anything that a page would load from another host.
"""
import html
import pathlib
import posixpath
import re
import shutil
import sys

from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CORE = "core/documentation/freshnesscore/index.html"
PAGES = {
    "Begin": ["README.md", "docs/install.md", "docs/tutorial.md", "docs/tour.md"],
    "Do a job": [
        "docs/how-to/plan-capacity.md", "docs/how-to/tune-thresholds.md", "docs/how-to/gate-a-change.md",
        "docs/how-to/load-test.md", "docs/calibration.md", "docs/many-machines.md",
    ],
    "Look it up": [
        "docs/commands.md", "docs/keys.md", "docs/distributions.md", "docs/metrics.md", "docs/scenarios.md", "docs/experiments.md",
        "docs/reports.md", "docs/ci.md", "docs/loads.md", "docs/stand-in.md", "docs/monitor.md", "docs/glossary.md",
        "CHANGELOG.md",
    ],
    "Understand it": [
        "docs/model.md", "docs/intervals.md", "docs/validation.md", "docs/performance.md", "docs/hostile.md",
        "docs/decisions",
    ],
    "Change it": ["CONTRIBUTING.md", "docs/architecture.md", "docs/loops.md", "SECURITY.md"],
}


class Page:
    """A page of the site: a Markdown file, or a directory as the list of what is in it."""

    def __init__(self, source, markdown):
        self.source = source
        path = ROOT / source
        if path.is_dir():
            text = listing(source)
            self.target = posixpath.join(source, "index.html")
        else:
            text = path.read_text(encoding="utf-8")
            self.target = "index.html" if source == "README.md" else source[: -len(".md")] + ".html"
        self.tokens = markdown.parse(text)
        self.anchors = set()
        self.title = pathlib.PurePosixPath(source).stem
        headings = [(token, self.tokens[index + 1]) for index, token in enumerate(self.tokens) if token.type == "heading_open"]
        for opening, inline in headings:
            opening.attrSet("id", self.anchor(plain(inline)))
        if headings:
            self.title = plain(headings[0][1])

    def anchor(self, heading):
        """The name that GitHub gives a heading, so that links work in both places."""
        name = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        unique, count = name, 0
        while unique in self.anchors:
            count += 1
            unique = f"{name}-{count}"
        self.anchors.add(unique)
        return unique


class Site:
    def __init__(self, output):
        self.output = output
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.pages = {}
        self.files = set()
        self.errors = []

    def page(self, source):
        if source not in self.pages:
            self.pages[source] = Page(source, self.markdown)
        return self.pages[source]

    def address(self, page, link):
        """What a link or a picture of a page leads to in the site; remembers what has to be there for it."""
        if re.match(r"[a-z]+:", link):
            return link
        path, _, anchor = link.partition("#")
        source = posixpath.normpath(posixpath.join(self.directory(page), path)) if path else page.source
        if source.startswith("..") or not (ROOT / source).exists():
            self.errors.append(f"{page.source}: {link} leads to {source}, which is not there")
            return link
        if not ((ROOT / source).is_dir() or source.endswith(".md")):
            self.files.add(source)
            target = source
        else:
            other = self.page(source)
            target = other.target
            if anchor and anchor not in other.anchors:
                self.errors.append(f"{page.source}: {link}: {source} has no heading #{anchor}")
        relative = posixpath.relpath(target, posixpath.dirname(page.target) or ".")
        return relative + (f"#{anchor}" if anchor else "")

    def directory(self, page):
        return page.source if (ROOT / page.source).is_dir() else posixpath.dirname(page.source)

    def body(self, page):
        for token in page.tokens:
            for child in token.children or []:
                for name in ("href", "src"):
                    link = child.attrGet(name)
                    if link is not None:
                        child.attrSet(name, self.address(page, str(link)))
            if token.type == "html_block" or any(child.type == "html_inline" for child in token.children or []):
                for match in re.finditer(r"<(?:img|script|link|iframe)\b", token.content):
                    self.errors.append(f"{page.source}: {match.group()}…> in the text; write it as Markdown")
        text = self.markdown.renderer.render(page.tokens, self.markdown.options, {})
        # Elements wider than the page scroll, with the keyboard as well.
        return text.replace("<table>", '<div class="table" tabindex="0"><table>').replace("</table>", "</table></div>")

    def navigation(self, page):
        def link(target, title, is_current):
            relative = posixpath.relpath(target, posixpath.dirname(page.target) or ".")
            current = ' aria-current="page"' if is_current else ""
            return f'<li><a href="{html.escape(relative)}"{current}>{html.escape(title)}</a></li>'

        parts = []
        for group, sources in PAGES.items():
            items = [link(self.page(source).target, self.page(source).title, source == page.source) for source in sources]
            if group == "Look it up":
                items.append(link(CORE, "FreshnessCore, in Swift", False))
            parts.append(f"<h2>{group}</h2><ul>{''.join(items)}</ul>")
        return "".join(parts)

    def write(self, page):
        style = posixpath.relpath("site.css", posixpath.dirname(page.target) or ".")
        title = page.title if page.source == "README.md" else f"{page.title} · Freshet"
        text = (
            '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{html.escape(title)}</title>\n"
            f'<link rel="icon" href="data:,">\n<link rel="stylesheet" href="{style}">\n'
            '<a class="skip" href="#page">To the page</a>\n<a class="pages" href="#pages">All pages</a>\n'
            f'<nav id="pages" aria-label="Pages"><div>{self.navigation(page)}</div></nav>\n'
            f'<main id="page">\n{self.body(page)}</main>\n</html>\n'
        )
        for match in re.finditer(r'<(?:img|script|link)\b[^>]*(?:src|href)="(?:[a-z]+:)?//[^"]*"', text):
            self.errors.append(f"{page.source}: would load from elsewhere: {match.group()}")
        target = self.output / page.target
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def build(self):
        listed = {source for sources in PAGES.values() for source in sources}
        for path in sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/how-to").glob("*.md")]):
            source = str(path.relative_to(ROOT))
            if source not in listed:
                self.errors.append(f"{source} is in no list of scripts/site/render.py")
        for source in listed:
            if not (ROOT / source).exists():
                sys.exit(f"render.py: {source} stands in PAGES and is not there")
            self.page(source)
        # Pages link to further pages, until none is new.
        written = set()
        while len(written) < len(self.pages):
            for source in [source for source in self.pages if source not in written]:
                self.write(self.pages[source])
                written.add(source)
        for source in sorted(self.files):
            target = self.output / source
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / source, target)
        styles = [ROOT / "Sources/Reporting/HTML/Assets/page.css", ROOT / "scripts/site/site.css"]
        (self.output / "site.css").write_text("".join(style.read_text(encoding="utf-8") for style in styles), encoding="utf-8")
        # GitHub's pages would leave out what begins with an underscore.
        (self.output / ".nojekyll").touch()
        if not (self.output / CORE).exists():
            self.errors.append(f"{CORE} is not there: the reference has moved")
        print(f"{len(self.pages)} pages and {len(self.files)} files")


def plain(inline):
    return "".join(child.content for child in inline.children if child.type in ("text", "code_inline"))


def listing(source):
    """A directory as Markdown: its pages by their titles, then its other files."""
    lines = [f"# {pathlib.PurePosixPath(source).name.capitalize().replace('-', ' ')}", ""]
    for path in sorted((ROOT / source).iterdir()):
        if path.suffix == ".md":
            title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
            lines.append(f"- [{title}]({path.name})")
        elif path.is_file() and not path.name.startswith("."):
            lines.append(f"- [{path.name}]({path.name})")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    site = Site(pathlib.Path(sys.argv[1]))
    site.build()
    if site.errors:
        print("\n".join(site.errors), file=sys.stderr)
        sys.exit(65)
