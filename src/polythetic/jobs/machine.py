"""Several processes of this machine, through joblib."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread

from polythetic.arguments import whole_number
from polythetic.errors import PolytheticError
from polythetic.jobs.crew import Call, Done
from polythetic.jobs.job import Value

ATTEMPTS = 3  # in a row, at what killed workers had begun

# What joblib says when a run is given up, and when it puts a new worker in the place of one that has grown, as they
# do if freed memory is kept. Neither is for the user to mend.
SAID = (r"\d+ tasks (have been|which were)", "A worker stopped")


class Machine:
    """Several processes of this machine.

    Args:
        workers: how many.
    """

    def __init__(self, workers: int):
        self.workers = whole_number("--jobs", workers, least=1)

    def do(self, calls: Sequence[Call]) -> Done:
        """Yield the number and the value of each call as it is done; begin again what a killed process was at."""
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        for words in SAID:
            warnings.filterwarnings("ignore", words, UserWarning)
        left, killed = dict(enumerate(calls)), 0
        while left:
            parallel = Parallel(
                n_jobs=self.workers,
                backend="loky",
                return_as="generator_unordered",
                batch_size=1,
                max_nbytes=None,  # arrays are sent as they are: from a file, they could not be written to
            )
            try:
                with _deaf():
                    done = parallel(delayed(_numbered)(number, call) for number, call in list(left.items()))
                for number, value in done:
                    del left[number]
                    killed = 0
                    yield number, value
            except TerminatedWorkerError as error:
                killed += 1
                if killed == ATTEMPTS:
                    raise PolytheticError(
                        f"a worker was killed {ATTEMPTS} times, which is what happens when memory runs out; what was "
                        f"finished is kept: go on with fewer than --jobs {self.workers}"
                    ) from error


def _numbered(number: int, call: Call) -> tuple[int, Value]:
    return number, call()


@contextmanager
def _deaf() -> Iterator[None]:
    """Start processes that leave Ctrl-C to this one, which ends them: else each would tell all that it was at."""
    if current_thread() is not main_thread():  # only there can signals be seen to
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
