"""Write the tables of the README and of docs/results.md from ``results/``: ``make readme``.

With ``--check``, only say if they differ.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from polythetic.report.evidence import Evidence
from polythetic.report.formats import markdown
from polythetic.report.section import Table
from polythetic.report.stand_in import stand_in_words
from polythetic.results import Result, Row, load

ROOT = Path(__file__).parents[1]
README, ALL_TABLES, RESULTS = ROOT / "README.md", ROOT / "docs" / "results.md", ROOT / "results"
BLOCK = re.compile(r"(?<=<!-- results -->\n).*?(?=<!-- /results -->)", re.DOTALL)
OWN_BLOCK = re.compile(r"(?<=<!-- own tables -->\n).*?(?=<!-- /own tables -->)", re.DOTALL)

AS_AUTHORS = "authors' settings"
NONE = "–"  # a figure that there is not

Setting = dict[str, Any]


class Line(NamedTuple):
    """A line of a table: the rows of a method with a setting, or what the paper prints beside them."""

    cells: tuple[str, ...]  # that it begins with
    method: str
    setting: Setting
    figure: str = "mean"  # or "paper"


class Layout(NamedTuple):
    """How the headline rows of an experiment are laid out."""

    experiment: str
    words: str
    header: tuple[str, ...]  # of the cells that lines begin with
    columns: dict[str, Setting]
    lines: list[Line]
    lessons: str = ""  # what learners learned from, counted
    metric: str = "accuracy"


def three(method: str, shown: str = "") -> list[Line]:
    """Return the lines of a method: the paper's, ours, and that with the authors' settings."""
    shown, ours, authors = shown or method, {"variant": "ours"}, {"variant": "authors"}
    return [
        Line((f"{shown}, paper",), method, ours, "paper"),
        Line((f"{shown}, ours",), method, ours),
        Line((f"{shown}, authors' settings",), method, authors),
    ]


DEFAULT = {"variant": "ours", "R": 2, "dispersion": "std"}
AUTHORS = {"variant": "authors", "statistics": "joint"}
BALANCED, IID = {"design": "balanced"}, {"design": "iid"}

TABLE1 = Layout(
    "table1",
    "Accuracy (%) on binary strings, XOR over α of n bits",
    ("", "supports"),
    {f"n={n} XOR{'₀₁₂₃₄'[alpha]}": {"n": n, "alpha": alpha} for n in (5, 10) for alpha in (2, 3, 4)},
    [
        Line(("FS+MN, paper", "balanced"), "FS+MN", AUTHORS | BALANCED, "paper"),
        Line(("FS+MN, authors' settings", "balanced"), "FS+MN", AUTHORS | BALANCED),
        Line(("FS+MN, ours, mean absolute deviation", "balanced"), "FS+MN", DEFAULT | BALANCED | {"dispersion": "mad"}),
        Line(("FS+MN, ours (default)", "balanced"), "FS+MN", DEFAULT | BALANCED),
        Line(("R+MN, ours", "balanced"), "R+MN", {"variant": "ours"} | BALANCED),
        Line(("FS+MN, authors' settings", "i.i.d."), "FS+MN", AUTHORS | IID),
        Line(("FS+MN, ours (default)", "i.i.d."), "FS+MN", DEFAULT | IID),
        Line(("R+MN, ours", "i.i.d."), "R+MN", {"variant": "ours"} | IID),
        Line(("MN, ours (no selection)", "i.i.d."), "MN", {"variant": "ours"} | IID),
    ],
)
TABLE2 = Layout(
    "table2",
    "Accuracy (%) on polythetic MNIST, learned from monothetic tasks",
    ("",),
    {
        f"{dataset}, {kind}": {"dataset": dataset, "tasks": kind}
        for dataset in ("clean", "colourless", "full")
        for kind in ("monothetic", "polythetic")
    },
    [
        *(line for method in ("PN", "MN", "FS+MN") for line in three(method)),
        *(Line((f"{method} on PN's encoder, ours",), f"{method}*", {"variant": "ours"}) for method in ("R+MN", "D+MN")),
    ],
    lessons="training tasks (paper: 10,000; full 100,000)",
)
TABLE3 = Layout(
    "table3",
    "Accuracy (%) on Omniglot, learned from characters; a star: on PN's encoder",
    ("",),
    {
        "characters": {"tasks": "characters"},
        "alphabets": {"tasks": "alphabets", "replacement": False},
        "alphabets, with replacement": {"tasks": "alphabets", "replacement": True},
    },
    [
        line
        for method in ("PN", "MN", "FS+MN", "IMP", "MAML", "MN*", "NN*", "FS+MN*", "FS+NN*")
        for line in three(method)[:2]
    ]
    + [Line((f"{method}, ours",), method, {"variant": "ours"}) for method in ("R+MN*", "R+NN*")],
    lessons="training tasks (paper: 10,000)",
)
TABLE4 = Layout(
    "table4",
    "Accuracy (%) on {dataset}, features of a frozen network, C categories of G classes each",
    ("",),
    {f"C={C}, G={G}": {"C": C, "G": G} for G in (5, 10) for C in (2, 4, 8)},
    [*three("FS+MN"), *three("MN"), *three("PN")[:2], Line(("R+MN, ours",), "R+MN", {"variant": "ours"})],
)
APPENDIX_G = Layout(
    "appendix-g",
    "Accuracy (%) on full polythetic MNIST, after learning to name all digits and colours",
    ("",),
    {
        f"{read_out}, {kind}": {"read_out": read_out, "tasks": kind}
        for read_out in ("softmax", "sigmoid")
        for kind in ("monothetic", "polythetic")
    },
    [*three("PN"), *three("MN"), Line(("FS+MN, ours",), "FS+MN", {"variant": "ours", "R": 2})],
)
TRAINING_TIME = Layout(
    "training-time",
    "Accuracy (%) on full polythetic MNIST after more and more monothetic tasks, and after passes of "
    "pictures relabelled by every attribute, which uses more labels",
    ("", "evaluated on"),
    {f"{tasks:,} tasks": {"encoder": "PN", "train_tasks": tasks} for tasks in (312, 1250, 5000)}
    | {f"{passes} passes": {"encoder": "RELABELLED-PN", "train_tasks": passes} for passes in (50, 200, 800)},
    [
        Line((head, kind), head, {"variant": "ours", "tasks": kind})
        for kind in ("monothetic", "polythetic")
        for head in ("PN", "R+MN*", "D+MN*")
    ],
)
SIZES = [
    (20, 2, 40),
    (20, 3, 40),
    (20, 4, 100),
    (20, 5, 250),
    (100, 2, 100),
    (100, 3, 250),
    (100, 4, 640),
    (100, 5, 1600),
]
DISCOVERY = Layout(
    "discovery",
    "Active features (%) found among the α best-scored of n fair bits, whose XOR is the class, in so many rows × n, "
    "drawn i.i.d.; not run where fewer rows were enough (✓), were of no use, or there are too many sets to search (–)",
    ("",),
    {f"α={alpha}, {rows:,} × {n}": {"alpha": alpha, "n": n, "rows": rows} for n, alpha, rows in SIZES},
    [
        Line((shown,), method, {"features": "binary", "noise": 0} | further)
        for shown, method, further in (
            ("R, ours", "R", {}),
            ("Algorithm 1", "FS", {}),
            ("MultiSURF", "MultiSURF", {"scores": "signed"}),
            ("ReliefF, 10 neighbours", "ReliefF", {"scores": "signed", "neighbours": 10}),
            ("NCFS", "NCFS", {}),
            ("random forest", "random forest", {}),
            ("gradient boosting", "gradient boosting", {}),
            ("exhaustive search", "exhaustive", {}),
        )
    ],
    metric="active share",
)
LAYOUTS = (TABLE1, TABLE2, TABLE3, TABLE4, APPENDIX_G, TRAINING_TIME, DISCOVERY)
FRONT = (TABLE1, TABLE2, DISCOVERY)  # on the front page
DATASETS = {"stand-in": "a stand-in for tieredImageNet", "tieredImageNet": "tieredImageNet"}


def block(results: Path = RESULTS, layouts: tuple[Layout, ...] = LAYOUTS, up: str = "") -> str:
    """Return the tables of those experiments that have a result; ``up`` leads from the page to the root."""
    there = [layout for layout in layouts if (results / f"{layout.experiment}.json").exists()]
    return "\n".join(table(layout, load(results / f"{layout.experiment}.json"), up) for layout in there)


def table(layout: Layout, result: Result, up: str = "") -> str:
    """Return one table, under a line that says what it is and what made it."""
    evidence = Evidence({layout.experiment: result.rows})
    columns = {
        heading: cells
        for heading, setting in layout.columns.items()
        if set(cells := [figure(evidence, layout, line, setting) for line in layout.lines]) != {NONE}
    }
    body = [[*line.cells, *(cells[k] for cells in columns.values())] for k, line in enumerate(layout.lines)]
    shown = [(line, rows) for line in layout.lines if (rows := rows_of(evidence, layout, line))]
    dataset = shown[0][1][0]["setting"].get("dataset")
    words = layout.words.format(dataset=DATASETS.get(dataset, dataset))
    made = f"`{result.command}`, [results/{layout.experiment}.json]({up}results/{layout.experiment}.json)"
    said = ", ".join([words, many_tasks(shown), *learned_from(shown, layout.lessons)])
    if data := stand_in_words(result.rows):
        said = f"{said}. {data.removesuffix('.')}"
    return f"{said} ({made}):\n\n{markdown(Table([*layout.header, *columns], body))}\n"


Shown = list[tuple[Line, list[Row]]]


def rows_of(evidence: Evidence, layout: Layout, line: Line) -> list[Row]:
    """Find the rows that a line of ours shows; what the paper prints is not of our making."""
    found = []
    for setting in layout.columns.values() if line.figure == "mean" else ():
        with suppress(LookupError):
            found.append(evidence.the(layout.experiment, line.method, metric=layout.metric, **setting, **line.setting))
    return found


def many_tasks(shown: Shown) -> str:
    """Say how many tasks most lines are put to, and which are put to fewer."""
    fewer: dict[int, list[str]] = {}
    most = max(row["tasks"] for _, rows in shown for row in rows)
    for line, rows in shown:
        who = AS_AUTHORS if line.setting.get("variant") == "authors" else line.cells[0].removesuffix(", ours")
        if (count := max(row["tasks"] for row in rows)) < most and who not in fewer.setdefault(count, []):
            fewer[count].append(who)
    said = "; ".join(f"{' and '.join(who)} {count:,}" for count, who in sorted(fewer.items(), reverse=True))
    return f"{most:,} tasks" + (f" ({said})" if said else "")


def learned_from(shown: Shown, lessons: str) -> list[str]:
    """Say how much learners learned from, if they did: ours, then those with the authors' settings."""
    said = []
    for variant, who in (("ours", "ours"), ("authors", AS_AUTHORS)) if lessons else ():
        found = [row["train_tasks"] for line, rows in shown if line.setting["variant"] == variant for row in rows]
        if found:
            least, most = min(found), max(found)
            said.append(f"{who} after {least:,}" + (f" to {most:,}" if most > least else ""))
    return [f"{' and '.join(said)} {lessons}"] if said else []


