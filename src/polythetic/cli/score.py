"""``polythetic score``: which columns of a table matter for a label, which alone and which only together?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polythetic.cli.options import Json
from polythetic.cli.places import ensure_folder
from polythetic.cli.printing import print_json

if TYPE_CHECKING:
    from polythetic.table_scores import TableScores

MOST_PERMUTATIONS = 10_000_000
MOST_CLASSES = 10  # that are shown with their sizes


def score(
    table: Annotated[Path, typer.Argument(help="A file: .csv, .tsv, .parquet or .npz (arrays X, y, names).")],
    label: Annotated[str, typer.Option(help="The column of classes.")],
    drop: Annotated[list[str] | None, typer.Option(help="A column to leave out; give it as often as you like.")] = None,
    method: Annotated[str, typer.Option(help="R, refined scores, or FS, Algorithm 1.")] = "R",
    out: Annotated[Path | None, typer.Option(help="A folder for scores.csv, scores.json and scores.png.")] = None,
    top: Annotated[int, typer.Option(min=1, help="How many columns to show.")] = 20,
    permutations: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_PERMUTATIONS, help="Of the labels, for p; 999 or more unless given, as columns ask."
        ),
    ] = None,
    missing: Annotated[
        str, typer.Option(help="Missing values: error, or impute by the median or commonest category.")
    ] = "error",
    seed: Annotated[int, typer.Option(min=0, help="Fixes the permutations, and the chance in R.")] = 0,
    json: Json = False,
) -> None:
    """Rank the columns of TABLE by what they have to do with a label, and say which matter only together.

    Pairs and threes are looked for among the 20 columns of the highest scores. p is how often the greatest effect of
    all columns (all pairs, all threes) is as great when labels are permuted.

    With --json: {"table", "label", "method", "seed", "permutations": {"1", "2", "3"} by the number of columns, "rows",
    "classes": {label: rows}, "columns": [{"column", "score", "p"}, …] from the highest score on, "together":
    [{"columns", "p", "bits_together", "bits_apart", "found"}, …] those found and the best of two and of three, "words":
    [sentence, …], "left_out": {column: why}}.
    """
    from polythetic.arguments import one_of
    from polythetic.estimators.columns import MISSING
    from polythetic.progress import on_terminal
    from polythetic.table_scores import METHODS, score_table
    from polythetic.tables import check_classes, check_column, read_table, split_label

    one_of("method", method, METHODS)
    one_of("missing", missing, MISSING)
    if out is not None:
        ensure_folder("--out", out)
    found = read_table(table, as_written=[label])
    check_column("label", label, found.columns)
    for name in drop or []:
        check_column("drop", name, found.columns)
        one_of("drop", name, [other for other in found.columns if other != label])
    features, labels = split_label(found.drop(drop or []), label)
    check_classes(label, labels)
    with on_terminal() as progress:
        scores = score_table(
            features, labels, method=method, missing=missing, permutations=permutations, seed=seed, progress=progress
        )
    facts = {"table": str(table), "label": label, "method": method, "seed": seed, **_facts(scores)}
    if out is not None:
        _write(out, facts, scores, top)
    if json:
        print_json(facts)
    else:
        _show(scores, top, out)


def _facts(scores: TableScores) -> dict[str, Any]:
    from polythetic.report.score_words import sentences

    best = {len(effect.members): effect for effect in reversed(scores.together)}.values()
    return {
        "permutations": dict(zip(("1", "2", "3"), scores.permutations, strict=True)),
        "rows": scores.rows,
        "classes": scores.classes,
        "columns": [
            {"column": name, "score": value, "p": p}
            for name, value, p in zip(scores.names, scores.scores, scores.alone, strict=True)
        ],
        "together": [
            {
                "columns": [scores.names[member] for member in effect.members],
                "p": effect.p,
                "bits_together": effect.together,
                "bits_apart": effect.apart,
                "found": effect.found,
            }
            for effect in scores.together
            if effect.found or effect in best
        ],
        "words": sentences(scores),
        "left_out": scores.left_out,
    }


def _write(folder: Path, facts: dict[str, Any], scores: TableScores, top: int) -> None:
    """Write the three files, each whole or not at all."""
    import csv
    from io import StringIO
    from json import dumps

    from polythetic.files import write_atomically
    from polythetic.report.pictures import write_png
    from polythetic.report.score_picture import draw

    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["rank", "column", "score", "p"])
    for rank, entry in enumerate(facts["columns"], start=1):
        writer.writerow([rank, entry["column"], entry["score"], entry["p"]])
    write_atomically(folder / "scores.csv", lines.getvalue().encode())
    write_atomically(folder / "scores.json", f"{dumps(facts, ensure_ascii=False, indent=1)}\n".encode())
    name = Path(facts["table"]).name
    write_png(lambda: draw(scores, top, table=name, label=facts["label"]), folder / "scores.png")


def _show(scores: TableScores, top: int, out: Path | None) -> None:
    from rich.console import Console

    from polythetic.report.score_picture import chart
    from polythetic.report.score_words import sentences

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 120
    sizes = ", ".join(f"{name}: {count:,}" for name, count in list(scores.classes.items())[:MOST_CLASSES])
    if len(scores.classes) > MOST_CLASSES:
        sizes += f" and {len(scores.classes) - MOST_CLASSES} classes more"
    console.print(f"{scores.rows:,} rows ({sizes}), {len(scores.names):,} columns\n", markup=False)
    console.print(chart(scores, top))
    if len(scores.names) > top:
        console.print(f"and {len(scores.names) - top:,} columns more (--top)", markup=False)
    console.print()
    for sentence in sentences(scores):
        console.print(sentence, markup=False)
    if out is not None:
        console.print(f"\nscores.csv, scores.json and scores.png are in {out}", markup=False)
