# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # From a sweep to a decision
#
# Use this notebook to choose a setting from a sweep: which one gains most, at what price, and how sure is that? A sweep
# runs a scenario at every combination of some values, with the same random worlds at each: the same rides, phones and
# losses. Settings are therefore compared by their differences within a world.
#
# Everything is read from `sweep.json`, `points.csv` and `results.csv`, and every number in the text is computed from
# them. The next cell names the sweep and its responses. Environment variables select others; paths must be absolute.

# %% tags=["parameters"]
import os
from pathlib import Path

sweep = Path(os.environ.get("FRESHET_SWEEP", "../results/what-freshness-costs"))
# Responses of the sweep: the gain (more is better) and its cost. None: the first that fits.
GAIN = os.environ.get("FRESHET_GAIN")
COST = os.environ.get("FRESHET_COST")
# The highest cost allowed; None: the median of the design points.
MOST = os.environ.get("FRESHET_MOST")

# %%
import json
from math import sqrt

import altair as alt
import pandas as pd
from IPython.display import Markdown

BLUE, SKY, ORANGE, GREY = "#0072B2", "#56B4E9", "#E69F00", "#999999"
alt.renderers.enable("svg")
pd.set_option("display.width", 110, "display.max_columns", 12)
identity = json.loads((sweep / "sweep.json").read_text(encoding="utf-8"))
responses = identity["responses"]


def response(variable, named, beginnings):
    """The response of a name, or the first that begins as it should."""
    fitting = [name for name in responses if name == named or named is None and name.startswith(beginnings)]
    if not fitting:
        raise ValueError(f"{variable} must name a response of {sweep}, got {named}; it has {', '.join(responses)}")
    return fitting[0]


GAIN = response(
    "FRESHET_GAIN", GAIN, ("displayed_fresh_time_ratio", "ride_fresh_coverage_ratio", "ride_stage_coverage_ratio")
)
COST = response("FRESHET_COST", COST, ("pushes_per_activity", "pushes_sent_count"))
Markdown(f"**{identity['name']}**: the most `{GAIN}` for the least `{COST}`")

# %%
# A setting that defines freshness changes the metric basis of each of its levels.
BASES = {"displayed_fresh_time_ratio": {"content.ttl"}, "ride_fresh_coverage_ratio": {"content.ttl"}}
metric = GAIN.split("{")[0].split("@")[0]
varied = [f for f in identity["factors"] if any(f"{basis}.".startswith(f"{f}.") for basis in BASES.get(metric, ()))]
Markdown(
    f"**Careful.** The sweep varies {', '.join(f'`{factor}`' for factor in varied)}, by which `{GAIN}` is measured: it "
    "may rise though no screen shows newer content. Choose by a response that does not depend on it, as "
    "`ride_stage_coverage_ratio`."
    if varied
    else (
        f"No factor of the sweep changes how `{metric}` is measured."
        if metric in BASES or metric == "ride_stage_coverage_ratio"
        else f"`freshet metrics {metric}` says by which settings it is measured; do not vary one of them."
    )
)

# %% [markdown]
# ## The design points
#
# A row for each: its levels, its number of replications, and each response with its 95 % interval.

# %%
points = pd.read_csv(sweep / "points.csv", dtype={"point": int}).set_index("point")
factors = identity["factors"]
points[factors] = points[factors].astype(str)
levels = {factor: list(dict.fromkeys(points[factor])) for factor in factors}
short = {factor: factor.split(".")[-1].replace("_", " ") for factor in factors}
points["setting"] = points[factors].agg(", ".join, axis=1)
results = pd.read_csv(sweep / "results.csv")
# `points.csv` has the sums of counts over the replications; per run they can be compared with the reports.
counts = set(results.loc[results["unit"].eq("count"), "response"])
named = {name: f"{name}, per run" if name in counts else name for name in responses}
for name in counts & set(points.columns):
    points[[name, f"{name}_ci_low", f"{name}_ci_high"]] = points[
        [name, f"{name}_ci_low", f"{name}_ci_high"]
    ].div(points["replications"], axis=0)
