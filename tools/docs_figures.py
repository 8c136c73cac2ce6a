"""A hook of mkdocs: pages refer to files of the repository as they lie there, and find them on the site, too."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
ELSEWHERE = re.compile(r"\]\((?:\.\./)+((?:results|examples)/[^)#]+)\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the files that pages refer to outside of docs/."""
    wanted = {path for page in files.documentation_pages() for path in ELSEWHERE.findall(page.content_string)}
    for path in sorted(wanted):
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links to them stay within the site."""
    up = "../" * (page.file.src_uri.count("/"))
    return ELSEWHERE.sub(lambda found: f"]({up}{found[1]})", markdown)
