#!/usr/bin/env python3
"""Writes send-log.csv: a provider's log of 1,000 requests to APNs, made by formulas.

usage: python3 send-log.py > send-log.csv

Request i is sent at 18:00:00 UTC + i / 4 s. Its latency is a quantile of the lognormal distribution with median 180 ms and
95th percentile 420 ms, at the i-th point of a golden-ratio sequence, in whole milliseconds. Its status follows from
7919 i modulo 1000: 4 of 1,000 are 429, 3 are 503, 1 is 500, 5 are 410, 2 get no answer within 10 s.
"""
import math
from statistics import NormalDist

SIGMA = math.log(420 / 180) / NormalDist().inv_cdf(0.95)
REFUSALS = [
    (4, "429", "TooManyRequests"),
    (7, "503", "ServiceUnavailable"),
    (8, "500", "InternalServerError"),
    (13, "410", "Unregistered"),
    (15, "timeout", ""),
]

print("timestamp,http_status,reason,latency_ms")
for i in range(1000):
    quarter = 18 * 3600 * 4 + i
    seconds, fraction = divmod(quarter, 4)
    time = f"2026-07-14T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction * 250:03}Z"
    score = NormalDist().inv_cdf((0.5 + 0.6180339887498949 * (i + 1)) % 1)
    latency = round(180 * math.exp(SIGMA * score))
    status, reason = next(((s, r) for limit, s, r in REFUSALS if 7919 * i % 1000 < limit), ("200", ""))
    print(f"{time},{status},{reason},{10000 if status == 'timeout' else latency}")
