"""The pages of the documentation, and the blocks of code and of quoted output in them."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```(.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The name that a block of Python is to be saved by: it begins with ``# name.py``."""
        named = re.match(r"# (\w+\.py)\n", self.text)
        return named[1] if self.language == "python" and named else None

    @property
    def commands(self) -> list[str]:
        """The lines of a block of the shell, without their comments."""
        lines = [shlex.join(shlex.split(line, comments=True)) for line in self.text.splitlines()]
        return [line for line in lines if line] if self.language == "sh" else []


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    return [Block(*found) for found in FENCED.findall(text_of(page))]


def prose(page: str) -> str:
    return FENCED.sub("", text_of(page))


def in_backticks(page: str, start: str) -> list[str]:
    """What stands between backticks in the prose, and begins so."""
    return re.findall(rf"`({re.escape(start)}[^`]*)`", prose(page))