points["gain"], points["cost"] = points[GAIN], points[COST]
defined = points.dropna(subset=["gain", "cost"])
print(
    f"{len(points)} points of {', '.join(factors)}, {len(defined)} with values; "
    f"{points['replications'].min()} to {points['replications'].max()} replications of each"
)
points.nlargest(5, "gain")[["setting", GAIN, f"{GAIN}_ci_low", f"{GAIN}_ci_high", COST]].rename(columns=named)

# %% [markdown]
# ## The effect of each factor
#
# The mean over all levels of the other factors, if the design is a grid. The steeper the line, the stronger the factor;
# `effects.csv` has the intervals.

# %%
is_share = results.query("response == @GAIN")["unit"].eq("1").all()
FORMAT = ".2%" if is_share else "~s"


def effect(column, title, format):
    means = [
        defined.groupby(factor, sort=False)[["gain", "cost"]].mean().reset_index(names="level") for factor in factors
    ]
    # One axis for all panels, at least as long as the largest interval, so that a tie has one height everywhere.
    ends = pd.concat(means)[column]
    middle = (ends.min() + ends.max()) / 2
    response = {"gain": GAIN, "cost": COST}[column]
    spread = (defined[f"{response}_ci_high"] - defined[f"{response}_ci_low"]).max()
    half = max(ends.max() - ends.min(), 0 if pd.isna(spread) else spread) / 2 * 1.1 or abs(middle) / 10 or 1
    domain = [middle - half, middle + half]
    plots = [
        alt.Chart(mean)
        .mark_line(color=BLUE, point=True)
        .encode(
            x=alt.X("level:O", sort=levels[factor], title=short[factor], axis=alt.Axis(labelAngle=0)),
            y=alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=domain), axis=alt.Axis(format=format, tickCount=5)),
        )
        .properties(width=150, height=150)
        for factor, mean in zip(factors, means)
    ]
    return alt.hconcat(*plots)


if identity["design"] == "grid":
    chart = effect("gain", named[GAIN], FORMAT) & effect("cost", named[COST], ".4~s")
else:
    chart = Markdown(f"The design is `{identity['design']}`, which does not cross levels: see `report.md`.")
chart

# %% [markdown]
# ## The cost of the gain
#
# A point is on the Pareto front when no other gains as much for less, by their means. Chance may have put a point
# there, or kept it away: `pareto.csv` marks the points for which this is uncertain.

# %%
ordered = defined.sort_values(["cost", "gain"], ascending=[True, False])
front = ordered[ordered["gain"] > ordered["gain"].cummax().shift(fill_value=float("-inf"))]
scales = {
    "x": alt.X("cost:Q", title=named[COST], scale=alt.Scale(zero=False, padding=12)),
    "y": alt.Y("gain:Q", title=named[GAIN], scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(format=FORMAT)),
}
drawn = ["gain", "cost", "setting"]
best = alt.Chart(front[drawn])
(
    alt.Chart(defined.drop(front.index)[drawn])
    .mark_point(shape="diamond", filled=True, color=GREY, size=40)
    .encode(**scales)
    + best.mark_line(interpolate="step-after", color=BLUE, opacity=0.5).encode(**scales)
    + best.mark_point(filled=True, color=BLUE, size=60, opacity=1).encode(**scales)
    + best.mark_text(align="left", dx=7, dy=8, fontSize=11).encode(**scales, text="setting:N")
).properties(
    width=520,
    height=280,
    title=f"{len(front)} of {len(defined)} settings are on the front ({', '.join(short.values())})",
)

# %%
front[["setting", COST, GAIN, f"{GAIN}_ci_low", f"{GAIN}_ci_high"]].rename(columns=named)

