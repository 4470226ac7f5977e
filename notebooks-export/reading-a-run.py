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
# Use this notebook to answer questions about a run that `report.md` does not answer. It shows the contents of the run's
# files. Everything is read from the run's directory with pandas and drawn with Altair, and every number in the text is
# computed from it.
#
# The next cell names the run. To read another one, set `FRESHET_RUN` in the environment to its absolute path.

# %% tags=["parameters"]
import os
from pathlib import Path

run = Path(os.environ.get("FRESHET_RUN", "../results/apns-outage"))

# %%
import json
import re

import altair as alt
import pandas as pd
import yaml
from IPython.display import Markdown

# Okabe and Ito's colours, which people with any colour vision can distinguish.
BLUE, SKY, ORANGE, VERMILLION, GREY = "#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#999999"
alt.renderers.enable("svg")
alt.theme.enable("default")
pd.set_option("display.width", 110, "display.max_columns", 12)
identity = json.loads((run / "run.json").read_text(encoding="utf-8"))
identity

# %%
scenario = yaml.safe_load((run / "scenario.resolved.yaml").read_text(encoding="utf-8"))
Markdown(f"**{scenario['name']}**: {scenario.get('description') or 'no description'}")

# %% [markdown]
# ## The summary
#
# One row for each scope, metric and statistic. `ci_low` and `ci_high` bound the 95 % interval where there is one. `n`
# is the number of parts that it is based on: replications, or the cells of a single replication.

# %%
summary = pd.read_csv(run / "summary.csv")
summary[summary["stat"].eq("ratio") & summary["scope"].eq("all")][["metric", "unit", "value", "ci_low", "ci_high", "n"]]

# %% [markdown]
# Scopes such as `reason:severe` split a whole into parts. Why did activities end?

# %%
ends = summary.query("metric == 'activities_ended_count' and value > 0 and scope.str.startswith('reason:')").copy()
# A count in `summary.csv` is the sum over the replications.
replications = identity["replications"]
ends["value"] /= replications
unit = "ends per run" if replications > 1 else "ends"
ends["reason"] = ends["scope"].str.removeprefix("reason:").str.replace("_", " ")
if ends.empty:
    chart = Markdown("No activity ended.")
else:
    most = ends.loc[ends["value"].idxmax()]
    chart = alt.Chart(
        ends,
        title=f"{most['reason']}: {most['value'] / ends['value'].sum():.1%} of {ends['value'].sum():,.0f} {unit}",
        width=460,
    ).mark_bar(color=SKY).encode(
        x=alt.X("value:Q", title=f"activities: {unit} (log scale)", scale=alt.Scale(type="log", domainMin=0.5 / replications)),
        x2=alt.datum(0.5 / replications),
        y=alt.Y("reason:N", sort="-x", title=None),
    ) + alt.Chart(
        ends
    ).mark_text(
        align="left", dx=4
    ).encode(
        x="value:Q", y=alt.Y("reason:N", sort="-x"), text=alt.Text("value:Q", format=",.2~f")
    )
chart

# %% [markdown]
# ## The run over time
#
# `timeseries.csv` holds sums per window, in whole microseconds and counts. Nothing is rounded, so windows can be added
# up to longer ones before dividing. Instants count from the run's start; `clock.starts_at` gives its time of day.
# Faults are grey.

# %%
UNITS = {"us": 1, "ms": 1e3, "s": 1e6, "m": 60e6, "h": 3600e6, "d": 86400e6}


def microseconds(duration):
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+)(us|ms|s|m|h|d)", str(duration)))


start = pd.Timestamp(f"1970-01-01 {scenario['clock']['starts_at']}")
series = pd.read_csv(run / "timeseries.csv")
series["time"] = start + pd.to_timedelta(series["window_start_us"], unit="us")
# While rides arrive; the few cards left after that say little about the rides.
course = series[series["window_start_us"] < microseconds(scenario["clock"]["duration"])]
share = (course["displayed_fresh_time_us"] / course["displayed_time_us"]).set_axis(course["time"])
belief = (course["fresh_time_us"] / course["monitored_time_us"]).set_axis(course["time"])
fresh = pd.DataFrame({"on phones": share, "as the monitor believes": belief}).reset_index()
fresh = fresh.melt("time", var_name="fresh", value_name="share").dropna()

faults = pd.DataFrame(
    [
        {
            "kind": fault["kind"].replace("_", " "),
            "from": start + pd.Timedelta(microseconds(fault["at"]), unit="us"),
            "until": start
            + pd.Timedelta(microseconds(fault["at"]) + microseconds(fault.get("duration", "0s")), unit="us"),
        }
        for fault in scenario.get("faults") or []
    ],
    columns=["kind", "from", "until"],
)
shade = alt.Chart(faults).mark_rect(color=GREY, opacity=0.3, stroke=GREY).encode(x="from:T", x2="until:T")
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
layers = lines if faults.empty else shade + lines
layers.properties(
    width=560,
    height=240,
    title=f"On phones: {share.min():.1%} fresh in the window from {share.idxmin():%H:%M}, the lowest",
)

