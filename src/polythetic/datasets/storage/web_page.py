"""Web pages that pretend to be files: what a captive portal, a consent form or a moved address answers with."""

from __future__ import annotations

ENOUGH = 512  # bytes of a file's start by which a page is told


def is_web_page(start: bytes) -> bool:
    """Say whether a file that starts like this is an HTML page.

    >>> is_web_page(b"  <!DOCTYPE html><html>"), is_web_page(b"PK" + bytes(20))
    (True, False)
    """
    start = start[:ENOUGH].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<script", b"<!--"))
