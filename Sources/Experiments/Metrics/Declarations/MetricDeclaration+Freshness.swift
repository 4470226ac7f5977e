import LiveActivityModel
import Quantities

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
            by: Ruler.allCases,
            "The share in which the monitor believes the instance stale and still tries to recover it.",
            parts: [Part.share(.recoverableTime, of: .monitoredTime)]
        ),
        MetricDeclaration(
            "severe_time_ratio",
            unit: "1",
            by: Ruler.allCases,
            "The share from the monitor's decision to give up until the token is invalidated.",
            // An end that APNs loses is repeated, but nothing says when one gets through.
            parts: [Part.share(.severeTime, of: .monitoredTime).dominated { ($0.life, $0.life) }]
        ),
        MetricDeclaration(
            "displayed_fresh_time_ratio",
            unit: "1",
            better: .higher,
            by: [.ttl],
            "Of the time with an activity on the screen: the share before the content's stale date. "
                + ofScreens("rises", "ride_fresh_coverage_ratio")
        ) { scenario in
            [Part.share(.displayedFreshTime, of: .displayedTime).dominated { (0, $0.life) }]
                + shares(of: scenario, isGood: true, afterRide: { (0, $0.life) }, .displayedFreshTime)
        },
        MetricDeclaration(
            "displayed_stale_time_ratio",
            unit: "1",
            better: .lower,
            by: [.ttl],
            "Of the time with an activity on the screen: the share past the content's stale date. "
                + ofScreens("falls", "ride_fresh_coverage_ratio"),
            parts: [Part.share(.displayedStaleTime, of: .displayedTime).dominated { ($0.life, $0.life) }]
                + duringAndAfter(.displayedTime, without: .displayedFreshTime, afterRide: { ($0.life, $0.life) })
        ),
        MetricDeclaration(
            "silently_stale_time_ratio",
            unit: "1",
            better: .lower,
            by: [.ttl, .freshLimit],
            "Of the time with an activity on the screen: the share in which its content has lapsed and the monitor does not "
                + "know. " + ofScreens("falls", "ride_fresh_coverage_ratio")
        ) { scenario in
            [Part.share(.silentlyStaleTime, of: .displayedTime)]
                + shares(of: scenario, isGood: false, .silentlyStaleTime)
        },
    ]

    private static func words(_ source: StoryLine.ContentSource) -> String {
        switch source {
        case .start: "the content that the activity began with"
        case .app: "content of the app"
        case .push: "content by push"
        }
    }

    /// Where what riders see came from, as Lyft's analytics tell content of the app from content by push.
    static let sources: [MetricDeclaration] = [
        MetricDeclaration(
            "displayed_source_time_ratio",
            unit: "1",
            "Of the time with an activity on the screen: the share in which its content is what the activity began with, or "
                + "came from the app, or by push."
        ) { _ in
            StoryLine.ContentSource.allCases.flatMap { source in
                var whole = Part.ratio(
                    scope: "source:\(source)",
                    { $0.displayedTime(from: source).reduce(0, +) },
                    of: { $0.series.total(.displayedTime) }
                )
                whole.words = words(source)
                var during = Part.ratio(
                    scope: "source:\(source):during_ride",
                    { $0.displayedTime(from: source).dropLast().reduce(0, +) },
                    of: { $0.duringRide(.displayedTime) }
                )
                during.words = "\(words(source)), while the ride goes on"
                return [whole, during]
            }
        }
    ]

    /// The share of the time on screens that a part of it is: for each stage, during rides and after them.
    private static func shares(
        of scenario: Scenario,
        isGood: Bool,
        afterRide: Outlier.Contribution? = nil,
        _ part: Total
    ) -> [Part] {
        let after = scenario.rides.stages.count
        var last = Part.ratio(scope: "stage:after_ride", { $0[part, after] }, of: { $0[.displayedTime, after] })
        last.outlier = afterRide
        return stages(scenario.rides.stages.map(\.name), isGood: isGood, part, of: .displayedTime) + [last]
            + duringAndAfter(part, afterRide: afterRide)
    }

    /// A share of times for each of some stages; during a ride without updates it is all of them or nothing.
    private static func stages(_ names: [String], isGood: Bool, _ part: Total, of whole: Total) -> [Part] {
        names.enumerated()
            .map { index, stage in
                .ratio(scope: "stage:\(stage)", { $0[part, index] }, of: { $0[whole, index] })
                    .dominated { (isGood ? 0 : $0.stays[index], $0.stays[index]) }
            }
    }

    /// The share of the time on screens that a part of it is, during rides and after them.
    private static func duringAndAfter(
        _ part: Total,
        without rest: Total? = nil,
        afterRide: Outlier.Contribution?
    ) -> [Part] {
        var after = Part.ratio(
            { times in times.afterRide(part) - (rest.map { times.afterRide($0) } ?? 0) },
            of: { $0.afterRide(.displayedTime) }
        )
        after.outlier = afterRide
        let during = Part.ratio(
            { times in times.duringRide(part) - (rest.map { times.duringRide($0) } ?? 0) },
            of: { $0.duringRide(.displayedTime) }
        )
        return Part.duringAndAfter(during, after)
    }

    /// What to judge runs by, policies and blackouts too.
    ///
    /// Coverages are of all ride time, so a screen that dies counts against them. Only `ride_fresh_coverage_ratio` depends on
    /// a ruler, `content.ttl`; `wrong_stage_time_ratio` alone is of the time on screens.
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
                + stages(scenario.rides.stages.map(\.name), isGood: true, .displayedFreshTime, of: .rideTime)
        },
        MetricDeclaration(
            "ride_stage_coverage_ratio",
            unit: "1",
            better: .higher,
            "Of the time of all rides, those without an activity included: the share in which a screen shows the stage that "
                + "the ride is in.",
            parts: [
                Part.ratio(
                    { $0.duringRide(.displayedTime) - $0.duringRide(.wrongStageTime) },
                    of: { $0.duringRide(.rideTime) }
                )
            ]
        ),
        MetricDeclaration(
            "wrong_stage_time_ratio",
            unit: "1",
            better: .lower,
            "Of the time with an activity on the screen during the ride: the share in which it shows a stage that is over. "
                + ofScreens("falls", "ride_stage_coverage_ratio")
        ) { scenario in
            [Part.ratio({ $0.duringRide(.wrongStageTime) }, of: { $0.duringRide(.displayedTime) })]
                + stages(scenario.rides.stages.map(\.name), isGood: false, .wrongStageTime, of: .displayedTime)
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
                .map { index, stage in
                    .tally(scope: "stage:\(stage.name)") { $0[.stageLag, index] }.dominated { ($0.stays[index], 1) }
                }
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

    /// What a metric of the time on screens does where screens are lost, and what to judge by then.
    static func ofScreens(_ change: String, _ others: String) -> String {
        "Of time on screens, so it \(change) in a blackout, when activities die early; judge that by \(others)."
    }

    /// Ages over time, at replacements, and for each activity by itself: three weights, three types.
    static let ages: [MetricDeclaration] =
        declared(in: .ages) + [
            MetricDeclaration(
                "age_of_information_us",
                unit: "us",
                better: .lower,
                "The age of what a screen shows, over the time on screens: what a glance at some screen finds. "
                    + ofScreens("falls", "ride_stage_coverage_ratio and stage_lag_us")
            ) { scenario in
                [Part.ramp { $0.age }.dominated(by: ageOfDeadCard)]
                    + scenario.rides.stages.enumerated()
                    .map { index, stage in
                        .ramp(scope: "stage:\(stage.name)") { $0.ageByStage[index] }
                            .dominated { $0.ageWithoutUpdates(inStage: index) }
                    }
                    + [.ramp(scope: "stage:after_ride", ageAfterRide).dominated(by: ageOfDeadCard)]
                    + Part.duringAndAfter(
                        .ramp { $0.ageDuringRide }.dominated { ($0.ride * $0.ride / 2, $0.ride) },
                        .ramp(ageAfterRide).dominated(by: ageOfDeadCard)
                    )
            },
            MetricDeclaration(
                "age_violation_time_ratio",
                unit: "1",
                better: .lower,
                "Of the time with an activity on the screen: the share in which its content is older than a threshold of "
                    + "measure.age_over. " + ofScreens("falls", "ride_stage_coverage_ratio and stage_lag_us")
            ) { scenario in
                scenario.measure.ageOver.enumerated()
                    .flatMap { index, threshold -> [Part] in
                        let scope = Summary.scope(over: threshold)
                        let deadCard: Outlier.Contribution = {
                            (max(0, $0.life - Double(threshold.microseconds)), $0.life)
                        }
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
                            .dominated(by: deadCard)
                        ]
                            + Part.duringAndAfter(during, after.dominated(by: deadCard))
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
                "The same share of an activity's own time, averaged over activities; each weighs the same. "
                    + ofScreens("falls", "ride_stage_coverage_ratio and stage_lag_us")
            ) { scenario in
                scenario.measure.ageOver.enumerated()
                    .map { index, threshold in
                        Part(scope: Summary.scope(over: threshold), reading: .shares { $0.activityAgeShares[index] })
                            .dominated { _ in (1, 1) }
                    }
            },
        ]

    /// The age of what screens show after rides.
    private static let ageAfterRide: @Sendable (Measurements) -> RampTally = { $0.ageAfterRide }

    /// The age of a card that is left alone rises from 0 to its life.
    private static let ageOfDeadCard: Outlier.Contribution = { ($0.life * $0.life / 2, $0.life) }
}
