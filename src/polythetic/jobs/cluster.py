"""The workers of a Dask cluster.

By Dask itself and not through joblib, which waits for ever for a call that a worker cannot even begin, or has died of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from polythetic.errors import InputError, PolytheticError
from polythetic.jobs.crew import Call, Done
from polythetic.results import versions

if TYPE_CHECKING:
    from distributed import Client

CONNECTING, WORKERS = 10.0, 30.0  # seconds to wait for the scheduler, and for its first worker


class Cluster:
    """The workers of a Dask cluster, which have the same polythetic and the same data.

    Args:
        address: of its scheduler, ``tcp://host:8786``.
    """

    def __init__(self, address: str):
        self.address = address

    def do(self, calls: Sequence[Call]) -> Done:
        """Yield the number and the value of each call as it is done; Dask gives a lost worker's calls to another."""
        with self._client() as client:
            from distributed import CancelledError, KilledWorker, as_completed

            self._ensure_same_versions(client)
            numbers = {client.submit(call, pure=False): number for number, call in enumerate(calls)}
            for future in as_completed(list(numbers)):
                try:
                    value = future.result()
                except KilledWorker as error:
                    raise PolytheticError(
                        f"{error} This is what happens when memory runs out; what was finished is kept: go on with "
                        "fewer workers a machine"
                    ) from None
                except CancelledError as error:
                    raise PolytheticError(
                        f"the scheduler at {self.address} has gone; what was finished is kept: go on when it is back"
                    ) from error
                yield numbers.pop(future), value
                del future, value  # so that its worker forgets it, too

    def _client(self) -> Client:
        try:
            from distributed import Client
        except ImportError:
            raise InputError("--cluster", self.address, "the extra: pip install 'polythetic[cluster]'") from None
        try:
            client = Client(self.address, timeout=CONNECTING)
        except (OSError, ValueError) as error:
            raise InputError("--cluster", self.address, f"the address of a Dask scheduler ({error})") from None
        try:
            client.wait_for_workers(1, timeout=WORKERS)
        except TimeoutError:
            client.close()
            raise InputError("--cluster", self.address, f"workers: dask worker {self.address} starts one") from None
        return client

    def _ensure_same_versions(self, client: Client) -> None:
        """Refuse what would find something else than this machine, or nothing at all."""
        ours = versions()
        try:
            theirs = {"the scheduler": client.run_on_scheduler(versions), **client.run(versions, on_error="return")}
        except ImportError as error:
            theirs = {"the scheduler": error}
        for who, found in theirs.items():
            if found != ours and not isinstance(found, OSError):  # a worker that has just been lost is no matter
                raise InputError("--cluster", self.address, f"the versions of here, {ours}; {who} has {found}")
