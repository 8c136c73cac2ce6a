"""Scores of a table's columns as bars: on a terminal, and as a picture."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

from polythetic.interactions import LEVEL
from polythetic.report import style
from polythetic.report.score_words import p_value, sentences
from polythetic.table_scores import TableScores

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table

KINDS = {"alone": style.BLUE, "together": style.VERMILION, "": "0.75"}  # colours of bars
LEGEND = {"alone": "matters on its own", "together": "matters together with others", "": "not told apart from chance"}
WIDTH = 30  # letters of the longest bar
LONGEST = 40  # letters of a column's name


def kind_of(scores: TableScores, place: int) -> str:
    """Say whether a column matters alone, or together with others, or neither."""
    if scores.alone[place] <= LEVEL:
        return "alone"
    return "together" if any(effect.found and place in effect.members for effect in scores.together) else ""


def chart(scores: TableScores, top: int) -> Table:
    """Return the highest scores as a table with bars, for a terminal."""
    from rich.bar import Bar
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, pad_edge=False)
    for name, justify in (("", "right"), ("column", "left"), ("score", "right"), ("", "left"), ("p alone", "right")):
        made.add_column(name, justify=justify, no_wrap=True, overflow="ellipsis")  # type: ignore[arg-type]
    longest = max(scores.scores[0], 1e-30)
    for place in range(min(top, len(scores.names))):
        kind = kind_of(scores, place)
        made.add_row(
            str(place + 1),
            Text(_short(scores.names[place])),  # a name is no markup
            f"{scores.scores[place]:.3g}",
            Bar(1, 0, scores.scores[place] / longest, width=WIDTH, color=KINDS[kind] if kind else "bright_black"),
            p_value(scores.alone[place]),
        )
    return made


def draw(scores: TableScores, top: int, *, table: str, label: str) -> Figure:
    """Draw the highest scores as bars, with what was found in words."""
    from matplotlib.patches import Patch

    shown = min(top, len(scores.names))
    words = [fill(sentence, 100) for sentence in sentences(scores)]
    lines = sum(sentence.count("\n") + 1 for sentence in words)
    figure, ax = style.figure(size=(6.4, 1.4 + 0.2 * shown + 0.16 * lines))
    kinds = [kind_of(scores, place) for place in range(shown)]
    ax.barh(range(shown), scores.scores[:shown], color=[KINDS[kind] for kind in kinds], height=0.75)
    ax.set_yticks(range(shown), [_plain(_short(name)) for name in scores.names[:shown]])
    ax.set_ylim(shown - 0.4, -0.6)
    ax.set_xlabel("score")
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_title(_plain(f"What tells {label}: columns of {table}, {scores.rows:,} rows"), loc="left")
    handles: list[Any] = [Patch(color=KINDS[kind], label=words) for kind, words in LEGEND.items() if kind in kinds]
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False)
    figure.supxlabel(_plain("\n".join(words)), fontsize=8, x=0.01, ha="left")
    return figure


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _plain(words: str) -> str:
    r"""Keep matplotlib from taking dollars for mathematics.

    >>> print(_plain("price in $"))
    price in \$
    """
    return words.replace("$", r"\$")
