"""What the programs on Dask share: workers to hand work to, and how they speak."""

import contextlib
import sys

import dask
from distributed import Client, LocalCluster


def tell(text: str) -> None:
    print(f"run-with-dask: {text}", file=sys.stderr, flush=True)


class Unreachable(Exception):
    """There is no scheduler at an address, or no cluster can be started here."""


def without_ports(workers: int) -> LocalCluster:
    """A cluster of threads of this process, which wait for programs.

    A caller that reaches the port of a scheduler runs code on its workers, so there is none. Scheduler and workers insist on a
    server of pages each: it gets no pages, and stops.
    """
    pages = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
    with dask.config.set(pages):
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=None)
    for node in [cluster.scheduler, *cluster.workers.values()]:
        node.http_server.stop()
    return cluster


@contextlib.contextmanager
def connected(scheduler: str | None, workers: int):
    """A client of a running scheduler; without its address, of as many workers here, for as long as it is used."""
    cluster = None
    try:
        try:
            if scheduler is None:
                cluster = without_ports(workers)
            client = Client(scheduler or cluster)
        except OSError as error:
            raise Unreachable(f"{scheduler or 'a local cluster'}: {error}") from error
        with client:
            yield client
    finally:
        if cluster is not None:
            cluster.close()
