import LiveActivityModel

extension MetricDeclaration {
    /// Freshness, as the monitor believes it and as screens show it.
    static let freshness: [MetricDeclaration] = [
        MetricDeclaration(
            "fresh_time_ratio",
            unit: "1",
            by: [.ttl, .freshLimit],
            "Of the time in which the monitor watches: the share in which it believes the instance fresh. A belief, not "
                + "what screens show.",
            parts: [Part.share(.freshTime, of: .monitoredTime)]
        ),
        MetricDeclaration(
            "recoverable_time_ratio",
            unit: "1",
            by: [.ttl, .freshLimit],
            "The share in which the monitor believes the instance stale and still tries to recover it.",
            parts: [Part.share(.recoverableTime, of: .monitoredTime)]
        ),
        MetricDeclaration(
            "severe_time_ratio",
            unit: "1",
            by: [.ttl, .freshLimit],
            "The share from the monitor's decision to give up until the token is invalidated.",
            parts: [Part.share(.severeTime, of: .monitoredTime)]
        ),
        MetricDeclaration(
            "displayed_fresh_time_ratio",
            unit: "1",
            better: .higher,
            by: [.ttl],
            "Of the time with an activity on the screen: the share before the content's stale date."
        ) { scenario in
            [Part.share(.displayedFreshTime, of: .displayedTime)] + shares(of: scenario, .displayedFreshTime)
        },
        MetricDeclaration(
            "displayed_stale_time_ratio",
            unit: "1",
            better: .lower,
            by: [.ttl],
            "Of the time with an activity on the screen: the share past the content's stale date.",
            parts: [Part.share(.displayedStaleTime, of: .displayedTime)]
                + duringAndAfter(.displayedTime, without: .displayedFreshTime)
        ),
        MetricDeclaration(
            "silently_stale_time_ratio",
            unit: "1",
            better: .lower,
            by: [.ttl, .freshLimit],
            "Of the time with an activity on the screen: the share in which its content has lapsed and the monitor does not "
                + "know."
        ) { scenario in
            [Part.share(.silentlyStaleTime, of: .displayedTime)] + shares(of: scenario, .silentlyStaleTime)
        },
    ]

    /// The share of the time on screens that a part of it is: for each stage, during rides and after them.
    private static func shares(of scenario: Scenario, _ part: Total) -> [Part] {
        stages(scenario.measuredStages, part, of: .displayedTime) + duringAndAfter(part)
    }

    /// A share of times for each of some stages.
    private static func stages(_ names: [String], _ part: Total, of whole: Total) -> [Part] {
        names.enumerated()
            .map { index, stage in .ratio(scope: "stage:\(stage)", { $0[part, index] }, of: { $0[whole, index] }) }
    }

    /// The share of the time on screens that a part of it is, during rides and after them.
    private static func duringAndAfter(_ part: Total, without rest: Total? = nil) -> [Part] {
        duringAndAfter(
            .ratio(
                { times in times.duringRide(part) - (rest.map { times.duringRide($0) } ?? 0) },
                of: { $0.duringRide(.displayedTime) }
            ),
            .ratio(
                { times in times.afterRide(part) - (rest.map { times.afterRide($0) } ?? 0) },
                of: { $0.afterRide(.displayedTime) }
            )
        )
    }

    /// Two parts, named and worded as what was measured during rides and after them.
    private static func duringAndAfter(_ during: Part, _ after: Part) -> [Part] {
        var parts = [during, after]
        (parts[0].scope, parts[0].words) = ("during_ride", "while the ride goes on")
        (parts[1].scope, parts[1].words) = ("after_ride", "after the ride, on a card that was not ended")
        return parts
    }

