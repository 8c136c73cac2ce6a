"""Write the tables of the README and of docs/results.md from ``results/``: ``make readme``.

With ``--check``, only say if they differ.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from pathlib import Path

from polythetic.report.evidence import Evidence
from polythetic.report.formats import markdown
from polythetic.report.numbers import xor
from polythetic.report.section import Table
from polythetic.report.stand_in import stand_in_words
from polythetic.results import Result, Row, load
from tools.readme_layouts import AS_AUTHORS, DATASETS, FRONT, LAYOUTS, Layout, Line, Setting

ROOT = Path(__file__).parents[1]
README, ALL_TABLES, RESULTS = ROOT / "README.md", ROOT / "docs" / "results.md", ROOT / "results"
BLOCK = re.compile(r"(?<=<!-- results -->\n).*?(?=<!-- /results -->)", re.DOTALL)
OWN_BLOCK = re.compile(r"(?<=<!-- own tables -->\n).*?(?=<!-- /own tables -->)", re.DOTALL)

NONE = "–"  # a figure that there is not


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
                column = f"{xor(setting['alpha'])}, {setting['rows']} rows × {setting['n']}"
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