# %% [markdown]
# ## How sure is the choice?
#
# Take the point with the largest gain among those that are cheap enough. Compare every other with it in the same
# worlds: replication by replication, with Student's interval of the differences. Where the interval contains zero, the
# two are statistically tied. (Many comparisons at once are less sure than one; `freshet tune` accounts for that.)

# %%
worlds = results[results["response"].eq(GAIN)].pivot(index="replication", columns="point", values="value")
limit = defined["cost"].median() if MOST is None else float(MOST)
cheap = defined[defined["cost"] <= limit]
if cheap.empty:
    raise ValueError(f"FRESHET_MOST must be at least {defined['cost'].min()}, the least {named[COST]}, got {MOST}")
choice = cheap["gain"].idxmax()
show = "{:.2%}" if is_share else "{:,.6g}"
print(
    f"at most {limit:,.2f} {named[COST]}: {points.loc[choice, 'setting']}, "
    f"with {show.format(points.loc[choice, 'gain'])} {named[GAIN]}"
)

# Student's 97.5 % quantiles for 1 to 9 degrees of freedom (tables), beyond that the tenth's is close enough and
# cautious.
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]
differences = worlds.reindex(columns=cheap.index).sub(worlds[choice], axis=0).drop(columns=choice)
pairs = differences.count()
scale, unit = (100, "percentage points") if is_share else (1, "in its unit")
mean = differences.mean() * scale
half_width = pd.Series(
    {
        point: differences[point].std() * scale * STUDENT[min(n - 1, len(STUDENT)) - 1] / sqrt(n)
        for point, n in pairs.items()
        if n >= 2
    },
    dtype=float,
)
paired = pd.DataFrame(
    {"setting": points["setting"], "difference": mean, "low": mean - half_width, "high": mean + half_width}
)
paired = paired.dropna().sort_values("difference", ascending=False)
paired["verdict"] = [
    "statistically tied" if low <= 0 <= high else "worse" if high < 0 else "better"
    for low, high in zip(paired["low"], paired["high"])
]
untold = [point for point in cheap.index if point != choice and point not in half_width.index]

nearest = paired.head(12)
rows = alt.Chart(nearest).encode(
    y=alt.Y("setting:N", sort=list(nearest["setting"]), title=None),
    color=alt.Color(
        "verdict:N",
        title=None,
        scale=alt.Scale(domain=["worse", "statistically tied", "better"], range=[BLUE, ORANGE, SKY]),
        legend=alt.Legend(orient="top"),
    ),
)
if paired.empty:
    chart = Markdown("No other point can be compared: it takes another one that is cheap enough, and two replications.")
else:
    chart = (
        alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=GREY, strokeDash=[4, 3]).encode(x="zero:Q")
        + rows.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", title=f"{GAIN}, less the choice's [{unit}]"), x2="high:Q"
        )
        + rows.mark_point(filled=True, size=60, opacity=1).encode(x="difference:Q")
    ).properties(
        width=420,
        title=f"The nearest {len(nearest)} of {len(paired)} points against {points.loc[choice, 'setting']}",
    )
chart

# %% [markdown]
# The benefit of common random worlds:

# %%
apart = (worlds.reindex(columns=differences.columns).var() + worlds[choice].var()).pow(0.5)
times = (apart / differences.std()).replace(float("inf"), float("nan")).median()
Markdown(
    "The benefit is unknown: it takes two replications of two points."
    if pd.isna(times)
    else "Compared as if the points had seen different worlds, the standard error of a difference would be "
    f"{times:.1f} times as large (the median over the points)."
)

# %% [markdown]
# ## The decision
#
# The choice, and every point that is statistically tied with it, with all responses: another point may be better in a
# response that was not considered. `freshet tune` answers such a question while it runs. It states the probability of
# being right, and stops when it is high enough or the budget is spent.

# %%
alike = [choice, *paired.index[paired["verdict"].eq("statistically tied")], *untold]
points.loc[alike, ["setting", *responses]].rename(columns=named)