    /// What no setting can flatter: by these, runs with another TTL, limit or policy can be judged.
    static let truth: [MetricDeclaration] = [
        MetricDeclaration(
            "ride_fresh_coverage_ratio",
            unit: "1",
            better: .higher,
            by: [.ttl],
            "Of the time of all rides, those without an activity included: the share in which a screen shows content before "
                + "its stale date."
        ) { scenario in
            [Part.ratio({ $0.duringRide(.displayedFreshTime) }, of: { $0.duringRide(.rideTime) })]
                + stages(scenario.rides.stages.map(\.name), .displayedFreshTime, of: .rideTime)
        },
        MetricDeclaration(
            "wrong_stage_time_ratio",
            unit: "1",
            better: .lower,
            "Of the time with an activity on the screen during the ride: the share in which it shows a stage that is over."
        ) { scenario in
            [Part.ratio({ $0.duringRide(.wrongStageTime) }, of: { $0.duringRide(.displayedTime) })]
                + stages(scenario.rides.stages.map(\.name), .wrongStageTime, of: .displayedTime)
        },
        MetricDeclaration(
            "stage_lag_us",
            unit: "us",
            better: .lower,
            "From the beginning of a stage to the first screen that shows it; a stage that no screen shows enters with its "
                + "whole length."
        ) { scenario in
            [Part.tally { $0[.stageLag] }]
                + scenario.rides.stages.enumerated()
                .map { index, stage in .tally(scope: "stage:\(stage.name)") { $0[.stageLag, index] } }
        },
        MetricDeclaration(
            "stage_never_shown_count",
            unit: "count",
            better: .lower,
            "Stages of rides that were over before a screen showed them."
        ) { scenario in
            [Part(reading: .total { $0[.stagesNeverShown] })]
                + scenario.rides.stages.enumerated()
                .map { index, stage in
                    Part(scope: "stage:\(stage.name)", reading: .total { $0[.stagesNeverShown, index] })
                }
        },
    ]

    /// Ages over time, at replacements, and for each activity by itself: three weights, three types.
    static let ages: [MetricDeclaration] = [
        MetricDeclaration(
            "age_of_information_us",
            unit: "us",
            better: .lower,
            "The age of what a screen shows, over the time on screens: what a glance at some screen finds."
        ) { scenario in
            [Part.ramp { $0.age }]
                + scenario.measuredStages.enumerated()
                .map { index, stage in .ramp(scope: "stage:\(stage)") { $0.ageByStage[index] } }
                + duringAndAfter(.ramp { $0.ageDuringRide }, .ramp { $0.ageAfterRide })
        },
        MetricDeclaration(
            "peak_age_us",
            unit: "us",
            better: .lower,
            "The age that content had reached when newer content took its place."
        ) { scenario in
            [Part.tally { $0[.peakAge] }]
                + scenario.measuredStages.enumerated()
                .map { index, stage in .tally(scope: "stage:\(stage)") { $0[.peakAge, index] } }
                + duringAndAfter(
                    .tally { $0.duringRide(.peakAge) },
                    .tally { $0.afterRide(.peakAge) }
                )
        },
        MetricDeclaration(
            "activity_age_mean_us",
            unit: "us",
            better: .lower,
            "The mean age over an activity's own time on the screen; each activity weighs the same.",
            parts: [Part.tally { $0[.activityAgeMean] }]
        ),
        MetricDeclaration(
            "activity_peak_age_us",
            unit: "us",
            better: .lower,
            "The largest age that an activity's screen reached.",
            parts: [Part.tally { $0[.activityPeakAge] }]
        ),
        MetricDeclaration(
            "age_violation_time_ratio",
            unit: "1",
            better: .lower,
            "Of the time with an activity on the screen: the share in which its content is older than a threshold of "
                + "measure.age_over."
        ) { scenario in
            scenario.measure.ageOver.enumerated()
                .flatMap { index, threshold -> [Part] in
                    let scope = Summary.scope(over: threshold)
                    let during = Part.ratio(
                        { $0.timeOverAge(threshold: index, isAfterRide: false) },
                        of: { $0.duringRide(.displayedTime) }
                    )
                    let after = Part.ratio(
                        { $0.timeOverAge(threshold: index, isAfterRide: true) },
                        of: { $0.afterRide(.displayedTime) }
                    )
                    return [
                        .ratio(
                            scope: scope,
                            { $0.timeOverAge(threshold: index) },
                            of: { $0.series.total(.displayedTime) }
                        )
                    ]
                        + duringAndAfter(during, after)
                        .map { part in
                            var part = part
                            (part.scope, part.words) = ("\(scope):\(part.scope)", nil)
                            return part
                        }
                }
        },
        MetricDeclaration(
            "activity_age_violation_ratio",
            unit: "1",
            better: .lower,
            "The same share of an activity's own time, averaged over activities; each weighs the same."
        ) { scenario in
            scenario.measure.ageOver.enumerated()
                .map { index, threshold in
                    Part(scope: Summary.scope(over: threshold), reading: .shares { $0.activityAgeShares[index] })
                }
        },
    ]
}
