import LiveActivityModel
import Quantities

extension MetricDeclaration {
    /// Freshness, in the monitor's belief and on screens.
    static let freshness: [MetricDeclaration] = [
        MetricDeclaration("fresh_time_ratio", by: [.ttl, .freshLimit])
            .means(
                "Share of the monitored time in which the monitor believes the instance fresh. This is a belief, "
                    + "not what screens show."
            )
            .measured { scenario in
                [Metric.share(.freshTime, of: .monitoredTime)]
                    + scenario.perPart { part, scope in
                        .ratio(
                            scope: scope,
                            { $0.total(.freshTime, in: part) },
                            of: { $0.total(.monitoredTime, in: part) }
                        )
                    }
            },
        MetricDeclaration("recoverable_time_ratio", by: MetricBasis.allCases)
            .means(
                "Share of the monitored time in which the monitor believes the instance stale and tries to "
                    + "recover it."
            )
            .measured([Metric.share(.recoverableTime, of: .monitoredTime).needs(.lapse)]),
        MetricDeclaration("severe_time_ratio", by: MetricBasis.allCases)
            .means(
                "Share of the monitored time from the decision that an instance is severely stale to the "
                    + "invalidation of its token."
            )
            // An end that APNs loses is sent again, but there is no bound on the time until one arrives.
            .measured([
                Metric.share(.severeTime, of: .monitoredTime).dominated { ($0.life, $0.life) }
                    .needs(.monitor, .severity)
            ]),
        MetricDeclaration("displayed_fresh_time_ratio", better: .higher, by: [.ttl])
            .means(
                "Of the time with an activity on the screen: the share before the content's stale date. "
                    + ObservationDeclaration.ofScreens("rises", "ride_fresh_coverage_ratio")
            )
            .measured { scenario in
                [Metric.share(.displayedFreshTime, of: .displayedTime).dominated { (0, $0.life) }]
                    + shares(of: scenario, isGood: true, afterRide: { (0, $0.life) }, .displayedFreshTime)
                    + scenario.perPart { part, scope in
                        .ratio(
                            scope: scope,
                            { $0.all(.displayedFreshTime, in: part) },
                            of: { $0.all(.displayedTime, in: part) }
                        )
                        .dominated { (0, $0.life) }
                    }
            },
        MetricDeclaration("displayed_stale_time_ratio", better: .lower, by: [.ttl])
            .means(
                "Of the time with an activity on the screen: the share past the content's stale date. "
                    + ObservationDeclaration.ofScreens("falls", "ride_fresh_coverage_ratio")
            )
            .measured(
                [Metric.share(.displayedStaleTime, of: .displayedTime).dominated { ($0.life, $0.life) }]
                    + duringAndAfter(.displayedTime, without: .displayedFreshTime, afterRide: { ($0.life, $0.life) })
            ),
        MetricDeclaration("silently_stale_time_ratio", better: .lower, by: [.ttl, .freshLimit])
            .means(
                "Of the time with an activity on the screen: the share in which its content has lapsed while the monitor believes "
                    + "it fresh. "
                    + ObservationDeclaration.ofScreens("falls", "ride_fresh_coverage_ratio")
            )
            .measured { scenario in
                [Metric.share(.silentlyStaleTime, of: .displayedTime).needs(.lapse)]
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

    /// The source of the content on screens.
    ///
    /// Lyft's analytics make the same distinction between content from the app and from pushes.
    static let sources: [MetricDeclaration] = [
        MetricDeclaration("displayed_source_time_ratio")
            .means(
                "Share of the time with an activity on the screen, by source of its content: initial, app or "
                    + "push."
            )
            .measured { _ in
                StoryLine.ContentSource.allCases.flatMap { source in
                    [
                        Metric.ratio(
                            scope: "source:\(source)",
                            words: words(source),
                            { $0.displayedTime(from: source).reduce(0, +) },
                            of: { $0.series.total(.displayedTime) }
                        ),
                        Metric.ratio(
                            scope: "source:\(source):during_ride",
                            words: "\(words(source)), during the ride",
                            { $0.displayedTime(from: source).dropLast().reduce(0, +) },
                            of: { $0.duringRide(.displayedTime) }
                        ),
                    ]
                }
            }
    ]

    /// Returns shares of the time on screens: for each stage, during rides and after them.
    private static func shares(
        of scenario: Scenario,
        isGood: Bool,
        afterRide: Outlier.Contribution? = nil,
        _ part: Total
    ) -> [Metric] {
        stages(of: scenario, isGood: isGood, part, of: .displayedTime)
            + [
                .ratio(scope: "stage:after_ride", { $0.afterRide(part) }, of: { $0.afterRide(.displayedTime) })
                    .dominated(by: afterRide)
            ]
            + duringAndAfter(part, afterRide: afterRide)
    }

    /// Returns a share of times for each stage.
    ///
    /// During a ride without updates the share is 0 or 1.
    private static func stages(of scenario: Scenario, isGood: Bool, _ part: Total, of whole: Total) -> [Metric] {
        scenario.perStage { stage, scope in
            .ratio(scope: scope, { $0[part, stage] }, of: { $0[whole, stage] })
                .dominated { (isGood ? 0 : $0.stays[stage], $0.stays[stage]) }
        }
    }

    /// Returns a share of times during rides for each city and cohort.
    private static func fleetParts(
        of scenario: Scenario,
        _ time: @escaping @Sendable (Measurements, FleetPart) -> Int64,
        of whole: Total
    ) -> [Metric] {
        scenario.perPart { part, scope in
            .ratio(scope: scope, { time($0, part) }, of: { $0.duringRide(whole, in: part) })
        }
    }

    /// Returns shares of the time on screens, during rides and after them.
    private static func duringAndAfter(
        _ part: Total,
        without rest: Total? = nil,
        afterRide: Outlier.Contribution?
    ) -> [Metric] {
        Metric.duringAndAfter(
            .ratio(
                { times in times.duringRide(part) - (rest.map { times.duringRide($0) } ?? 0) },
                of: { $0.duringRide(.displayedTime) }
            ),
            .ratio(
                { times in times.afterRide(part) - (rest.map { times.afterRide($0) } ?? 0) },
                of: { $0.afterRide(.displayedTime) }
            )
            .dominated(by: afterRide)
        )
    }

    /// The metrics for judging runs, even across policies and blackouts.
    ///
    /// Coverages are shares of all ride time, so a screen that disappears counts against them. Only
    /// `ride_fresh_coverage_ratio` depends on a setting, `content.ttl`. Only `wrong_stage_time_ratio` is a share of the
    /// time on screens.
    static let truth: [MetricDeclaration] = [
        MetricDeclaration("ride_fresh_coverage_ratio", better: .higher, by: [.ttl])
            .means(
                "Share of the time of all rides, including rides without an activity, in which a screen shows "
                    + "content before its stale date."
            )
            .measured { scenario in
                [Metric.share(.rideDisplayedFreshTime, of: .rideTime)]
                    + stages(of: scenario, isGood: true, .displayedFreshTime, of: .rideTime)
                    + fleetParts(of: scenario, { $0.duringRide(.displayedFreshTime, in: $1) }, of: .rideTime)
            },
        MetricDeclaration("ride_stage_coverage_ratio", better: .higher)
            .means(
                "Share of the time of all rides, including rides without an activity, in which a screen shows the "
                    + "ride's current stage."
            )
            .measured { scenario in
                [Metric.share(.rideStageTime, of: .rideTime)]
                    + fleetParts(
                        of: scenario,
                        { $0.duringRide(.displayedTime, in: $1) - $0.duringRide(.wrongStageTime, in: $1) },
                        of: .rideTime
                    )
            },
        MetricDeclaration("wrong_stage_time_ratio", better: .lower)
            .means(
                "Share of the time with an activity on the screen during the ride in which it shows a stage that is over. "
                    + ObservationDeclaration.ofScreens("falls", "ride_stage_coverage_ratio")
            )
            .measured { scenario in
                [Metric.share(.rideWrongStageTime, of: .rideDisplayedTime).needs(.stages)]
                    + stages(of: scenario, isGood: false, .wrongStageTime, of: .displayedTime)
                    + fleetParts(of: scenario, { $0.duringRide(.wrongStageTime, in: $1) }, of: .displayedTime)
            },
        MetricDeclaration("stage_lag_us", better: .lower)
            .means(
                "Time from the beginning of a stage until a screen shows it; a stage that no screen shows counts "
                    + "with its whole length."
            )
            .measured { scenario in
                [Metric.tally { $0[.stageLag] }]
                    + scenario.perStage { stage, scope in
                        .tally(scope: scope) { $0[.stageLag, stage] }.dominated { ($0.stays[stage], 1) }
                    }
                    + scenario.perPart { part, scope in .tally(scope: scope) { $0.all(.stageLag, in: part) } }
            },
        MetricDeclaration("stage_never_shown_count", better: .lower)
            .means("Stages that ended before a screen showed them.")
            .measured { scenario in
                [Metric(reading: .total { $0[.stagesNeverShown] })]
                    + scenario.perStage { stage, scope in
                        Metric(scope: scope, reading: .total { $0[.stagesNeverShown, stage] })
                    }
            },
        MetricDeclaration("ride_stale_coverage_ratio", by: [.ttl])
            .means(
                "Share of the time of all rides in which a screen shows content past its stale date. With "
                    + "ride_fresh_coverage_ratio and ride_no_card_time_ratio it adds up to 1. It falls if stale cards are "
                    + "ended and also if they become fresh, so neither direction is better."
            )
            .measured([
                .ratio(
                    { $0.duringRide(.displayedTime) - $0.duringRide(.displayedFreshTime) },
                    of: { $0.duringRide(.rideTime) }
                )
            ]),
        MetricDeclaration("ride_no_card_time_ratio")
            .means(
                "Share of the time of all rides in which no screen shows a card. It falls if stale cards stay and also if "
                    + "more rides have a fresh one, so neither direction is better."
            )
            .measured([
                .ratio(
                    { $0.duringRide(.rideTime) - $0.duringRide(.displayedTime) },
                    of: { $0.duringRide(.rideTime) }
                )
            ]),
    ]

    /// Ages over time, at replacements, and for each activity separately: three weights, three types.
    static let ages: [MetricDeclaration] =
        declared(in: .ages) + [
            MetricDeclaration("age_of_information_us", better: .lower)
                .means(
                    "Age of the content on screens, averaged over time; by cohort, during rides only. "
                        + ObservationDeclaration.ofScreens("falls", "ride_stage_coverage_ratio and stage_lag_us")
                )
                .measured { scenario in
                    [Metric.ramp { $0.age }.dominated(by: ageOfDeadCard)]
                        + scenario.perStage { stage, scope in
                            .ramp(scope: scope) { $0.ageByStage[stage] }
                                .dominated { $0.ageWithoutUpdates(inStage: stage) }
                        }
                        + [.ramp(scope: "stage:after_ride", ageAfterRide).dominated(by: ageOfDeadCard)]
                        + Metric.duringAndAfter(
                            .ramp { $0.ageDuringRide }.dominated { ($0.ride * $0.ride / 2, $0.ride) },
                            .ramp(ageAfterRide).dominated(by: ageOfDeadCard)
                        )
                        + scenario.cityParts.map { part, scope in
                            .ramp(scope: scope) { $0.age(in: part) }.dominated(by: ageOfDeadCard)
                        }
                        // A few cards that stay for hours after their ride would hide the difference between cohorts.
                        + scenario.perCohort { part, scope in
                            .ramp(scope: scope) { $0.age(in: part, duringRide: true) }
                                .dominated { ($0.ride * $0.ride / 2, $0.ride) }
                        }
                },
            MetricDeclaration("age_violation_time_ratio", better: .lower)
                .means(
                    "Share of the time with an activity on the screen in which its content is older than a threshold of "
                        + "measure.age_over. "
                        + ObservationDeclaration.ofScreens("falls", "ride_stage_coverage_ratio and stage_lag_us")
                )
                .measured { scenario in
                    scenario.measure.ageOver.enumerated()
                        .flatMap { index, threshold -> [Metric] in
                            let scope = Summary.scope(over: threshold)
                            let deadCard: Outlier.Contribution = {
                                (max(0, $0.life - Double(threshold.microseconds)), $0.life)
                            }
                            return [
                                .ratio(
                                    scope: scope,
                                    { $0.timeOverAge(threshold: index) },
                                    of: { $0.series.total(.displayedTime) }
                                )
                                .dominated(by: deadCard).needs(.longer(than: threshold)),
                                .ratio(
                                    scope: "\(scope):during_ride",
                                    { $0.timeOverAge(threshold: index, isAfterRide: false) },
                                    of: { $0.duringRide(.displayedTime) }
                                )
                                .needs(.longer(than: threshold)),
                                .ratio(
                                    scope: "\(scope):after_ride",
                                    { $0.timeOverAge(threshold: index, isAfterRide: true) },
                                    of: { $0.afterRide(.displayedTime) }
                                )
                                .dominated(by: deadCard).needs(.longer(than: threshold)),
                            ]
                        }
                },
            MetricDeclaration("activity_age_violation_ratio", better: .lower)
                .means(
                    "Share of an activity's own time on the screen in which its content is older than a threshold of measure.age_over, "
                        + "averaged over activities. "
                        + ObservationDeclaration.ofScreens("falls", "ride_stage_coverage_ratio and stage_lag_us")
                )
                .measured { scenario in
                    scenario.measure.ageOver.enumerated()
                        .map { index, threshold in
                            Metric(
                                scope: Summary.scope(over: threshold),
                                reading: .shares { $0.activityAgeShares[index] }
                            )
                            .dominated { _ in (1, 1) }.needs(.longer(than: threshold))
                        }
                },
        ]

    /// The age of content on screens after rides.
    private static let ageAfterRide: @Sendable (Measurements) -> RampTally = { $0.ageAfterRide }

    /// The age of an abandoned card rises from 0 to its life.
    private static let ageOfDeadCard: Outlier.Contribution = { ($0.life * $0.life / 2, $0.life) }
}
