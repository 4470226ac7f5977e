import LiveActivityModel

extension MetricDeclaration {
    private static let outcomes = [
        NamedCounter("recovered", .episodesRecovered, "fresh again"),
        NamedCounter("severe", .episodesEndedSevere, "given up as severely stale"),
        NamedCounter("cut_short", .episodesCutShort, "cut short by the end of the activity"),
        NamedCounter("open_at_end", .episodesAtHorizon, "still open at the end of the run"),
    ]

    /// The columns of the time series that count an outcome.
    private static let outcomeColumns: [Counter: SeriesColumn] = [
        .episodesRecovered: .episodesRecovered, .episodesEndedSevere: .endedSevere,
    ]

    /// Episodes of staleness, as the monitor sees them, and what it does about them.
    static let episodes: [MetricDeclaration] = [
        MetricDeclaration(
            "stale_episodes_count",
            unit: "count",
            better: .lower,
            by: Ruler.allCases,
            "Times at which an instance lapsed in the monitor's eyes, by how the episode ended.",
            parts: [Part.total(.episodesBegun, in: .episodesBegun)]
                + Part.each("outcome", outcomes).enumerated()
                .map { index, part in
                    var part = part
                    part.totalColumns = outcomeColumns[outcomes[index].counter].map { [$0] } ?? []
                    return part
                }
        ),
        MetricDeclaration(
            "recovered_count",
            unit: "count",
            by: Ruler.allCases,
            "Episodes that ended because newer content was confirmed.",
            parts: [Part.total(.episodesRecovered, in: .episodesRecovered)]
        ),
        MetricDeclaration(
            "recovered_ratio",
            unit: "1",
            better: .higher,
            by: Ruler.allCases,
            "Of the episodes that began: the share that ended in recovery.",
            parts: [Part.ratio({ $0[.episodesRecovered] }, of: { $0[.episodesBegun] }, unit: "count")]
        ),
        MetricDeclaration(
            "recovery_time_us",
            unit: "us",
            better: .lower,
            by: Ruler.allCases,
            "From the lapse to the confirmation that ended the episode.",
            parts: [Part.tally { $0[.recoveryTime] }]
        ),
        MetricDeclaration(
            "ended_severe_count",
            unit: "count",
            better: .lower,
            by: Ruler.allCases,
            "Instances that the monitor gave up as severely stale.",
            parts: [Part.total(.episodesEndedSevere, in: .endedSevere)]
        ),
        MetricDeclaration(
            "false_kill_count",
            unit: "count",
            better: .lower,
            by: Ruler.allCases,
            "Of these: instances whose screen showed content before its stale date.",
            parts: [Part.total(.falseKills)]
        ),
        MetricDeclaration(
            "retries_withheld_count",
            unit: "count",
            "Retries not made because monitor.retry.budget was spent.",
            parts: [Part.total(.retriesWithheld).clustered]
        ),
    ]
}
