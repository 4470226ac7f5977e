"""Shared by the Dask programs: workers, and messages on standard error."""

import contextlib
import sys

import dask
from distributed import Client, LocalCluster


def tell(text: str) -> None:
    print(f"run-with-dask: {text}", file=sys.stderr, flush=True)


class Unreachable(Exception):
    """No scheduler answers at the address, or no cluster can be started here."""


def without_ports(workers: int) -> LocalCluster:
    """A cluster of threads of this process, which wait for programs.

    It has no port, because any caller that reaches the port of a scheduler can run code on its workers. Scheduler and
    workers always start an HTTP server: it gets no pages and is stopped.
    """
    pages = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
    with dask.config.set(pages):
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=False, dashboard_address=None)
    for node in [cluster.scheduler, *cluster.workers.values()]:
        node.http_server.stop()
    return cluster


@contextlib.contextmanager
def connected(scheduler: str | None, workers: int):
    """A client of the given scheduler, or of a local cluster that lives as long as the client."""
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
