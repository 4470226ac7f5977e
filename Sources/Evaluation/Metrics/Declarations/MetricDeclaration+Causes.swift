public import LiveActivityModel

extension MetricDeclaration {
    /// The time that screens were stale or behind, partitioned exactly by where the newest content was.
    static let causes: [MetricDeclaration] = [
        MetricDeclaration("stale_time_us", better: .lower, by: [.ttl])
            .means(
                "Time on screens past the content's stale date, by where newer content was. Causes that begin with end_ count "
                    + "time after the ride, by where the end of the activity was. "
                    + ObservationDeclaration.ofScreens("falls", "ride_fresh_coverage_ratio")
            )
            .measured(
                [Metric(reading: .total { $0[.staleTimeByCause] }).dominated { ($0.life, 1) }]
                    + causes(.staleTimeByCause, isAfterRide: false) + causes(.staleTimeByCause, isAfterRide: true)
            ),
        MetricDeclaration("wrong_stage_time_us", better: .lower)
            .means(
                "Time on screens that showed a stage of the ride that was over, by where newer content was. "
                    + ObservationDeclaration.ofScreens("falls", "ride_stage_coverage_ratio")
            )
            .measured(
                [Metric(reading: .total { $0[.wrongStageTimeByCause] }).dominated { ($0.ride, 1) }.needs(.stages)]
                    + causes(.wrongStageTimeByCause, isAfterRide: false)
            ),
    ]

    private static func causes(_ total: Total, isAfterRide: Bool) -> [Metric] {
        Whereabouts.allCases.map { cause in
            Metric(
                scope: "cause:\(cause.name(isAfterRide: isAfterRide))",
                words: cause.words(isAfterRide: isAfterRide),
                reading: .total { $0[total, cause, isAfterRide: isAfterRide] }
            )
            .dominated { (isAfterRide ? $0.life : $0.ride, 1) }
            .with(\.requirements, cause == .undrawn ? [.undrawn] : [])
        }
    }
}

extension Whereabouts {
    /// The cause's name in scopes: `lost`, or `end_lost` after the ride.
    public func name(isAfterRide: Bool) -> String {
        let name = told(of: "newer content").name
        return isAfterRide ? "end_\(name)" : name
    }

    /// The cause in words.
    public func words(isAfterRide: Bool) -> String {
        guard isAfterRide else { return told(of: "newer content").words }
        let (_, words, wordsOfEnd) = told(of: "the end")
        return "after the ride: \(wordsOfEnd ?? words)"
    }

    /// Returns the cause's name and words, and those for an end if they differ.
    private func told(of what: String) -> (name: String, words: String, wordsOfEnd: String?) {
        switch self {
        case .onScreen: ("not_generated", "the server had generated nothing newer", "no end had been sent yet")
        case .noContent: ("no_content", "the server had no content yet, or could not generate it", nil)
        case .noToken: ("no_token", "the server had no token", "the server had no token for the end")
        case .heldBack: ("held_back", "the sender held \(what) back: minimum interval", "the sender held the end back")
        case .queued: ("queued", "\(what) waited in the sender", nil)
        case .notSent: ("not_sent", "the sender gave \(what) up", nil)
        case .inFlight: ("in_flight", "\(what) was in flight", nil)
        case .noAnswer: ("no_answer", "\(what) was sent, and APNs did not answer", nil)
        case .refused: ("refused", "APNs rejected \(what)", nil)
        case .deadToken: ("dead_token", "\(what) went to a token that no longer worked", nil)
        case .lost: ("lost", "APNs lost \(what)", nil)
        case .stored: ("phone_offline", "the phone was offline; APNs kept \(what) for it", nil)
        case .expired: ("expired", "\(what) expired while the phone was offline", nil)
        case .replaced: ("replaced_in_store", "\(what) was replaced while the phone was offline", nil)
        case .notStored: ("not_stored", "the phone was offline, and APNs kept nothing", nil)
        case .throttled: ("budget", "the activity's budget was spent", nil)
        case .undecodable: ("undecodable", "the app could not decode \(what)", nil)
        case .outdated: ("older", "\(what) had an older timestamp", nil)
        case .undrawn: ("not_drawn", "the app had newer content, and the card had yet to show it", nil)
        case .givenUp:
            (
                "given_up", "the monitor had given the activity up",
                "the monitor had given the activity up, and no end had been sent yet"
            )
        }
    }
}
