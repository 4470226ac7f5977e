import Evaluation
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
        // A push to a channel becomes a copy for each phone.
        let sent = total.pushesSent - total[.fateSentOn] + total[.pushesSentOn]
        let hasCopies = total[.pushesSentOn] > 0
        let attempts = RetryAttempts(total).stages
        let all: [(name: String, stages: [(name: String, count: Int64, colour: Colour)])] = [
            (
                hasCopies ? "pushes, with the copies of channels" : "pushes, including repeats",
                [("sent", sent, .skyBlue)]
                    + (hasCopies ? [] : [("accepted by APNs", total[.responsesAccepted], .skyBlue)])
                    + [("shown on the phone", total[.fateShown], .blue)]
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
                    ("severe, phone fresh", total[.falseKills], .vermillion),
                ]
            ),
        ]
        // Retries and episodes are the monitor's.
        let hasMonitor = result.scenario.monitor.enabled
        let funnels = all.prefix(hasMonitor ? all.count : 1).filter { $0.stages[0].count > 0 }
        guard !funnels.isEmpty else { return nil }
        let episodes = hasMonitor ? total[.episodesBegun] : 0
        return Chart(
            template: "funnel",
            name: "funnel",
            title: episodes > 0
                ? "Of \(Format.count(mean: result.perReplication(episodes))) episodes of staleness\(Report.perRun(result)), "
                    + "\(Format.percent(total[.episodesRecovered], of: episodes)) became fresh again"
                : hasMonitor
                    ? "Pushes and retries: no instance became stale"
                    : "\(Format.percent(total[.fateShown], of: sent)) of the pushes were shown on the phone",
            subtitle: subtitle(result) + "; shares of the first bar of each group"
                + (result.replications > 1 ? ", counts per run" : ""),
            [
                "funnels": .array(
                    funnels.enumerated()
                        .map { index, funnel in
                            [
                                "name": .string(funnel.name), "rows": .array(bars(result, funnel.stages)),
                                "axis": .string(index == funnels.count - 1 ? "shares" : "none"),
                            ]
                        }
                )
            ]
        )
    }

    private static func bars(
        _ result: RunResult,
        _ stages: [(name: String, count: Int64, colour: Colour)]
    ) -> [JSONValue] {
        let whole = stages[0].count
        return stages.map { stage in
            let share = whole > 0 ? " · \(Format.percent(stage.count, of: whole))" : ""
            return [
                "stage": .string(stage.name),
                "label": .string(Format.count(mean: result.perReplication(stage.count)) + share),
                "percent": .decimal(whole > 0 ? Double(stage.count) / Double(whole) * 100 : 0, places: 3),
                "colour": stage.colour.json,
            ]
        }
    }
}
