import Experiments
import LiveActivityModel
import TextFormats

/// Funnels from requests to screens.
extension Chart {
    /// Returns funnels below each other: pushes, retries, episodes of staleness; nil if there are none of them.
    ///
    /// Lengths are shares of a funnel's first bar, because there are far fewer episodes than pushes. Counts are beside
    /// the bars. Empty funnels are left out.
    static func funnel(_ result: RunResult) -> Chart? {
        let total = result.total
        let sent = total.pushesSent
        let attempts = RetryAttempts(total).stages
        let all: [(name: String, stages: [(name: String, count: Int64, colour: Colour)])] = [
            (
                "pushes, including repeats",
                [
                    ("sent", sent, .skyBlue), ("accepted by APNs", total[.responsesAccepted], .skyBlue),
                    ("shown on the phone", total[.fateShown], .blue),
                ]
            ),
            (
                "retries, without repeats",
                zip(attempts, [.skyBlue, .grey, .skyBlue, .skyBlue, .blue]).map { ($0.name, $0.count, $1) }
            ),
            (
                "episodes of staleness",
                [
                    ("begun", total[.episodesBegun], .skyBlue), ("fresh again", total[.episodesRecovered], .blue),
                    ("cut short by the end", total[.episodesCutShort], .grey),
                    ("given up as severe", total[.episodesEndedSevere], .vermillion),
                    ("of these, phone fresh", total[.falseKills], .vermillion),
                ]
            ),
        ]
        // Retries and episodes are the monitor's.
        let hasMonitor = result.scenario.monitor.enabled
        let funnels = all.prefix(hasMonitor ? all.count : 1).filter { $0.stages[0].count > 0 }
        guard !funnels.isEmpty else { return nil }
        let episodes = hasMonitor ? total[.episodesBegun] : 0
        return Chart(
            name: "funnel",
            title: episodes > 0
                ? "Of \(Format.count(mean: result.perReplication(episodes))) episodes of staleness\(Report.perRun(result)), "
                    + "\(Format.percent(total[.episodesRecovered], of: episodes)) became fresh again"
                : hasMonitor
                    ? "Pushes and retries: no instance became stale"
                    : "\(Format.percent(total[.fateShown], of: sent)) of the pushes were shown on the phone",
            subtitle: subtitle(result) + "; shares of the first bar of each group"
                + (result.replications > 1 ? ", counts per run" : ""),
            titleFrame: "bounds",
            body: [
                "spacing": 14,
                "vconcat": .array(
                    funnels.enumerated()
                        .map { index, funnel in
                            funnelPlot(result, funnel.name, funnel.stages, hasAxis: index == funnels.count - 1)
                        }
                ),
            ]
        )
    }

    private static func funnelPlot(
        _ result: RunResult,
        _ name: String,
        _ stages: [(name: String, count: Int64, colour: Colour)],
        hasAxis: Bool
    ) -> JSONValue {
        let whole = stages[0].count
        let rows = stages.map { stage -> JSONValue in
            let share = whole > 0 ? " · \(Format.percent(stage.count, of: whole))" : ""
            return [
                "stage": .string(stage.name),
                "label": .string(Format.count(mean: result.perReplication(stage.count)) + share),
                "percent": .decimal(whole > 0 ? Double(stage.count) / Double(whole) * 100 : 0, places: 3),
                "colour": stage.colour.json,
            ]
        }
        let y: JSONValue = [
            "field": "stage", "type": "nominal", "sort": .null,
            "axis": [
                "title": .string(name), "ticks": false, "domain": false, "labelLimit": 170, "minExtent": 170,
                "titleAlign": "left", "titleAngle": 0, "titleAnchor": "start", "titleX": -170, "titleY": -6,
                "titleFontWeight": "bold",
            ],
        ]
        let axis: JSONValue =
            hasAxis ? ["title": "share of the group's first bar [%]", "values": [0, 25, 50, 75, 100]] : .null
        return [
            "width": .integer(width - 120), "height": ["step": 24], "data": ["values": .array(rows)],
            "layer": [
                [
                    "mark": ["type": "bar", "height": 16],
                    "encoding": [
                        // The scale leaves room for the count beside the longest bar.
                        "x": quantity("percent", axis: axis, scale: ["domain": [0, 145], "nice": false]), "y": y,
                        "color": ["field": "colour", "type": "nominal", "scale": .null],
                    ],
                ],
                [
                    "mark": ["type": "text", "align": "left", "dx": 5, "fontSize": 12, "color": "#333333"],
                    "encoding": ["x": quantity("percent"), "y": y, "text": ["field": "label", "type": "nominal"]],
                ],
            ],
        ]
    }
}
