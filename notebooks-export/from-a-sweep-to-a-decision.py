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
# A sweep runs a scenario at every combination of some values, with the same random worlds at each: the same rides, phones
# and losses meet every setting. So settings are compared by the differences within a world, which vary far less than the
# worlds do. Here: which setting keeps phones fresh at what price in pushes, on `results/what-freshness-costs`.
#
# Everything is read from `points.csv` and `results.csv`. Other sweeps: change the next cell.

# %%
from math import sqrt
from pathlib import Path

import altair as alt
import pandas as pd

sweep = Path("../results/what-freshness-costs")
GAIN, COST = "displayed_fresh_time_ratio", "pushes_per_activity"
MOST_PUSHES = None  # what may be spent per activity; None for the median of the design points

BLUE, SKY, ORANGE, GREY = "#0072B2", "#56B4E9", "#E69F00", "#999999"
alt.renderers.enable("svg")
pd.set_option("display.width", 110, "display.max_columns", 12)

# %% [markdown]
# ## The design points
#
# A row for each: its levels, how many replications it had, and each response with its 95 % interval.

# %%
points = pd.read_csv(sweep / "points.csv", dtype={"point": int}).set_index("point")
factors = list(points.columns[: points.columns.get_loc("replications")])
points[factors] = points[factors].astype(str)
levels = {factor: list(dict.fromkeys(points[factor])) for factor in factors}
short = {factor: factor.split(".")[-1].replace("_", " ") for factor in factors}
points["setting"] = points[factors].agg(", ".join, axis=1)
print(f"{len(points)} points of {', '.join(factors)}; {points['replications'].iloc[0]} replications of each")
points.nlargest(5, GAIN)[["setting", GAIN, f"{GAIN}_ci_low", f"{GAIN}_ci_high", COST]]

# %% [markdown]
# ## What each factor does by itself
#
# The mean over all levels of the others. The steeper, the more it matters.

# %%
effects = pd.concat(
    points.groupby(factor, sort=False)[[GAIN, COST]].mean().reset_index(names="level").assign(factor=short[factor])
    for factor in factors
)


def effect(response, title, format):
    plots = [
        alt.Chart(effects[effects["factor"].eq(short[factor])])
        .mark_line(color=BLUE, point=True)
        .encode(
            x=alt.X("level:O", sort=levels[factor], title=short[factor], axis=alt.Axis(labelAngle=0)),
            y=alt.Y(f"{response}:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(format=format)),
        )
        .properties(width=150, height=150)
        for factor in factors
    ]
    return alt.hconcat(*plots).resolve_scale(y="shared")


effect(GAIN, "time fresh on phones", ".1%") & effect(COST, "pushes per activity", ".1f")

# %% [markdown]
# ## What freshness costs
#
# A point is on the Pareto front when no other is as fresh for fewer pushes. The rest need not be looked at again.

# %%
ordered = points.sort_values([COST, GAIN], ascending=[True, False])
front = ordered[ordered[GAIN] > ordered[GAIN].cummax().shift(fill_value=-1)]
scales = {
    "x": alt.X(f"{COST}:Q", title="pushes per activity", scale=alt.Scale(zero=False, padding=12)),
    "y": alt.Y(
        f"{GAIN}:Q", title="time fresh on phones", scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(format=".1%")
    ),
}
dominated = (
    alt.Chart(points.drop(front.index)).mark_point(shape="diamond", filled=True, color=GREY, size=40).encode(**scales)
)
best = alt.Chart(front)
(
    dominated
    + best.mark_line(interpolate="step-after", color=BLUE, opacity=0.5).encode(**scales)
    + best.mark_point(filled=True, color=BLUE, size=60, opacity=1).encode(**scales)
    + best.mark_text(align="left", dx=7, dy=8, fontSize=11).encode(**scales, text="setting:N")
).properties(
    width=520,
    height=280,
    title=f"{len(front)} of {len(points)} settings are worth a look ({', '.join(short.values())})",
)

# %%
front[["setting", COST, GAIN, f"{GAIN}_ci_low", f"{GAIN}_ci_high"]]

# %% [markdown]
# ## How sure is the choice?
#
# Of the points that are cheap enough take the freshest, and compare every other with it in the same worlds: replication
# by replication, with Student's interval of the differences. Where the interval holds zero the data cannot tell the two
# apart. (Many comparisons at once are less sure than one; `freshet tune` accounts for that.)

# %%
results = pd.read_csv(sweep / "results.csv")
worlds = results[results["response"].eq(GAIN)].pivot(index="replication", columns="point", values="value")
limit = points[COST].median() if MOST_PUSHES is None else MOST_PUSHES
cheap = points[points[COST] <= limit]
choice = cheap[GAIN].idxmax()
print(f"at most {limit:.2f} pushes per activity: {points.loc[choice, 'setting']}, fresh {points.loc[choice, GAIN]:.2%}")

# Student's 97.5 % quantiles for 1 to 9 degrees of freedom (tables), beyond that the tenth's is close enough and cautious.
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]
differences = worlds[cheap.index].sub(worlds[choice], axis=0).drop(columns=choice)
n = len(differences)
half_width = differences.std() * STUDENT[min(n - 1, len(STUDENT)) - 1] / sqrt(n)
paired = (
    pd.DataFrame(
        {
            "setting": points["setting"],
            "difference": differences.mean() * 100,
            "low": (differences.mean() - half_width) * 100,
            "high": (differences.mean() + half_width) * 100,
        }
    )
    .dropna(subset="difference")
    .sort_values("difference", ascending=False)
    .head(12)
)
paired["verdict"] = [
    "cannot be told apart" if low <= 0 <= high else "worse" for low, high in zip(paired["low"], paired["high"])
]

rows = alt.Chart(paired).encode(
    y=alt.Y("setting:N", sort=list(paired["setting"]), title=None),
    color=alt.Color(
        "verdict:N",
        title=None,
        scale=alt.Scale(domain=["worse", "cannot be told apart"], range=[BLUE, ORANGE]),
        legend=alt.Legend(orient="top"),
    ),
)
(
    alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=GREY, strokeDash=[4, 3]).encode(x="zero:Q")
    + rows.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title="fresh on phones, less the choice's [percentage points]"), x2="high:Q"
    )
    + rows.mark_point(filled=True, size=60, opacity=1).encode(x="difference:Q")
).properties(width=420, title=f"Against {points.loc[choice, 'setting']}, in the same {n} worlds")

# %% [markdown]
# The same worlds are what makes this sharp. Compared as if the points had seen different ones, the typical interval would be
# this many times as wide:

# %%
unpaired = (worlds[cheap.index].drop(columns=choice).var() + worlds[choice].var()).pow(0.5)
print(f"{(unpaired / differences.std()).median():.1f}")

# %% [markdown]
# ## The decision
#
# Take the choice, unless one that cannot be told apart from it is better in what was not asked: fewer pushes, or fewer
# activities given up. `freshet tune` makes the same choice while it runs, with a stated probability of being right, and
# stops when it is sure.

# %%
alike = [choice, *paired.index[paired["verdict"].eq("cannot be told apart")]]
others = [name for name in points.columns if f"{name}_ci_low" in points.columns and name != GAIN]
points.loc[alike, ["setting", GAIN, *others]]
