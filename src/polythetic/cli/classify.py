"""``polythetic classify``: labels for new rows or pictures, from a few that have labels, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polythetic.cli.options import Json, check_seed
from polythetic.cli.places import ensure_file, ensure_folder
from polythetic.cli.printing import guests_print_aside, print_json
from polythetic.errors import InputError, MissingDataError

if TYPE_CHECKING:
    from polythetic.answers import Answers

MOST_SEED = 2**32 - 1  # that NumPy's older generator takes, which scikit-learn's way of seeding has


def classify(
    support: Annotated[
        Path, typer.Argument(help="Labelled rows, .csv, .tsv, .parquet or .npz; or a folder with a folder a class.")
    ],
    query: Annotated[Path, typer.Argument(help="Rows to label, with the same columns; or a folder of pictures.")],
    label: Annotated[str | None, typer.Option(help="Tables: the column of classes; y of an NPZ file.")] = None,
    out: Annotated[Path, typer.Option(help="A folder for answers.csv, .json and .html.")] = Path("classified"),
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Pictures: photographs, drawings, digits, pixels, the folder of a run, or module:function, which is "
            "imported from here and run: given a list of at most 64 PIL images, it returns a row of features for each."
        ),
    ] = None,
    drop: Annotated[list[str] | None, typer.Option(help="Tables: a column to leave out; as often as you like.")] = None,
    missing: Annotated[
        str, typer.Option(help="Missing values: error, or impute by the median or commonest category.")
    ] = "error",
    prior: Annotated[
        str, typer.Option(help="How common classes are: as in the support, or uniform, all alike.")
    ] = "support",
    none_of_these: Annotated[
        float | None,
        typer.Option(metavar="RATE", help="Let “none of these” be an answer, with this rate of false alarms."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Save the classifier in a file, which will contain the labelled rows.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Fixes the chance in the search for scores.")] = 0,
    json: Json = False,
) -> None:
    """Label the rows or pictures of QUERY by those of SUPPORT, with probabilities and what decided.

    Writes answers.csv, answers.json and answers.html. Where QUERY has labels too, says how many are right.

    With --json, which is answers.json too: {"support", "query", "label", "encoder", "prior", "seed", "classes": {label:
    labelled}, "none_of_these", "calibration_error", "columns": [{"column", "score", "share"}, …] from the highest on,
    "answered": {label: answers}, "accuracy": null or {"right", "of", "share", "classes": {label: {"right", "of",
    "share"}}}, "answers": [{"row" or "file", "label", "probability" of the likeliest class, "probabilities", "p_none"
    if asked, "truth" if known, "deciders": [{"row" or "file", "label", "share"}, …]}, …]}.
    """
    folders = _are_folders(support, query)
    _refuse_others(folders, label=label, drop=drop, encoder=encoder)

    from polythetic.answers import answer, picture_question, table_question
    from polythetic.answers.files import facts_of, write_csv, write_json
    from polythetic.arguments import one_of
    from polythetic.estimators.classifier import PRIORS
    from polythetic.pictures import asked_pictures, encoder_for_pictures, labelled_pictures
    from polythetic.progress import on_terminal
    from polythetic.report.answers_page import write_answers_page

    one_of("--prior", prior, PRIORS)
    check_seed(seed, most=MOST_SEED)
    ensure_folder("--out", out)
    if save is not None:
        ensure_file("--save", save)
    pictures, score_map = None, None
    with on_terminal() as progress:
        if folders:
            shown = labelled_pictures(support)
            pictures = shown, asked_pictures(query, set(shown.labels or ()))
            with guests_print_aside():  # a function of one's own may print
                encoder = encoder_for_pictures(encoder, shown)
                question = picture_question(encoder, *pictures, progress=progress)
        else:
            question = table_question(support, query, label=label, drop=drop or [], missing=missing)
        answers, classifier = answer(
            question, prior=prior, missing=missing, none_rate=none_of_these, seed=seed, progress=progress
        )
    facts = {
        "support": str(support),
        "query": str(query),
        "label": question.label,
        "encoder": encoder,
        "prior": prior,
        "seed": seed,
        **facts_of(answers),
    }
    if encoder == "pixels":
        from polythetic.report.thumbnails import score_map as drawn

        score_map = drawn(classifier.feature_scores_)
    write_csv(out / "answers.csv", answers)
    write_json(out / "answers.json", facts)
    write_answers_page(
        out / "answers.html",
        answers,
        question,
        support=support.name,
        query=query.name,
        pictures=pictures,
        encoder=encoder,
        score_map=score_map,
    )
    if save is not None:
        classifier.save(save)
        what = "labelled rows" if question.kind == "row" else "features of the labelled pictures"
        typer.echo(f"polythetic: note: {save} contains the {what}: share it as you would share them", err=True)
    if json:
        print_json(facts)
    else:
        _show(answers, support, query, encoder, out)


def _are_folders(support: Path, query: Path) -> bool:
    """Say whether both are folders of pictures, or archives of them; refuse what is not there, and one of each."""
    for name, path in (("SUPPORT", support), ("QUERY", query)):
        if not path.exists():
            raise MissingDataError(f"{name} {path}: there is no such file or folder: check the path")
    folders = [path.is_dir() or path.suffix.lower() == ".zip" for path in (support, query)]
    if folders[0] != folders[1]:
        folder, file = (support, query) if folders[0] else (query, support)
        raise InputError(
            "SUPPORT and QUERY", f"{folder}, a folder, and {file}, a file", "two tables, or two folders of pictures"
        )
    return folders[0]


def _refuse_others(folders: bool, *, label: str | None, drop: list[str] | None, encoder: str | None) -> None:
    """Refuse options that say nothing to what there is."""
    if folders and (label is not None or drop):
        raise InputError("--label and --drop", label or drop, "nothing: of pictures, the folder is the label")
    if not folders and encoder is not None:
        raise InputError("--encoder", repr(encoder), "nothing: it is for folders of pictures, and these are tables")


def _show(answers: Answers, support: Path, query: Path, encoder: str | None, out: Path) -> None:
    """Say in a few lines what was found."""
    noun, count, labelled = answers.kind, len(answers.answers), sum(answers.classes.values())
    by = f", encoded by {encoder}" if encoder else f", {len(answers.scores):,} columns"
    typer.echo(f"{count:,} {noun}{'s' * (count != 1)} of {query}, from {labelled:,} labelled ones of {support}{by}")
    typer.echo(f"labelled: {_counted(answers.classes)}")
    typer.echo(f"answered: {_counted(answers.counts)}")
    if (known := answers.accuracy) is not None:
        each = _few([f"{label}: {tally}" for label, tally in answers.accuracies.items()])
        typer.echo(f"accuracy: {100 * known.right / known.of:.1f} %, {known} ({each})")
    if answers.scores:
        total = sum(answers.scores.values()) or 1.0
        most = [f"{name} {100 * score / total:.0f} %" for name, score in list(answers.scores.items())[:5]]
        typer.echo(f"columns that count most: {', '.join(most)}")
    typer.echo(f"answers.csv, answers.json and answers.html are in {out}")


def _counted(counts: Any) -> str:
    return _few([f"{label}: {count:,}" for label, count in counts.items()])


def _few(words: list[str], most: int = 10) -> str:
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")
