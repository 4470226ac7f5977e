package import LiveActivityModel
import Quantities

extension MetricDeclaration {
    /// The card beyond fresh or stale: marks on stale content, pictures, the ETA, and cards after their end.
    ///
    /// Each belongs to a mechanism that a scenario switches on; without it, results have no row.
    static let screens: [MetricDeclaration] = marks + eta + pictures + endedCards + oldCards

    private static let marks: [MetricDeclaration] = [
        MetricDeclaration("ride_misleading_coverage_ratio", better: .lower, by: [.ttl])
            .means(
                "Share of the time of all rides in which a screen shows content past its stale date without a mark, because the "
                    + "app does not render stale content differently (devices.renders_stale). The rest of "
                    + "ride_stale_coverage_ratio is marked."
            )
            .measured { scenario in
                scenario.wholeAndCohorts { part, scope in
                    .ratio(
                        scope: scope,
                        { $0.duringRide(.misleadingStaleTime, in: part) },
                        of: { $0.duringRide(.rideTime, in: part) }
                    )
                    .needs(.staleMarks)
                }
            },
        MetricDeclaration("displayed_misleading_time_ratio", better: .lower, by: [.ttl])
            .means(
                "Of the time with an activity on the screen: the share past the content's stale date without a mark. "
                    + ObservationDeclaration.ofScreens("falls", "ride_misleading_coverage_ratio")
            )
            .measured([
                Metric.ratio({ $0[.misleadingStaleTime] }, of: { $0.series.total(.displayedTime) })
                    .dominated { ($0.life, $0.life) }.needs(.staleMarks)
            ]),
    ]

    private static let eta: [MetricDeclaration] = [
        MetricDeclaration("eta_error_us", better: .lower)
            .means(
                "Difference between the ETA on a screen and the newest estimate of the server, without its sign, averaged over "
                    + "the time in which a screen shows the ride's current stage. It says nothing about the quality of the "
                    + "estimate. " + ObservationDeclaration.ofScreens("falls", "ride_stage_coverage_ratio")
            )
            .measured { scenario in
                scenario.wholeAndCohorts { part, scope in
                    .ramp(scope: scope) { $0.etaError(in: part) }.dominated { ($0.ride * $0.ride / 2, $0.ride) }
                        .needs(.eta)
                }
            },
        MetricDeclaration("eta_error_time_ratio", better: .lower)
            .means(
                "Share of the time in which a screen shows the ride's current stage during which its ETA differs from the newest "
                    + "estimate by more than a threshold of measure.eta_error_over."
            )
            .measured { scenario in
                perThreshold(
                    of: scenario,
                    Summary.scope(over:),
                    { $0[.timeOverETAError, $1] },
                    of: { $0.etaError().time }
                )
                .map { $0.dominated { ($0.ride, $0.ride) } }
            },
        MetricDeclaration("ride_eta_coverage_ratio", better: .higher)
            .means(
                "Share of the time of all rides, including rides without an activity, in which a screen shows the ride's current "
                    + "stage with an ETA within a threshold of measure.eta_error_over of the newest estimate."
            )
            .measured { scenario in
                perThreshold(
                    of: scenario,
                    Summary.scope(within:),
                    { $0.etaError().time - $0[.timeOverETAError, $1] },
                    of: { $0.duringRide(.rideTime) }
                )
                .map { $0.dominated { (0, $0.ride) } }
            },
        MetricDeclaration("eta_bias_us")
            .means(
                "Mean difference between the time to arrival on a screen and the newest estimate of it; above 0 if screens show "
                    + "more time than is left. Same base as eta_error_us."
            )
            .measured { scenario in
                scenario.wholeAndCohorts { part, scope in
                    Metric(
                        scope: scope,
                        reading: .rate(
                            { $0.etaBias(in: part) },
                            over: { $0.etaError(in: part).time },
                            perUnit: 1_000_000
                        )
                    )
                    .needs(.eta)
                }
            },
        MetricDeclaration("progress_bar_error_ratio", better: .lower)
            .means(
                "Mean difference between the position of a progress bar on a screen and its present position, as a share of the "
                    + "bar: the age of the content over the length of the stage or, if the bar moves without updates "
                    + "(content.eta.bar_timer), the change of the estimate since the content over that length. Same base as "
                    + "eta_error_us."
            )
            .measured { scenario in
                scenario.wholeAndCohorts { part, scope in
                    .ratio(
                        scope: scope,
                        { $0.all(.barError, in: part) },
                        of: { $0.etaError(in: part).time },
                        isShare: false
                    )
                    .dominated { ($0.ride, $0.ride) }.needs(.eta)
                }
            },
    ]

    /// Returns a share of time for each threshold of the ETA's error.
    private static func perThreshold(
        of scenario: Scenario,
        _ scope: (TimeSpan) -> String,
        _ part: @escaping @Sendable (Measurements, _ threshold: Int) -> Int64,
        of whole: @escaping Metric.Read
    ) -> [Metric] {
        scenario.measure.etaErrorOver.enumerated()
            .map { index, threshold in
                .ratio(scope: scope(threshold), { part($0, index) }, of: whole).needs(.eta)
            }
    }

