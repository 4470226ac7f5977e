public import LiveActivityModel

extension MetricDeclaration {
    /// Why screens were stale or behind: an exact partition by where the newest content was.
    static let causes: [MetricDeclaration] = [
        MetricDeclaration(
            "stale_time_us",
            unit: "us",
            better: .lower,
            by: [.ttl],
            "Time on screens past the content's stale date, by where newer content was; causes that begin with end_ are of "
                + "cards after the ride, by where the end of the activity was. "
                + ofScreens("falls", "ride_fresh_coverage_ratio"),
            parts: [Part(reading: .total { $0[.staleTimeByCause] }).dominated { ($0.life, 1) }]
                + causes(.staleTimeByCause, isAfterRide: false) + causes(.staleTimeByCause, isAfterRide: true)
        ),
        MetricDeclaration(
            "wrong_stage_time_us",
            unit: "us",
            better: .lower,
            "Time on screens that showed a stage of the ride that was over, by where newer content was. "
                + ofScreens("falls", "ride_stage_coverage_ratio"),
            parts: [Part(reading: .total { $0[.wrongStageTimeByCause] }).dominated { ($0.ride, 1) }]
                + causes(.wrongStageTimeByCause, isAfterRide: false)
        ),
    ]

    private static func causes(_ total: Total, isAfterRide: Bool) -> [Part] {
        Whereabouts.allCases.map { cause in
            Part(
                scope: "cause:\(cause.name(isAfterRide: isAfterRide))",
                words: cause.words(isAfterRide: isAfterRide),
                reading: .total { $0[total, cause, isAfterRide: isAfterRide] }
            )
            .dominated { (isAfterRide ? $0.life : $0.ride, 1) }
        }
    }
}

extension Whereabouts {
    /// The cause's name in scopes: `lost`, and after the ride `end_lost`.
    public func name(isAfterRide: Bool) -> String { isAfterRide ? "end_\(name)" : name }

    /// The cause in plain words.
    public func words(isAfterRide: Bool) -> String { isAfterRide ? "after the ride: \(endWords)" : words }

    private var name: String {
        switch self {
        case .onScreen: "not_generated"
        case .noContent: "no_content"
        case .noToken: "no_token"
        case .heldBack: "held_back"
        case .queued: "queued"
        case .notSent: "not_sent"
        case .inFlight: "in_flight"
        case .noAnswer: "no_answer"
        case .refused: "refused"
        case .deadToken: "dead_token"
        case .lost: "lost"
        case .stored: "phone_offline"
        case .expired: "expired"
        case .replaced: "replaced_in_store"
        case .notStored: "not_stored"
        case .throttled: "budget"
        case .undecodable: "undecodable"
        case .outdated: "older"
        case .givenUp: "given_up"
        }
    }

    private var words: String {
        switch self {
        case .onScreen: "the server had generated nothing newer"
        case .noContent: "the server could not generate content"
        case .noToken: "the server had no token"
        case .heldBack: "the sender held newer content back: minimum interval"
        case .queued: "newer content waited in the sender"
        case .notSent: "the sender gave newer content up"
        case .inFlight: "newer content was under way"
        case .noAnswer: "APNs did not answer to newer content"
        case .refused: "APNs refused newer content"
        case .deadToken: "newer content went to a token that no longer worked"
        case .lost: "APNs lost newer content"
        case .stored: "the phone was offline; APNs kept newer content for it"
        case .expired: "newer content expired while the phone was offline"
        case .replaced: "newer content was replaced while the phone was offline"
        case .notStored: "the phone was offline, and APNs kept nothing"
        case .throttled: "the activity's budget was spent"
        case .undecodable: "the app could not decode newer content"
        case .outdated: "newer content bore an older timestamp"
        case .givenUp: "the monitor had given the activity up"
        }
    }

    private var endWords: String {
        switch self {
        case .onScreen: "no end had been sent yet"
        case .noContent: "the server could not generate content"
        case .noToken: "the server had no token for the end"
        case .heldBack: "the sender held the end back"
        case .queued: "the end waited in the sender"
        case .notSent: "the sender gave the end up"
        case .inFlight: "the end was under way"
        case .noAnswer: "APNs did not answer to the end"
        case .refused: "APNs refused the end"
        case .deadToken: "the end went to a token that no longer worked"
        case .lost: "APNs lost the end"
        case .stored: "the phone was offline; APNs kept the end for it"
        case .expired: "the end expired while the phone was offline"
        case .replaced: "the end was replaced while the phone was offline"
        case .notStored: "the phone was offline, and APNs kept nothing"
        case .throttled: "the activity's budget was spent"
        case .undecodable: "the app could not decode the end"
        case .outdated: "the end bore an older timestamp"
        case .givenUp: "the monitor had given the activity up, and no end had been sent yet"
        }
    }
}
