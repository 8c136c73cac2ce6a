"""Work that a page waits for: in a thread of its own, so that it can be watched, and stopped."""

from __future__ import annotations

import ctypes
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from polythetic.errors import PolytheticError, StoppedError

_queue = threading.Lock()
_last: threading.Thread | None = None


class Work:
    """One question that is being answered; a ``Progress`` that the work itself tells how far it is.

    Each waits for the one before to end: the cores are the same for all, and so are Python's filters of warnings. There
    is no lock to hold meanwhile, so that none can be left locked when work is stopped.

    >>> work = Work(lambda progress: {"sum": 2 + 2})
    >>> work.wait(10)
    True
    >>> work.outcome
    {'answer': {'sum': 4}, 'notes': []}
    """

    def __init__(self, answer: Callable[[Work], Mapping[str, Any]]):
        global _last
        self.outcome: dict[str, Any] = {"stopped": True}
        self.is_error = False
        self.what, self.done, self.total = "waiting", 0, 0
        self._answer = answer
        self._stopped = False
        self._over = threading.Event()
        with _queue:
            self._thread = threading.Thread(target=self._run, args=(_last,), daemon=True)
            _last = self._thread
            self._thread.start()

    def start(self, what: str, total: int) -> None:
        """Begin a part of the work."""
        self._ensure_wanted()
        self.what, self.done, self.total = what, 0, total

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Say that steps of it are done."""
        self._ensure_wanted()
        self.done += steps

    def wait(self, seconds: float) -> bool:
        """Wait for the outcome, but no longer than this; say whether it is there."""
        return self._over.wait(seconds)

    def stop(self) -> None:
        """End the work wherever it is: between two steps of Python, as Ctrl-C would."""
        self._stopped = True
        if not self._over.is_set() and self._thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self._thread.ident), ctypes.py_object(StoppedError)
            )

    def _ensure_wanted(self) -> None:
        if self._stopped:
            raise StoppedError("stopped")

    def _run(self, before: threading.Thread | None) -> None:
        try:
            if before is not None:
                before.join()
            self._find_outcome()
        except StoppedError:
            pass  # it may arrive at any time
        finally:
            self._over.set()

    def _find_outcome(self) -> None:
        try:
            self.outcome = self._answered()
        except StoppedError:
            raise
        except (PolytheticError, MemoryError) as error:
            self.outcome, self.is_error = {"error": str(error) or "not enough memory"}, True
        except Exception as error:  # the page must hear of it, and the server live
            self.outcome, self.is_error = {"error": f"{type(error).__name__}: {error}"}, True

    def _answered(self) -> dict[str, Any]:
        self.start("computing", 0)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            answer = self._answer(self)
        notes = [str(each.message) for each in caught if issubclass(each.category, UserWarning)]
        return {"answer": dict(answer), "notes": list(dict.fromkeys(notes))}
