"""What the programs on Dask share: workers to hand work to, and how they speak."""

import contextlib
import sys

from distributed import Client, LocalCluster


def tell(text: str) -> None:
    print(f"run-with-dask: {text}", file=sys.stderr, flush=True)


class Unreachable(Exception):
    """There is no scheduler at an address, or no cluster can be started here."""


@contextlib.contextmanager
def connected(scheduler: str | None, workers: int):
    """A client of a running scheduler; without its address, of as many worker processes here, for as long as it is used."""
    cluster = None
    try:
        try:
            if scheduler is None:
                cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
            client = Client(scheduler or cluster)
        except OSError as error:
            raise Unreachable(f"{scheduler or 'a local cluster'}: {error}") from error
        with client:
            yield client
    finally:
        if cluster is not None:
            cluster.close()
