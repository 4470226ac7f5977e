"""M/M/1 with a load of 0.9 as a SimPy user would write it: a Store between an arriving and a serving process.

usage: mm1.py CUSTOMERS; prints the processor time per customer [ns].
"""

import random
import sys
import time

import simpy

MEAN_INTERARRIVAL = 1.0
MEAN_SERVICE = 0.9


def arrive(environment, line, customers):
    for _ in range(customers):
        yield environment.timeout(random.expovariate(1 / MEAN_INTERARRIVAL))
        yield line.put(environment.now)


def serve(environment, line, customers, times):
    for _ in range(customers):
        arrived = yield line.get()
        yield environment.timeout(random.expovariate(1 / MEAN_SERVICE))
        times.append(environment.now - arrived)


def run(customers):
    environment = simpy.Environment()
    line = simpy.Store(environment)
    times = []
    environment.process(arrive(environment, line, customers))
    environment.process(serve(environment, line, customers, times))
    environment.run()
    assert len(times) == customers


if __name__ == "__main__":
    count = int(sys.argv[1])
    random.seed(2026)
    run(min(count, 5000))
    began = time.process_time_ns()
    run(count)
    print((time.process_time_ns() - began) / count)
