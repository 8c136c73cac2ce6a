"""The page of answers: whole, safe and not too long."""

import re

import numpy as np
import polars as pl
import pytest

from polythetic.answers import Answer, Answers, Decider, Question
from polythetic.report.answers_page import MOST_ANSWERS, worth_showing, write_answers_page
from polythetic.report.thumbnails import score_map

EVIL = '<script>alert("x")</script>'


def answers(count, *, label="a", p=None):
    made = tuple(
        Answer(
            name=str(i + 1),
            label=label,
            probability=0.5 + 0.4 * i / count,
            probabilities={label: 0.5 + 0.4 * i / count, "b": 0.5 - 0.4 * i / count},
            p_value=p,
            truth="b" if i == count - 1 else None,
            deciders=(Decider(0, "1", label, 0.25),),
        )
        for i in range(count)
    )
    return Answers("row", made, {label: 1, "b": 1}, {EVIL: 2.0, "size": 0.0}, None if p is None else 0.05, 0.1)


def question(count, label="a"):
    known = pl.DataFrame({EVIL: ["=1+1", EVIL], "size": [1.0, None]})
    new = pl.DataFrame({EVIL: [EVIL] * count, "size": [0.123456] * count})
    return Question("row", known, ("1", "2"), (label, "b"), new, tuple(map(str, range(1, count + 1))), None)


@pytest.fixture
def page(tmp_path):
    def written(made, asked):
        path = tmp_path / "answers.html"
        write_answers_page(path, made, asked, support=EVIL, query="new.csv")
        return path.read_text(encoding="utf-8")

    return written


def test__page__names_that_are_markup__are_escaped(page):
    text = page(answers(2, label=EVIL, p=0.2), question(2, EVIL))
    assert EVIL not in text
    assert text.count("<script") == 1  # our own
    assert "&lt;script&gt;" in text


def test__page__needs_nothing_from_elsewhere(page):
    text = page(answers(3), question(3))
    assert not re.findall(r"(?:src|href)=\"(?!data:)|@import|https?://", text)
    assert "prefers-color-scheme: dark" in text
    assert "0.1235" in text


def test__page__many_answers__wrong_and_uncertain_ones_and_how_many_there_are(page):
    made = answers(MOST_ANSWERS + 50)
    chosen = worth_showing(made.answers)
    assert len(chosen) == MOST_ANSWERS
    assert chosen == [*range(MOST_ANSWERS - 1), MOST_ANSWERS + 49]
    text = page(made, question(MOST_ANSWERS + 50))
    assert text.count("<details") == MOST_ANSWERS
    assert "Here are the 200 that are wrong or least certain; all 250 are in answers.csv." in text


def test__score_map__nothing_scored__is_black():
    assert score_map(np.zeros(9)).startswith("data:image/png;base64,")
