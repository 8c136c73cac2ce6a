"""Which code a function runs: a fingerprint that changes when its answer might."""

from __future__ import annotations

import ast
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

# What lays numbers out, or says which are wanted, and makes none: captions may change without a week being lost.
SHOWING = ("cli/", "report/", "experiments/__init__.py", "experiments/budgets.py", "experiments/experiment.py")


@cache
def code_of(module: str) -> str:
    """Fingerprint a module and all of polythetic that it imports, by whatever way; words and layout do not count."""
    path = getattr(sys.modules[module], "__file__", None)
    waiting, seen = [] if path is None else [Path(path)], set[Path]()
    while waiting:
        if (path := waiting.pop()) not in seen:
            seen.add(path)
            waiting.extend(_imports(path))
    prints = sorted(f"{path.name} {_fingerprint(path)}" for path in seen)
    return sha256("\n".join(prints).encode()).hexdigest()[:16]


@cache
def _tree(path: Path) -> ast.Module:
    """Parse a file, and leave its docstrings out."""
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return tree


@cache
def _fingerprint(path: Path) -> str:
    return sha256(ast.dump(_tree(path)).encode()).hexdigest()


@cache
def _imports(path: Path) -> frozenset[Path]:
    """List the files of polythetic that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = [PACKAGE.joinpath(*name.split(".")[1:]) for name in names if name.split(".")[0] == PACKAGE.name]
    files = {file for place in places for file in (Path(f"{place}.py"), place / "__init__.py") if file.is_file()}
    return frozenset(file for file in files if not file.relative_to(PACKAGE).as_posix().startswith(SHOWING))
