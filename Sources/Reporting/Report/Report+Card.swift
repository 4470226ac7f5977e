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
            .table(
                TextTable(
                    ["stale content without a mark", "share of time:", "95 % interval:"],
                    rows: [
                        ["of ride time"] + valueAndInterval("ride_misleading_coverage_ratio", "ratio"),
                        ["of screen time"] + valueAndInterval("displayed_misleading_time_ratio", "ratio"),
                    ]
                )
            ),
            .paragraph(
                "The app renders it like fresh content, so its rider takes it for fresh (`devices.renders_stale`)."
            ),
        ]
    }

    private var eta: [Block] {
        guard scenario.content.eta != nil else { return [] }
        let thresholds = scenario.measure.etaErrorOver
        let shares =
            thresholds.map { threshold in
                ["of ride time: within \(Format.span(threshold.microseconds))"]
                    + valueAndInterval("ride_eta_coverage_ratio", "ratio", scope: Summary.scope(within: threshold))
            }
            + thresholds.map { threshold in
                ["of the time with the current stage: off by more than \(Format.span(threshold.microseconds))"]
                    + valueAndInterval("eta_error_time_ratio", "ratio", scope: Summary.scope(over: threshold))
            }
        return [
            .table(percentiles([("Error of the ETA on screens, without its sign", "eta_error_us")])),
            .table(
                TextTable(
                    ["the ETA on screens", "value:", "95 % interval:"],
                    rows: shares + [
                        ["shown minus newest, on average"] + valueAndInterval("eta_bias_us", "rate"),
                        ["a progress bar's error, of its length"]
                            + valueAndInterval("progress_bar_error_ratio", "ratio"),
                    ]
                )
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
        let parts = DriverPhoto.allCases.map { photo in
            [(photo.isShown ? "shown: " : "missing: ") + photo.scope.words]
                + valueAndInterval(
                    photo.isShown ? "ride_photo_time_ratio" : "ride_photo_missing_time_ratio",
                    "ratio",
                    scope: "\(photo.isShown ? "size" : "cause"):\(photo.scope.name)"
                )
        }
        return [
            .table(
                TextTable(
                    ["the driver's photo", "share of time:", "95 % interval:"],
                    rows: [["missing"] + valueAndInterval("ride_photo_missing_time_ratio", "ratio")] + parts
                )
            ),
            .paragraph("Shares of the time of rides with a driver, with or without a card."),
        ]
    }

    private var alerts: [Block] {
        guard scenario.rides.stages.contains(where: { $0.alert }) else { return [] }
        return [
            .table(
                TextTable(
                    ["alerts", "count\(perRun):", "95 % interval:"],
                    rows: [
                        ["sent"] + valueAndInterval("alerts_sent_count", "total"),
                        ["lit up a screen"] + valueAndInterval("alerts_shown_count", "total"),
                        ["about a stage that was over"] + valueAndInterval("alerts_late_count", "total"),
                    ]
                )
            )
        ]
    }

    private var endedCards: [Block] {
        guard !scenario.devices.dismissal.isImmediate else { return [] }
        return [
            .table(percentiles([("Time of a card on the screen after its end", "ended_card_time_us")])),
            .table(
                TextTable(
                    ["cards of ended activities", "value:", "95 % interval:"],
                    rows: [
                        ["number of cards"] + valueAndInterval("ended_card_time_us", "count"),
                        ["of their time: wrong"] + valueAndInterval("ended_card_wrong_time_ratio", "ratio"),
                        ["of ride time: on a screen"] + valueAndInterval("ride_ended_card_time_ratio", "ratio"),
                        ["of ride time: on a screen, and wrong"]
                            + valueAndInterval("ride_ended_card_wrong_time_ratio", "ratio"),
                    ]
                )
            ),
            .paragraph(
                "Nothing can update a card after its end. It is wrong while it shows a stage, or a ride, that is over. Elsewhere "
                    + "in this report such time counts as time without a card."
            ),
        ]
    }
}
