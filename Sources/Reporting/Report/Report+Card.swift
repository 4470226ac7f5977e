import Evaluation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import TextFormats

/// The card beyond its freshness: marks on stale content, the ETA, photos, alerts, and cards after their end.
extension Report {
    /// The section on cards; empty if the scenario switches on none of the mechanisms.
    var card: [Block] {
        let sections = [marks, eta, photos, alerts, endedCards].flatMap(\.self)
        return sections.isEmpty ? [] : .section("The card", sections)
    }

    private var marks: [Block] {
        guard scenario.devices.rendersStale != nil else { return [] }
        return [
            values(
                "stale content without a mark",
                [
                    ("of ride time", "ride_misleading_coverage_ratio", "ratio", "all"),
                    ("of screen time", "displayed_misleading_time_ratio", "ratio", "all"),
                ]
            ),
            .paragraph(
                "The app renders it like fresh content, so its rider takes it for fresh (`devices.renders_stale`)."
            ),
        ]
    }

    private var eta: [Block] {
        guard scenario.content.eta != nil else { return [] }
        let thresholds = scenario.measure.etaErrorOver.map { ($0, Format.span($0.microseconds)) }
        return [
            .table(percentiles([("Error of the ETA on screens, without its sign", "eta_error_us")])),
            values(
                "the ETA on screens",
                thresholds.map { threshold, text in
                    let scope = Summary.scope(within: threshold)
                    return ("of ride time: within \(text)", "ride_eta_coverage_ratio", "ratio", scope)
                }
                    + thresholds.map { threshold, text in
                        let scope = Summary.scope(over: threshold)
                        let title = "of the time with the current stage: off by more than \(text)"
                        return (title, "eta_error_time_ratio", "ratio", scope)
                    }
                    + [
                        ("shown minus newest, on average", "eta_bias_us", "rate", "all"),
                        ("a progress bar's error, of its length", "progress_bar_error_ratio", "ratio", "all"),
                    ]
            ),
            .paragraph(
                "The error is the distance from the server's newest estimate, over the time in which a screen shows the "
                    + "current stage. Time without a card, or with an earlier stage, is not part of it. The model does not say "
                    + "whether the estimate itself is good."
            ),
        ]
    }

    private var photos: [Block] {
        guard scenario.devices.pictures != nil else { return [] }
        return [
            values(
                "the driver's photo",
                [("missing", "ride_photo_missing_time_ratio", "ratio", "all")]
                    + DriverPhoto.cases(in: scenario)
                    .map { photo in
                        let (name, words) = photo.scope
                        return photo.isShown
                            ? ("shown: \(words)", "ride_photo_time_ratio", "ratio", "size:\(name)")
                            : ("missing: \(words)", "ride_photo_missing_time_ratio", "ratio", "cause:\(name)")
                    }
            ),
            .paragraph("Shares of the time of rides with a driver, with or without a card."),
        ]
    }

    private var alerts: [Block] {
        guard scenario.rides.stages.contains(where: { $0.alert }) else { return [] }
        return [
            values(
                "alerts\(perRun)",
                [
                    ("sent", "alerts_sent_count", "total", "all"),
                    ("lit up a screen", "alerts_shown_count", "total", "all"),
                    ("about a stage that was over", "alerts_late_count", "total", "all"),
                ]
            )
        ]
    }

    private var endedCards: [Block] {
        guard !scenario.devices.dismissal.isImmediate else { return [] }
        return [
            .table(percentiles([("Time of a card on the screen after its end", "ended_card_time_us")])),
            values(
                "cards of ended activities",
                [
                    ("number of cards", "ended_card_time_us", "count", "all"),
                    ("of their time: wrong", "ended_card_wrong_time_ratio", "ratio", "all"),
                    ("of ride time: on a screen", "ride_ended_card_time_ratio", "ratio", "all"),
                    ("of ride time: on a screen, and wrong", "ride_ended_card_wrong_time_ratio", "ratio", "all"),
                ]
            ),
            .paragraph(
                "Nothing can update a card after its end. It is wrong while it shows a stage, or a ride, that is over. Elsewhere "
                    + "in this report such time counts as time without a card."
            ),
        ]
    }

    /// Returns a table of values with their intervals.
    private func values(
        _ title: String,
        _ rows: [(title: String, metric: String, statistic: String, scope: String)]
    ) -> Block {
        .table(
            TextTable(
                [.init(stringLiteral: title), "value:", "95 % interval:"],
                rows: rows.map { [$0.title] + valueAndInterval($0.metric, $0.statistic, scope: $0.scope) }
            )
        )
    }
}
