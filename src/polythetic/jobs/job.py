"""What a job is: a function, what it is given, and a key that changes when its answer might."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from functools import cache, cached_property
from hashlib import sha256
from typing import Any, TypeAlias

from torch import Tensor

from polythetic.errors import InputError
from polythetic.jobs.code import code_of
from polythetic.results import Row, versions

Value: TypeAlias = list[Row] | dict[str, Tensor]


@dataclass(frozen=True, eq=False)
class Job:
    """Something to be done once, whoever asks for it.

    Attributes:
        what: it is, for people.
        work: does it: a function of a module, so that another process can be sent its name.
        arguments: that it is given by name: plain values, dataclasses of them, or other jobs, whose values it is
            given.
        cost: in seconds on one core, about.
        data: says which data it is done on, where more than one would do.
        folder: a name; if there is one, ``work`` is given a folder of that name in which to keep unfinished work.

    >>> first = Job("roots", print, {"sep": "/"})
    >>> first.key == Job("the same in other words", print, {"sep": "/"}).key
    True
    """

    what: str
    work: Callable[..., Value]
    arguments: Mapping[str, Any]
    cost: float = 1.0
    data: str = ""
    folder: str | None = None

    def __post_init__(self) -> None:
        if "<" in getattr(self.work, "__qualname__", "<"):  # <lambda>, <locals>: two of them may have the same name
            raise InputError("work", self.work, "a function of a module, so that its name says which it is")

    @property
    def needs(self) -> list[Job]:
        """The jobs whose values it is given."""
        return [value for value in self.arguments.values() if isinstance(value, Job)]

    @property
    def steps(self) -> int:
        """Its cost in whole steps of progress."""
        return max(1, round(self.cost))

    @cached_property
    def key(self) -> str:
        """What its answer depends on, in short: the work, the arguments, and the code that computes."""
        work = f"{self.work.__module__}.{self.work.__qualname__}"
        facts = [work, _plain(dict(self.arguments)), self.data, packages(), code_of(self.work.__module__)]
        return sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


def _plain(value: Any) -> Any:
    """Turn arguments into what JSON can say."""
    if isinstance(value, Job):
        return {"job": value.key}
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


@cache
def packages() -> dict[str, str]:
    """Name the packages that an answer depends on; of polythetic itself, the code that computes is looked at."""
    return {name: value for name, value in versions().items() if name not in ("polythetic", "source")}
