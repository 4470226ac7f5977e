"""Runs the tasks of a freshet plan on Dask workers, then merges their results.

A task is one call of `freshet run PLAN --task N`. Its result is a file in the plan's directory, so a lost worker costs only
its current task, and running a task twice does no harm. Dask only schedules: no number passes through it.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time

import dask
from cluster import Unreachable, connected, tell
from distributed import Client, as_completed

# Exit codes that a second attempt cannot change: wrong usage, bad data, missing input (see `freshet --help`).
FINAL = {64, 65, 66}


class TaskFailed(Exception):
    """A task ended with an exit code that another attempt may avoid."""


def do_task(freshet: str, plan: str, number: int) -> tuple[int, int, str]:
    """Runs a task on a worker; returns its number, its exit code and its standard error."""
    command = [freshet, "run", plan, "--task", str(number), "--jobs", "1", "--quiet"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        return number, 66, f"{freshet}: {error.strerror}"
    if done.returncode != 0 and done.returncode not in FINAL:
        raise TaskFailed(f"task {number} ended with {done.returncode}: {done.stderr.strip()}")
    return number, done.returncode, done.stderr.strip()


def run(client: Client, freshet: str, plan: str, count: int, retries: int) -> int:
    """Runs all tasks; returns an exit code."""
    began = told = time.monotonic()
    futures = [
        client.submit(do_task, freshet, plan, number, key=f"{plan}#{number}", pure=False, retries=retries)
        for number in range(count)
    ]
    done = 0
    for future in as_completed(futures):
        try:
            number, code, said = future.result()
        except TaskFailed as error:
            client.cancel(futures)
            tell(f"{error}, {retries + 1} times; finished tasks are kept; the same command continues from there")
            return 75
        except Exception as error:  # Errors of Dask itself, such as a task whose workers were lost repeatedly.
            client.cancel(futures)
            tell(f"{type(error).__name__}: {error}; finished tasks are kept; the same command continues from there")
            return 75
        if code != 0:
            client.cancel(futures)
            tell(f"task {number} ended with {code}: {said}")
            return code
        done += 1
        now = time.monotonic()
        if now - told >= 5 or done == count:
            told = now
            left = (now - began) / done * (count - done)
            workers = len(client.scheduler_info(n_workers=-1)["workers"])
            tell(f"{done} of {count} tasks done, {workers} workers, {left:.0f} s left")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="run-with-dask", description=__doc__.splitlines()[0])
    parser.add_argument("plan", help="the directory that freshet plan wrote; every worker must see it by this path")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", help="the address of a running Dask scheduler, for example tcp://host:8786")
    where.add_argument("--workers", type=int, default=os.cpu_count(), help="how many tasks to run here at the same time")
    parser.add_argument("--freshet", default=shutil.which("freshet"), help="the command, by its path on the workers")
    parser.add_argument("--output", help="the result directory; results/<name> by default")
    parser.add_argument("--retries", type=int, default=3, help="how often a task that failed is tried again")
    chosen = parser.parse_args()
    if chosen.freshet is None:
        parser.error("there is no freshet on the PATH; say where it is by --freshet")
    plan, freshet = os.path.abspath(chosen.plan), os.path.abspath(chosen.freshet)
    try:
        with open(os.path.join(plan, "plan.json"), encoding="utf-8") as file:
            count = len(json.load(file)["tasks"])
    except OSError as error:
        tell(f"{plan}: there is no plan: {error.strerror}")
        return 66
    # Workers come and go: a task may lose a few without failing.
    dask.config.set({"distributed.scheduler.allowed-failures": 10})
    try:
        with connected(chosen.scheduler, chosen.workers) as client:
            code = run(client, freshet, plan, count, chosen.retries)
    except KeyboardInterrupt:
        tell("stopped; finished tasks are kept; the same command continues from there")
        return 130
    except Unreachable as error:
        tell(str(error))
        return 75
    if code != 0:
        return code
    output = [] if chosen.output is None else ["--output", chosen.output]
    return subprocess.run([freshet, "merge", plan, *output], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
