import LiveActivityModel

extension MetricDeclaration {
    /// Episodes of staleness as the monitor sees them, and its reactions.
    static let episodes: [MetricDeclaration] =
        declared(in: .episodes) + [
            MetricDeclaration("stale_episodes_count", better: .lower, by: MetricBasis.allCases)
                .means("Episodes: times an instance became stale for the monitor, by how the episode ended."),
            MetricDeclaration("recovered_count", by: MetricBasis.allCases)
                .means("Episodes that ended because newer content was confirmed.")
                .measured([Metric.total(.episodesRecovered, in: .episodesRecovered).needs(.lapse)]),
            MetricDeclaration("recovered_ratio", better: .higher, by: MetricBasis.allCases)
                .means("Share of episodes that ended in recovery.")
                .measured([Metric.ratio({ $0[.episodesRecovered] }, of: { $0[.episodesBegun] }, unit: "count")]),
            MetricDeclaration("ended_severe_count", better: .lower, by: MetricBasis.allCases)
                .means("Instances that the monitor classified as severely stale and ended.")
                .measured([Metric.total(.episodesEndedSevere, in: .endedSevere).needs(.monitor, .severity)]),
        ]
}
