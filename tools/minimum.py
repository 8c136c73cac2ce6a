"""Print the lowest versions that pyproject.toml allows, as pip takes them: ``numpy==2 scipy==1.13 …``.

They are those of the package and of every extra but ``dev``, whose tools no test runs.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest(pyproject: Path = PYPROJECT) -> Iterator[str]:
    """Give each requirement held to its lower bound, in the order in which they are written."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    extras = [needed for extra, needed in project["optional-dependencies"].items() if extra != "dev"]
    for requirement in sum(extras, start=project["dependencies"]):
        bounded = re.match(r"([\w.-]+(?:\[\w+\])?)>=([\d.]+)", requirement)
        if bounded is None:
            raise SystemExit(f"minimum: {requirement}: expected a lower bound, as in numpy>=2, in {pyproject}")
        yield f"{bounded[1]}=={bounded[2]}"


if __name__ == "__main__":
    print(*lowest())
