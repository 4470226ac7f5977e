import LiveActivityModel

extension MetricDeclaration {
    /// The card beyond fresh or stale: marks on stale content, pictures, the ETA, and cards after their end.
    ///
    /// Each belongs to a mechanism that a scenario switches on; without it, results have no row.
    static let screens: [MetricDeclaration] = marks + eta + pictures + endedCards

    private static let marks: [MetricDeclaration] = [
        MetricDeclaration("ride_misleading_coverage_ratio", better: .lower, by: [.ttl])
            .means(
                "Share of the time of all rides in which a screen shows content past its stale date without a mark, because the "
                    + "app does not render stale content differently (devices.renders_stale). The rest of "
                    + "ride_stale_coverage_ratio is marked."
            )
            .measured([
                Metric.ratio({ $0.duringRide(.misleadingStaleTime) }, of: { $0.duringRide(.rideTime) })
                    .needs(.staleMarks)
            ]),
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
            .measured([Metric.ramp { $0.etaError }.dominated { ($0.ride * $0.ride / 2, $0.ride) }.needs(.eta)]),
        MetricDeclaration("eta_error_time_ratio", better: .lower)
            .means(
                "Share of the time in which a screen shows the ride's current stage during which its ETA differs from the newest "
                    + "estimate by more than a threshold of measure.eta_error_over."
            )
            .measured { scenario in
                scenario.measure.etaErrorOver.enumerated()
                    .map { index, threshold in
                        Metric.ratio(
                            scope: Summary.scope(over: threshold),
                            { $0[.timeOverETAError, index] },
                            of: { $0.etaError.time }
                        )
                        .dominated { ($0.ride, $0.ride) }.needs(.eta)
                    }
            },
        MetricDeclaration("ride_eta_coverage_ratio", better: .higher)
            .means(
                "Share of the time of all rides, including rides without an activity, in which a screen shows the ride's current "
                    + "stage with an ETA within a threshold of measure.eta_error_over of the newest estimate."
            )
            .measured { scenario in
                scenario.measure.etaErrorOver.enumerated()
                    .map { index, threshold in
                        Metric.ratio(
                            scope: Summary.scope(within: threshold),
                            { $0.etaError.time - $0[.timeOverETAError, index] },
                            of: { $0.duringRide(.rideTime) }
                        )
                        .needs(.eta)
                    }
            },
        MetricDeclaration("eta_bias_us")
            .means(
                "Mean difference between the time to arrival on a screen and the newest estimate of it; above 0 if screens show "
                    + "more time than is left. Same base as eta_error_us."
            )
            .measured([
                Metric(reading: .rate({ $0.etaBias }, over: { $0.etaError.time }, perUnit: 1_000_000)).needs(.eta)
            ]),
        MetricDeclaration("progress_bar_error_ratio", better: .lower)
            .means(
                "Mean difference between the position of a progress bar on a screen and its present position, as a share of the "
                    + "bar: the age of the content over the length of the stage. Same base as eta_error_us."
            )
            .measured([
                Metric.ratio({ $0[.barError] }, of: { $0.etaError.time }, isShare: false)
                    .dominated { ($0.ride, $0.ride) }.needs(.eta)
            ]),
    ]

    private static let pictures: [MetricDeclaration] = [
        MetricDeclaration("ride_photo_missing_time_ratio", better: .lower)
            .means(
                "Share of the time of rides with a driver, from content.payload.photo_stage on, in which no screen shows the "
                    + "driver's photo, by cause."
            )
            .measured(
                [
                    Metric.ratio(
                        { photo in DriverPhoto.allCases.reduce(0) { $1.isShown ? $0 : $0 + photo[.photoTime, $1] } },
                        of: { $0[.photoTime] }
                    )
                    .needs(.pictures)
                ] + photos(shown: false, "cause")
            ),
        MetricDeclaration("ride_photo_time_ratio", better: .higher)
            .means(
                "Share of the time of rides with a driver, from content.payload.photo_stage on, in which a screen shows the "
                    + "driver's photo, by its size."
            )
            .measured(
                [
                    Metric.ratio(
                        { photo in DriverPhoto.allCases.reduce(0) { $1.isShown ? $0 + photo[.photoTime, $1] : $0 } },
                        of: { $0[.photoTime] }
                    )
                    .needs(.pictures)
                ] + photos(shown: true, "size")
            ),
    ]

    private static func photos(shown: Bool, _ kind: String) -> [Metric] {
        DriverPhoto.allCases.filter { $0.isShown == shown }
            .map { photo in
                Metric.ratio(
                    scope: "\(kind):\(photo.scope.name)",
                    words: photo.scope.words,
                    { $0[.photoTime, photo] },
                    of: { $0[.photoTime] }
                )
                .needs(.pictures)
            }
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
                "Share of the time with the card of an ended activity on a screen in which the card shows a stage of the ride that is over, or a ride that is over as "
                    + "if it went on."
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
}

extension Measurements {
    fileprivate subscript(total: Total, photo: DriverPhoto) -> Int64 { self[total, Int(photo.rawValue)] }
}

extension DriverPhoto {
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
        }
    }
}
