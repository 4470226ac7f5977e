public import FreshnessCore

/// A provider's own log of requests to APNs: how long answers take, and what they are.
///
/// A log has a row for each request, and columns for its time, its answer's status and how long that took, under any of
/// the usual names (``SendLogColumns``). What it calls latency runs from the request to APNs' response, which is
/// `sender.request_time` in a scenario; the way on to the phone (`apns.latency`) is in no server's log.
public struct SendLog: Hashable, Sendable {
    /// Rows with one answer.
    public struct Answer: Hashable, Sendable {
        /// The status; nil where none came.
        public let status: Int?
        /// The reason, spelt as Apple does where it is one of Apple's; empty where the log has none.
        public let reason: String
        /// How many rows have it.
        public let count: Int
    }

    /// The time of the first and of the last request [µs since 1970, or since the beginning of a log whose times are such],
    /// as far as the log has times.
    public internal(set) var period: ClosedRange<Int64>?
    /// How many requests there are.
    public internal(set) var count = 0
    /// How many rows did not meet the conditions.
    public internal(set) var filtered = 0
    /// The conditions that its rows meet.
    public internal(set) var filters: [DataColumn.Filter] = []
    /// Answers with their counts, by status, then by reason; no answer comes last.
    public internal(set) var answers: [Answer] = []
    /// The times of requests with status 200 [µs], in file order.
    public internal(set) var latencies: [Int64] = []
    /// The name of the column of latencies.
    public internal(set) var latencyColumn = ""
    /// Warnings about values that can be read in two ways; each says how to settle it.
    public internal(set) var remarks: [String] = []
    /// The unit of the column of latencies.
    public internal(set) var unit = EmpiricalColumn.Unit.milliseconds

    /// How many requests got a status.
    public func count(status: Int?) -> Int {
        answers.reduce(0) { $0 + ($1.status == status ? $1.count : 0) }
    }

    /// A share of all requests.
    public func share(_ count: Int) -> Double { Double(count) / Double(self.count) }
}

extension SendLog {
    /// What of the refusals goes into a scenario's `apns.reasons`.
    public struct Refusals: Hashable, Sendable {
        /// A reason and how many requests were refused for it.
        public struct Count: Hashable, Sendable {
            /// The reason.
            public let reason: APNsReason
            /// How many requests.
            public let count: Int
            /// Whether it was taken from a status alone, at least for some of them.
            public let isGuessed: Bool
        }

        /// By reason, in the order of Apple's table.
        public var counts: [Count] = []
        /// Refusals of dead tokens, which the model makes by itself.
        public var deadTokens = 0
        /// Answers without a reason of the model, which are part of no share: other reasons of Apple's, reasons
        /// that Apple does not list, and statuses without a reason that may mean several.
        public var unknown: [Answer] = []
    }

    /// The refusals by APNs' reason; where the log has a status alone, by the usual reason of the status if it has one.
    public var refusals: Refusals {
        var refusals = Refusals()
        var counts: [APNsReason: (count: Int, isGuessed: Bool)] = [:]
        for answer in answers {
            guard let status = answer.status, status != 200 else { continue }
            let named = APNsReason(rawValue: answer.reason)
            let guessed = answer.reason.isEmpty ? Self.usualReason(ofStatus: status) : nil
            guard let reason = named ?? guessed else {
                refusals.unknown.append(answer)
                continue
            }
            switch reason {
            case .expiredToken, .unregistered:
                refusals.deadTokens += answer.count
            default:
                let before = counts[reason] ?? (0, false)
                counts[reason] = (before.count + answer.count, before.isGuessed || named == nil)
            }
        }
        refusals.counts = APNsReason.allCases.compactMap { reason in
            counts[reason].map { Refusals.Count(reason: reason, count: $0.count, isGuessed: $0.isGuessed) }
        }
        return refusals
    }

    /// The reason that APNs most often gives with a status; nil where none is usual.
    ///
    /// 400 and 403 carry many reasons. Some condemn the device's token or the provider's, others only the request, so none is
    /// guessed.
    private static func usualReason(ofStatus status: Int) -> APNsReason? {
        switch status {
        case 410: .unregistered
        case 413: .payloadTooLarge
        case 429: .tooManyRequests
        case 500: .internalServerError
        case 503: .serviceUnavailable
        default: nil
        }
    }
}

extension SendLog.Answer {
    /// The status and the reason as messages name them, for an answer that has a status.
    public var name: String {
        let status = status.map { "\($0)" } ?? "no answer"
        return reason.isEmpty ? "\(status) without a reason" : "\(status) \(reason)"
    }
}
