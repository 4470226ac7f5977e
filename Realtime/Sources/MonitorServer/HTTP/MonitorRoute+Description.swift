import FreshnessCore
import Wire

/// A parameter in the query of a request.
enum MonitorParameter: String, CaseIterable {
    case freshness = "class"
    case limit
    case after

    /// The accepted numbers; `nil` for a word.
    var range: ClosedRange<Int>? {
        switch self {
        case .freshness: nil
        case .limit: 1...1000
        case .after: 0...Int(Int32.max)
        }
    }

    /// The value of a missing parameter; `nil` for none.
    var absent: Int? {
        switch self {
        case .freshness: nil
        case .limit: 100
        case .after: 0
        }
    }

    /// The accepted words.
    static var classes: [String] { FreshnessClass.allCases.map { "\($0)" } }

    /// The accepted values in words, for errors.
    var allowed: String {
        range.map { "\($0.lowerBound) to \($0.upperBound)" } ?? MonitorParameter.classes.joined(separator: ", ")
    }

    /// The meaning, and the effect of leaving the parameter out.
    var meaning: String {
        switch self {
        case .freshness: "Only instances of this class. Default: instances of every class."
        case .limit: "The largest number of instances in the answer. Default: 100."
        case .after: "The start of the page: `next` of the page before it. Default: the first page."
        }
    }
}

/// An answer to a request that the monitor carries out.
struct MonitorAnswer: Hashable {
    /// The content of an answer.
    enum Content: Hashable {
        case none
        /// The instance's name.
        case acknowledgement
        case instance
        case page
        case health
        case openMetrics
        case openAPI
    }

    let status: Int
    let content: Content
    let meaning: String
}

extension MonitorRoute {
    /// The effect of the request.
    var summary: String {
        switch self {
        case .publish: "Publishes an instance's token or channel, or replaces it."
        case .withdraw: "Invalidates an instance's token or channel."
        case .announce: "Announces an instance's newest content, which the monitor pushes."
        case .end: "Ends an instance because its ride is over. This is final."
        case .read: "Returns one instance."
        case .list: "Returns a page of instances, in the order of their creation."
        case .health: "Returns the state of the service. It needs no secret."
        case .metrics: "Returns the monitor's counts."
        case .openAPI: "Returns this description."
        }
    }

    /// `true` if the request must carry the secret.
    var needsSecret: Bool { self != .health }

    /// `true` if the path has an instance's name.
    var hasInstance: Bool { template.contains(":id") }

    /// The parameters of the query.
    var parameters: [MonitorParameter] { self == .list ? MonitorParameter.allCases : [] }

    /// The answers to a request that is carried out.
    var answers: [MonitorAnswer] {
        func answer(_ status: Int, _ content: MonitorAnswer.Content, _ meaning: String) -> MonitorAnswer {
            MonitorAnswer(status: status, content: content, meaning: meaning)
        }
        return switch self {
        case .publish:
            [
                answer(200, .acknowledgement, "The token replaces an earlier one, durably."),
                answer(201, .acknowledgement, "The token is the instance's only one, durably."),
                answer(
                    202,
                    .acknowledgement,
                    "The instance ends: the token is durable, and the end will be pushed to it."
                ),
            ]
        case .withdraw: [answer(204, .none, "The token is invalid, durably, and no push to it is in flight.")]
        case .announce: [answer(202, .acknowledgement, "The content is durable and will be pushed.")]
        case .end: [answer(202, .acknowledgement, "The end is durable and will be pushed.")]
        case .read: [answer(200, .instance, "The instance.")]
        case .list: [answer(200, .page, "The instances.")]
        case .health: [answer(200, .health, "The state.")]
        case .metrics: [answer(200, .openMetrics, "The counts as OpenMetrics text.")]
        case .openAPI: [answer(200, .openAPI, "The description as OpenAPI 3.1.")]
        }
    }

    /// The reasons for which a request of this route may be refused, by status.
    ///
    /// ``MonitorRefusal/otherMethod`` belongs to a path instead of a route.
    var refusals: [MonitorRefusal] {
        MonitorRefusal.allCases.filter { refusal in
            switch refusal {
            case .invalid, .tooMany, .failure, .otherCoding, .unavailable: true
            case .noSecret: needsSecret
            case .unknown: [.withdraw, .end, .read].contains(self)
            case .otherMethod: false
            case .conflict: self == .publish || self == .announce
            case .tooLarge: !fields.isEmpty
            case .otherShard: hasInstance
            case .full: self == .publish || self == .announce
            }
        }
    }
}