# %% [markdown]
# How far did the share fresh on phones fall in each fault, and when did it recover? It has recovered at the share of
# the hour before, less one percentage point. Each fault is followed until the next one begins or rides no longer
# arrive.


# %%
def fate(fault, next_begins):
    hour = course[(course["time"] < fault["from"]) & (course["time"] >= fault["from"] - pd.Timedelta(hours=1))]
    after = share[(share.index >= fault["from"]) & (share.index < next_begins)].dropna()
    if hour["displayed_time_us"].sum() == 0 or after.empty:
        return f"{fault['kind']} at {fault['from']:%H:%M}: no windows to compare"
    before = hour["displayed_fresh_time_us"].sum() / hour["displayed_time_us"].sum()
    back = after[(after.index >= fault["until"]) & (after > before - 0.01)]
    return (
        f"{fault['kind']} at {fault['from']:%H:%M}: {before:.2%} fresh in the hour before, lowest {after.min():.2%}, "
        + (f"back in the window that begins at {back.index[0]:%H:%M}" if len(back) else "not back by then")
    )


faults = faults.sort_values("from", ignore_index=True)
begins = [*faults["from"].iloc[1:], pd.Timestamp.max]
print("\n".join(map(fate, faults.to_dict("records"), begins)) or "The scenario has no faults.")

# %% [markdown]
# ## Cost in pushes
#
# Pushes of each kind per minute; with several replications, their mean.

# %%
kinds = {
    "updates_sent_count": "updates",
    "retries_sent_count": "retries",
    "ends_sent_count": "ends",
    "starts_sent_count": "starts",
}
sent = {column: kind for column, kind in kinds.items() if course[column].sum() > 0}
pushes = course.melt(["time", "window_us"], list(sent), "kind", "count").replace({"kind": sent})
pushes["per minute"] = pushes["count"] / (pushes["window_us"] / 60e6) / identity["replications"]
rate = pushes.groupby("time")["per minute"].sum()
if rate.empty:
    chart = Markdown("No push was sent.")
else:
    chart = (
        alt.Chart(
            pushes,
            title=f"Up to {rate.max():,.0f} a minute, from {rate.idxmax():%H:%M} on; median {rate.median():,.0f}",
        )
        .mark_area(interpolate="step-after")
        .encode(
            x=alt.X("time:T", title="time of day", axis=alt.Axis(format="%H:%M")),
            y=alt.Y("sum(per minute):Q", title="pushes sent [1/min]"),
            color=alt.Color(
                "kind:N",
                title=None,
                scale=alt.Scale(domain=list(kinds.values()), range=[SKY, ORANGE, VERMILLION, BLUE]),
                legend=alt.Legend(orient="top"),
            ),
        )
        .properties(width=560, height=220)
    )
chart

# %% [markdown]
# ## Distributions
#
# `histograms.csv` holds every distribution in sparse buckets that are the same in each run, so histograms of runs are
# added by adding weights. Quantiles are accurate to the width of a bucket, under 1.6 %. An example is the recovery
# time: from the lapse of an instance to fresh content.

# %%
histograms = pd.read_csv(run / "histograms.csv")
recovery = histograms[histograms["metric"].eq("recovery_time_us") & histograms["scope"].eq("all")].copy()
recovery["seconds"] = recovery["bucket_high"] / 1e6
recovery["share"] = recovery["weight"].cumsum() / recovery["weight"].sum()
if recovery.empty:
    quantiles = pd.Series(dtype=float)
    chart = Markdown("Nothing recovered: no episode, or none that ended with fresh content.")
else:
    quantiles = pd.Series(
        {f"p{q:.0%}"[:-1]: recovery.loc[recovery["share"].ge(q), "seconds"].iloc[0] for q in (0.25, 0.5, 0.75, 0.95)}
    )
    chart = (
        alt.Chart(
            recovery,
            title=f"Half of the recoveries take up to {quantiles['p50']:.1f} s, 95 % up to {quantiles['p95']:.1f} s",
        )
        .mark_line(interpolate="step-after", color=BLUE)
        .encode(
            x=alt.X("seconds:Q", title="recovery time [s] (log scale)", scale=alt.Scale(type="log")),
            y=alt.Y("share:Q", title="share of recoveries no longer", axis=alt.Axis(format="%")),
        )
        .properties(width=560, height=220)
    )
chart

# %%
quantiles.round(1).to_frame("recovery time [s]")

# %% [markdown]
# ## One activity
#
# Activities have numbers. Two commands list the worst activities, and print the history of one, line by line:

# %%
print(f"freshet worst {run} --by stale_time\nfreshet explain {run} --activity NUMBER")
