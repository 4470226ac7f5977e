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
# # Reading a run
#
# What the files of a run hold and how to ask them questions of your own, on `results/apns-outage`: an evening of rides
# in New York in which APNs says nothing for ten minutes. `report.md` answers the usual questions; this is for the others.
#
# Everything here is read from CSV files with pandas and drawn with Altair. Other runs: change `run`.

# %%
import json
from pathlib import Path

import altair as alt
import pandas as pd

run = Path("../results/apns-outage")

# Okabe and Ito's colours, which people with any colour vision can tell apart.
BLUE, SKY, ORANGE, VERMILLION, GREY = "#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#999999"
alt.renderers.enable("svg")
alt.theme.enable("default")
pd.set_option("display.width", 110, "display.max_columns", 12)
json.loads((run / "run.json").read_text())

# %% [markdown]
# ## The summary
#
# One row for each scope, metric and statistic. `ci_low` and `ci_high` bound the 95 % interval where there is one; `n` is
# how many parts it comes from: replications or, here, the 16 cells of a single one.

# %%
summary = pd.read_csv(run / "summary.csv")
summary[summary["stat"].eq("ratio") & summary["scope"].eq("all")][["metric", "unit", "value", "ci_low", "ci_high", "n"]]

# %% [markdown]
# Scopes such as `reason:severe` split a whole into parts. Why did activities end?

# %%
ends = summary.query("metric == 'activities_ended_count' and scope != 'all'").copy()
ends["reason"] = ends["scope"].str.removeprefix("reason:").str.replace("_", " ")
alt.Chart(ends, title="Most activities end with their ride; 654 were given up", width=460).mark_bar(color=SKY).encode(
    x=alt.X("value:Q", title="activities ended (log scale)", scale=alt.Scale(type="log", domainMin=1)),
    x2=alt.datum(1),
    y=alt.Y("reason:N", sort="-x", title=None),
) + alt.Chart(ends).mark_text(align="left", dx=4).encode(
    x="value:Q", y=alt.Y("reason:N", sort="-x"), text=alt.Text("value:Q", format=",.0f")
)

# %% [markdown]
# ## The course of the evening
#
# `timeseries.csv` holds sums per window, in whole microseconds and counts: nothing is rounded, so windows can be added
# up to longer ones before anything is divided. Instants count from the run's start, which stands for 16:00.

# %%
series = pd.read_csv(run / "timeseries.csv")
series["time"] = pd.Timestamp("1970-01-01 16:00") + pd.to_timedelta(series["window_start_us"], unit="us")
# As long as rides arrive; after that a few cards are left whose shares say nothing about the evening.
evening = series[series["window_start_us"] < 6 * 3600e6]
fresh = pd.DataFrame(
    {
        "time": evening["time"],
        "on phones": evening["displayed_fresh_time_us"] / evening["displayed_time_us"],
        "as the monitor believes": evening["fresh_time_us"] / evening["monitored_time_us"],
    }
).melt("time", var_name="fresh", value_name="share")

outage = pd.DataFrame({"from": [pd.Timestamp("1970-01-01 18:00")], "until": [pd.Timestamp("1970-01-01 18:10")]})
shade = alt.Chart(outage).mark_rect(color=GREY, opacity=0.3).encode(x="from:T", x2="until:T")
lines = (
    alt.Chart(fresh)
    .mark_line(strokeWidth=2)
    .encode(
        x=alt.X("time:T", title="time of day", axis=alt.Axis(format="%H:%M")),
        y=alt.Y("share:Q", title="share of time fresh", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        color=alt.Color(
            "fresh:N",
            title=None,
            scale=alt.Scale(domain=["on phones", "as the monitor believes"], range=[BLUE, ORANGE]),
            legend=alt.Legend(orient="top"),
        ),
    )
)
(shade + lines).properties(width=560, height=240, title="While APNs is silent screens go stale, and the monitor knows")

# %% [markdown]
# How long did it take until phones were back where they had been? The mean of the hour before, less one percentage point,
# is the mark to reach.

# %%
share = (evening["displayed_fresh_time_us"] / evening["displayed_time_us"]).set_axis(evening["time"])
before = share[:"1970-01-01 17:59"].mean()
back = share["1970-01-01 18:10":][lambda after: after > before - 0.01].index[0]
print(f"before {before:.2%}, lowest {share.min():.2%}, back in the window that begins at {back:%H:%M}")

# %% [markdown]
# ## What it cost
#
# Retries pile up while nothing gets through; then they stop, because the budget of each activity is spent.

# %%
kinds = {"updates_sent_count": "updates", "retries_sent_count": "retries", "ends_sent_count": "ends"}
pushes = evening.melt(["time", "window_us"], list(kinds), "kind", "count").replace({"kind": kinds})
pushes["per minute"] = pushes["count"] / (pushes["window_us"] / 60e6)
alt.Chart(pushes, title="Pushes double in the outage, and dip when the given-up are gone").mark_area(
    interpolate="step-after"
).encode(
    x=alt.X("time:T", title="time of day", axis=alt.Axis(format="%H:%M")),
    y=alt.Y("sum(per minute):Q", title="pushes sent [1/min]"),
    color=alt.Color(
        "kind:N",
        title=None,
        scale=alt.Scale(domain=list(kinds.values()), range=[SKY, ORANGE, VERMILLION]),
        legend=alt.Legend(orient="top"),
    ),
).properties(
    width=560, height=220
)

# %% [markdown]
# ## Distributions
#
# `histograms.csv` holds every distribution in sparse buckets that are the same in each run: histograms of runs are added
# by adding weights. Quantiles are right to the width of a bucket, under 1.6 %. Recovery, from the lapse of an instance
# to fresh content, has two humps: a retry that works at once, and the end of the outage.

# %%
histograms = pd.read_csv(run / "histograms.csv")
recovery = histograms[histograms["metric"].eq("recovery_time_us")].copy()
recovery["seconds"] = recovery["bucket_high"] / 1e6
recovery["share"] = recovery["weight"].cumsum() / recovery["weight"].sum()
alt.Chart(recovery, title="Half of the recoveries take seconds, a quarter the rest of the outage").mark_line(
    interpolate="step-after", color=BLUE
).encode(
    x=alt.X(
        "seconds:Q", title="recovery time [s] (log scale)", scale=alt.Scale(type="log", domain=[0.5, 1000], clamp=True)
    ),
    y=alt.Y("share:Q", title="share of recoveries no longer", axis=alt.Axis(format="%")),
).properties(
    width=560, height=220
)

# %%
quantiles = pd.Series(
    {f"p{q:.0%}"[:-1]: recovery.loc[recovery["share"].ge(q), "seconds"].iloc[0] for q in (0.25, 0.5, 0.75, 0.95)}
)
quantiles.round(1).to_frame("recovery time [s]")

# %% [markdown]
# ## One activity
#
# Numbers name activities: `report.md` lists some worth a look. `freshet explain results/apns-outage --activity 11779`
# tells the story of one that was given up, line by line.
