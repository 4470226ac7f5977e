#!/usr/bin/env python3
"""Writes KNReference.swift: procedures KN and F as the papers have them, on whole numbers.

    python3 Tests/StatisticsTests/Fixtures/kn.py > Tests/StatisticsTests/Selection/KNReference.swift

KN: Kim and Nelson, ACM TOMACS 11, 2001, c = 1, by sample means and the width W(r). F: Andradottir and Kim, Naval Research
Logistics 57, 2010. Follows their formulas, not the Swift sources; nothing but the standard library.
"""

from fractions import Fraction


def response(system, replication):
    """A whole number that is hard to foresee; KNReferenceTests has the same."""
    mixed = (system * 7919 + replication * 104729 + system * replication * 31 + 12345) * 2654435761 % 2**32
    return (mixed >> 16) % 100


def h_squared(beta, n0):
    eta = ((2 * beta) ** (-2 / (n0 - 1)) - 1) / 2
    return 2 * eta * (n0 - 1)


def variance(values):
    mean = Fraction(sum(values), len(values))
    return float(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def kn(systems, alpha, delta, n0):
    """The selected system, and the replication in which each of the others is eliminated."""
    h2 = h_squared(alpha / (systems - 1), n0)
    data = [[response(i, j) for j in range(n0)] for i in range(systems)]
    s2 = {
        (i, l): variance([x - y for x, y in zip(data[i], data[l])]) for i in range(systems) for l in range(systems)
    }
    left, out, r = list(range(systems)), {}, n0
    while True:
        mean = {i: sum(data[i]) / r for i in left}
        keep = [
            i
            for i in left
            if all(mean[i] >= mean[l] - max(0, delta / (2 * r) * (h2 * s2[i, l] / delta**2 - r)) for l in left if l != i)
        ]
        for i in left:
            if i not in keep:
                out[i] = r
        left = keep
        if len(left) == 1:
            return left[0], [out.get(i, 0) for i in range(systems)], r
        for i in left:
            data[i].append(response(i, r))
        r += 1


def f(system, limit, beta, epsilon, n0):
    """Whether the system is feasible, and in which replication that is known."""
    h2 = h_squared(beta, n0)
    data = [response(system, j) for j in range(n0)]
    s2 = variance(data)
    while True:
        r = len(data)
        total = sum(data) - r * limit
        width = max(0, h2 * s2 / (2 * epsilon) - epsilon * r / 2)
        if total <= -width:
            return True, r
        if total >= width:
            return False, r
        data.append(response(system, r))


print("/// What Fixtures/kn.py, which follows the papers, comes to.")
print("enum KNReference {")
print("    /// Systems, α, δ, n₀; the selected, the replication of each elimination (0: none), the last replication.")
print("    static let selections: [(Int, Double, Double, Int, Int, [Int], Int)] = [")
cases = [(2, 0.05, 5, 10), (3, 0.05, 4, 10), (5, 0.1, 3, 20), (8, 0.05, 5, 10), (8, 0.01, 6, 15), (12, 0.05, 9, 5)]
for case in cases + [(12, 0.2, 60, 12)]:
    best, out, last = kn(*case)
    systems, alpha, delta, n0 = case
    print(f"        ({systems}, {alpha}, {delta}, {n0}, {best}, {out}, {last}),")
print("    ]")
print("    /// System, limit, β, ε, n₀; whether it is feasible, and the replication that shows it.")
print("    static let feasibility: [(Int, Double, Double, Double, Int, Bool, Int)] = [")
cases = [(0, 45, 0.05, 3, 10), (1, 52, 0.05, 3, 10), (2, 50, 0.025, 2, 10), (3, 40, 0.1, 5, 20), (4, 60, 0.01, 5, 5)]
for case in cases:
    feasible, last = f(*case)
    system, limit, beta, epsilon, n0 = case
    print(f"        ({system}, {limit}, {beta}, {epsilon}, {n0}, {str(feasible).lower()}, {last}),")
print("    ]")
print("}")