def figure(evidence: Evidence, layout: Layout, line: Line, column: Setting) -> str:
    """Return a figure, or a dash where there is none."""
    try:
        row = evidence.the(layout.experiment, line.method, metric=layout.metric, **column, **line.setting)
        value = row[line.figure]
    except LookupError:
        return not_run(evidence, layout, line, column)
    return NONE if value is None else f"{value:.1f}"


def not_run(evidence: Evidence, layout: Layout, line: Line, column: Setting) -> str:
    """Return a tick where fewer rows were enough, else a dash."""
    with suppress(LookupError):
        reason = evidence.the(layout.experiment, line.method, metric="not run", **column, **line.setting)["reason"]
        return "✓" if reason == "solved" else NONE
    return NONE


def own_tables(results: Path = RESULTS) -> str:
    """Return what people with their own tables want to know: accuracy beside what else they have."""
    result = load(results / "benchmarks" / "own_tables.json")
    accuracies: dict[str, dict[str, float]] = {}
    for entry in result.rows:
        if entry["metric"] == "accuracy":
            setting = entry["setting"]
            if "alpha" in setting:
                column = f"XOR{'₀₁₂₃₄'[setting['alpha']]}, {setting['rows']} rows × {setting['n']}"
            else:
                column = f"{setting['dataset']}, {setting['shots']} a class"
            accuracies.setdefault(entry["method"], {})[column] = entry["mean"]
    columns = list(next(iter(accuracies.values())))
    body = [
        [method, *(f"{found[column]:.1f}" if column in found else NONE for column in columns)]
        for method, found in accuracies.items()
    ]
    made = f"`{result.command}`, [results/benchmarks/own_tables.json](results/benchmarks/own_tables.json)"
    return f"Accuracy (%), defaults everywhere ({made}):\n\n{markdown(Table(['', *columns], body))}\n"


def pages() -> dict[Path, str]:
    """Return the pages with the tables that they ought to have."""
    front, all_tables = (page.read_text(encoding="utf-8") for page in (README, ALL_TABLES))
    return {
        README: OWN_BLOCK.sub(lambda _: own_tables(), BLOCK.sub(lambda _: block(layouts=FRONT), front)),
        ALL_TABLES: BLOCK.sub(lambda _: block(up="../"), all_tables),
    }


def main() -> int:
    """Rewrite the blocks, or say that they ought to be."""
    differ = {page: made for page, made in pages().items() if made != page.read_text(encoding="utf-8")}
    if "--check" in sys.argv[1:]:
        for page in differ:
            print(f"{page.relative_to(ROOT)}: its tables are not those of results/; run `make readme`", file=sys.stderr)
        return int(bool(differ))
    for page, made in differ.items():
        page.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
