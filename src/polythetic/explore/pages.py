"""Pages and the files they are made of: from the package, by a fixed table; no path of a request is ever opened."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template

from polythetic._version import __version__
from polythetic.explore.views import VIEWS

HERE = files("polythetic.explore").joinpath("page")
SCRIPT, STYLE = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
FILES = {
    "style.css": STYLE,
    "asking.js": SCRIPT,
    "forms.js": SCRIPT,
    "drawing.js": SCRIPT,
    "graphs.js": SCRIPT,
    "boolean.js": SCRIPT,
    "pictures.js": SCRIPT,
    "table.js": SCRIPT,
    "results.js": SCRIPT,
}


def file(name: str) -> tuple[bytes, str]:
    """Return a file of the table, and what kind it is."""
    return HERE.joinpath(name).read_bytes(), FILES[name]


def page(name: str, token: str) -> bytes:
    """Return a page, in the frame that all have in common, with the token that lets it ask.

    >>> b"<title>Boolean" in page("boolean", "secret")
    True
    """
    return _framed(
        VIEWS[name].title,
        _read(f"{name}.html"),
        here=name,
        token=token,
        script=f'<script type="module" src="/{name}.js"></script>',
    )


def missing(path: str) -> bytes:
    """Return the page that says that there is none at this path, with links to those there are.

    >>> b"&lt;b&gt;" in missing("/<b>")
    True
    """
    return told("No such page", f"{path}: there is nothing here.")


def told(title: str, words: str) -> bytes:
    """Return a page that says why there is no other, with links to those there are."""
    return _framed(title, Template(_read("told.html")).substitute(title=escape(title), words=escape(words)))


def _framed(title: str, body: str, *, here: str = "", token: str = "", script: str = "") -> bytes:
    values = {"title": escape(title), "body": body, "token": token, "script": script}
    filled = Template(_read("frame.html")).substitute(values, links=_links(here), version=__version__)
    return filled.encode(errors="replace")  # an address may hold what cannot be written


def _read(name: str) -> str:
    return HERE.joinpath(name).read_text(encoding="utf-8")


def _links(here: str = "") -> str:
    return "\n".join(
        f'<li><a href="/{name}"{" aria-current=page" if name == here else ""}>{escape(view.title)}</a></li>'
        for name, view in VIEWS.items()
    )
