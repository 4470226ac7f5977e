#!/usr/bin/env python3
"""Writes SALibIshigami.swift: SALib's own sample of the Ishigami function, its outputs and its indices.

    python3 -m venv /tmp/salib && /tmp/salib/bin/pip install SALib==1.5.1 numpy==2.4.6 scipy==1.17.1 pandas==2.3.3
    /tmp/salib/bin/python Tests/StatisticsTests/Fixtures/ishigami.py > Tests/StatisticsTests/Sensitivity/SALibIshigami.swift
"""

from importlib.metadata import version

import numpy
from SALib.analyze import sobol as analysis
from SALib.sample import sobol as design
from SALib.test_functions import Ishigami

problem = {"num_vars": 3, "names": ["x1", "x2", "x3"], "bounds": [[-numpy.pi, numpy.pi]] * 3}
sample = design.sample(problem, 32, calc_second_order=False, scramble=True, seed=7)
outputs = Ishigami.evaluate(sample)
indices = analysis.analyze(problem, outputs, calc_second_order=False, num_resamples=1000, conf_level=0.95, seed=7)


def rows(values):
    lines, line = [], "       "
    for value in values:
        text = f" {float(value)!r},"
        if len(line + text) > 120:
            lines.append(line)
            line = "       "
        line += text
    return "\n".join(lines + [line])


def array(name, comment, values):
    return f"    /// {comment}\n    static let {name}: [Double] = [\n{rows(values)}\n    ]"


print(
    f"""/// The Ishigami function as SALib {version("SALib")} samples and analyses it, for 32 base points.
///
/// Written by Fixtures/ishigami.py.
enum SALibIshigami {{
{array("outputs", "32 times A, the three A_B, B.", outputs)}
{array("first", "SALib's S1.", indices["S1"])}
{array("total", "SALib's ST.", indices["ST"])}
{array("firstReach", "SALib's S1_conf, from 1,000 resamples of its own draws.", indices["S1_conf"])}
{array("totalReach", "SALib's ST_conf.", indices["ST_conf"])}
}}"""
)