    private static let pictures: [MetricDeclaration] = [
        MetricDeclaration("ride_photo_missing_time_ratio", better: .lower)
            .means(
                "Share of the time of rides with a driver, from content.payload.photo_stage on, in which no screen shows the "
                    + "driver's photo, by cause."
            )
            .measured { scenario in
                photos(of: scenario, shown: false, "cause")
                    + scenario.perCohort { part, scope in
                        .ratio(
                            scope: scope,
                            { $0.all(.photoMissingTime, in: part) },
                            of: { $0.all(.driverTime, in: part) }
                        )
                        .dominated { ($0.ride, $0.ride) }
                        .needs(.pictures)
                    }
            },
        MetricDeclaration("ride_photo_time_ratio", better: .higher)
            .means(
                "Share of the time of rides with a driver, from content.payload.photo_stage on, in which a screen shows the "
                    + "driver's photo, by its size."
            )
            .measured { photos(of: $0, shown: true, "size") },
    ]

    /// Returns the share of time in which the driver's photo is shown, or not, and its parts.
    private static func photos(of scenario: Scenario, shown: Bool, _ kind: String) -> [Metric] {
        let parts = DriverPhoto.cases(in: scenario).filter { $0.isShown == shown }
        func share(_ photos: [DriverPhoto], scope: String = "all", words: String? = nil) -> Metric {
            .ratio(
                scope: scope,
                words: words,
                { times in photos.reduce(0) { $0 + times[.photoTime, Int($1.rawValue)] } },
                of: { $0[.photoTime] }
            )
            .dominated { ($0.ride, $0.ride) }
            .needs(.pictures)
        }
        return [share(parts)] + parts.map { share([$0], scope: "\(kind):\($0.scope.name)", words: $0.scope.words) }
    }

    private static let endedCards: [MetricDeclaration] = [
        MetricDeclaration("ended_card_time_us")
            .means(
                "Time from the end of an activity to the removal of its card, for cards that stay (devices.dismissal); at most to "
                    + "the end of the run. Ends before the end of the warm-up do not count."
            )
            .measured([Metric.tally { $0[.endedCardTime] }.needs(.endedCards)]),
        MetricDeclaration("ended_card_wrong_time_ratio", better: .lower)
            .means(
                "Share of the time of cards after the end of their activity in which they show a stage that is over, or a ride "
                    + "that is over as if it went on."
            )
            .measured([
                Metric.ratio({ $0[.leftCardWrongTime] }, of: { $0[.leftCardTime] }).needs(.endedCards)
            ]),
        MetricDeclaration("ride_ended_card_time_ratio")
            .means(
                "Share of the time of all rides in which a screen shows the card of an activity that has ended, which nothing can "
                    + "update. It is part of ride_no_card_time_ratio."
            )
            .measured([
                Metric.ratio({ $0[.rideEndedCardTime] }, of: { $0.duringRide(.rideTime) }).needs(.endedCards)
            ]),
        MetricDeclaration("ride_ended_card_wrong_time_ratio", better: .lower)
            .means(
                "Share of the time of all rides in which a screen shows the card of an activity that has ended, with a stage that "
                    + "is over."
            )
            .measured([
                Metric.ratio({ $0[.rideEndedCardWrongTime] }, of: { $0.duringRide(.rideTime) }).needs(.endedCards)
            ]),
    ]

    private static let oldCards: [MetricDeclaration] = [
        MetricDeclaration("old_card_time_us", better: .lower)
            .means(
                "Time from the request of a ride for which a live card of an earlier ride of the same rider stays on the screen; at "
                    + "most to the end of the ride. Covers the rides of rides_with_old_card_count whose old card is gone, or that "
                    + "are over, by the end of the run."
            )
            .measured([Metric.tally { $0[.oldCardTime] }.needs(.again)]),
        MetricDeclaration("ride_old_card_time_ratio", better: .lower)
            .means(
                "Share of the time of all rides in which a screen shows a live card of an earlier ride of the same rider. If the "
                    + "ride has no card of its own, that time is also part of ride_no_card_time_ratio."
            )
            .measured([
                Metric.ratio({ $0[.oldCardTime] }, of: { $0.duringRide(.rideTime) }).dominated { ($0.ride, $0.ride) }
                    .needs(.again)
            ]),
    ]
}

extension DriverPhoto {
    /// The cases that can occur in a scenario; all if it does not follow photos.
    package static func cases(in scenario: Scenario) -> [DriverPhoto] {
        guard scenario.devices.pictures != nil else { return allCases }
        return scenario.pushesCarryPhotos
            ? allCases.filter { $0 != .notDownloaded } : [.original, .noCard, .notDownloaded]
    }

    /// The name in scopes, and the words.
    package var scope: (name: String, words: String) {
        switch self {
        case .original: ("original", "the original, downloaded by the app")
        case .full: ("full", "full")
        case .small: ("small", "small")
        case .noCard: ("no_card", "there was no card")
        case .notSent: ("photo_not_sent", "the server had not sent the photo yet")
        case .dropped: ("photo_dropped", "the photo did not fit into the payload")
        case .onItsWay: ("photo_in_flight", "the push with the photo was in flight")
        case .lost: ("photo_lost", "the push with the photo did not reach the card")
        case .outdated:
            ("photo_outdated", "the push with the photo was no newer than what the app had shown")
        case .notDownloaded: ("photo_not_downloaded", "the app had not downloaded the photo")
        }
    }
}
