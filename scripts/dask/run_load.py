"""Runs one load on several Dask workers, one share each at the same time, then merges their results.

A share is one call of `freshet load apns --share K/N`. Its results are a directory that all machines see. A share cannot be
repeated, unlike a task of a plan: a share that is not ready at the common start is refused, and the load fails.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time

from cluster import Unreachable, connected, tell
from distributed import Client


def make_share(command: list[str]) -> tuple[int, str]:
    """Runs a share on a worker; returns its exit code and its standard error."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        return 66, f"{command[0]}: {error.strerror}"
    return done.returncode, done.stderr.strip()


def run(client: Client, freshet: str, load: list[str], shares: int, lead: int, output: str) -> int:
    """Runs all shares at once, each on its own worker; returns an exit code."""
    workers = list(client.scheduler_info(n_workers=-1)["workers"])
    if len(workers) < shares:
        tell(f"{shares} shares need as many workers, there are {len(workers)}")
        return 75
    start = int(time.time()) + lead
    common = [freshet, "load", "apns", *load, "--start-at", str(start), "--quiet"]
    futures = [
        client.submit(
            make_share,
            [*common, "--share", f"{number}/{shares}", "--output", f"{output}/share-{number}"],
            workers=[worker],
            key=f"{output}#{number}@{start}",
            pure=False,
        )
        for number, worker in zip(range(1, shares + 1), workers)
    ]
    tell(f"{shares} shares begin in {lead} s")
    try:
        ends = client.gather(futures)
    except Exception as error:  # Errors of Dask itself, such as a lost worker.
        tell(f"{type(error).__name__}: {error}; the load has to be made again")
        return 75
    for number, (code, said) in enumerate(ends, start=1):
        if code != 0:
            tell(f"share {number} ended with {code}: {said}")
    return next((code for code, _ in ends if code != 0), 0)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="run-with-dask load",
        description=__doc__.splitlines()[0],
        epilog="What follows -- is for `freshet load apns`: endpoint, rate, duration and the like.",
    )
    parser.add_argument("--shares", type=int, required=True, help="how many generators there are, each on a worker")
    parser.add_argument("--scheduler", help="the address of a running Dask scheduler; without, workers start here")
    parser.add_argument("--freshet", default=shutil.which("freshet"), help="the command, by its path on the workers")
    parser.add_argument("--output", required=True, help="where the shares go, and merged/; all workers must see it")
    parser.add_argument("--lead", type=int, default=10, help="in how many seconds the load begins (default: 10)")
    parser.add_argument("--threshold", action="append", default=[], help="what must come of the load as a whole")
    parser.add_argument("load", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.freshet is None:
        parser.error("there is no freshet on the PATH; say where it is by --freshet")
    output, freshet = os.path.abspath(chosen.output), os.path.abspath(chosen.freshet)
    try:
        with connected(chosen.scheduler, chosen.shares) as client:
            code = run(client, freshet, chosen.load, chosen.shares, chosen.lead, output)
    except Unreachable as error:
        tell(str(error))
        return 75
    if code != 0:
        return code
    shares = [f"{output}/share-{number}" for number in range(1, chosen.shares + 1)]
    thresholds = [word for text in chosen.threshold for word in ("--threshold", text)]
    merge = [freshet, "load", "merge", *shares, "--output", f"{output}/merged", *thresholds]
    return subprocess.run(merge, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
