public import FreshnessCore

/// A provider's own log of requests to APNs, with answers and latencies.
///
/// A log has one row per request, with columns for its time, the status of its answer and its latency, under any of the
/// usual names (``SendLogColumns``). The latency in a log runs from the request to APNs' response, which is
/// `sender.request_time` in a scenario. The time from there to the phone (`apns.latency`) is in no server's log.
public struct SendLog: Hashable, Sendable {
    /// An answer with its number of rows.
    public struct Answer: Hashable, Sendable {
        /// The status; nil if there was no answer.
        public let status: Int?
        /// The reason, in Apple's spelling if it is one of Apple's; empty if the log has none.
        public let reason: String
        /// The number of rows with this answer.
        public let count: Int
    }

    /// The times of the first and of the last request [µs since 1970, or since the start of the log].
    ///
    /// Nil if the log has no times.
    public internal(set) var period: ClosedRange<Int64>?
    /// The number of requests.
    public internal(set) var count = 0
    /// The number of rows that did not meet the conditions.
    public internal(set) var filtered = 0
    /// The conditions on rows.
    public internal(set) var filters: [DataColumn.Filter] = []
    /// The answers with their counts, by status, then by reason; missing answers come last.
    public internal(set) var answers: [Answer] = []
    /// The latencies of requests with status 200 [µs], in file order.
    public internal(set) var latencies: [Int64] = []
    /// The name of the column of latencies.
    public internal(set) var latencyColumn = ""
    /// Warnings about values with two possible readings; each says how to resolve it.
    public internal(set) var remarks: [String] = []
    /// The unit of the column of latencies.
    public internal(set) var unit = EmpiricalColumn.Unit.milliseconds

    /// Returns the number of requests with a status.
    public func count(status: Int?) -> Int {
        answers.reduce(0) { $0 + ($1.status == status ? $1.count : 0) }
    }

    /// Returns a count as a share of all requests.
    public func share(_ count: Int) -> Double { Double(count) / Double(self.count) }
}

extension SendLog {
    /// The rejections in the form of a scenario's `apns.reasons`.
    public struct Refusals: Hashable, Sendable {
        /// A reason with its number of rejected requests.
        public struct Count: Hashable, Sendable {
            public let reason: APNsReason
            /// The number of requests.
            public let count: Int
            /// `true` if the reason was derived from the status alone, for at least some of them.
            public let isGuessed: Bool
        }

        /// The counts by reason, in the order of Apple's table.
        public var counts: [Count] = []
        /// The number of rejections of dead tokens, which the model produces on its own.
        public var deadTokens = 0
        /// Answers without a reason of the model, which are in no share.
        ///
        /// These are other reasons of Apple's, reasons that Apple does not list, and statuses without a reason that may
        /// have several.
        public var unknown: [Answer] = []
    }

    /// The rejections by APNs' reason; if the log only has a status, by the status's usual reason, if there is one.
    public var refusals: Refusals {
        var refusals = Refusals()
        var counts: [APNsReason: (count: Int, isGuessed: Bool)] = [:]
        for answer in answers {
            guard let status = answer.status, status != 200 else { continue }
            let named = APNsReason.ofTokens.first { $0.rawValue == answer.reason }
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
        refusals.counts = APNsReason.ofTokens.compactMap { reason in
            counts[reason].map { Refusals.Count(reason: reason, count: $0.count, isGuessed: $0.isGuessed) }
        }
        return refusals
    }

    /// Returns the most frequent reason for a status; nil if there is none.
    ///
    /// 400 and 403 have many reasons. Some invalidate the device's token or the provider's, others only the request, so
    /// none is assumed.
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
    /// The status and the reason in messages.
    public var name: String {
        let status = status.map { "\($0)" } ?? "no answer"
        return reason.isEmpty ? "\(status) without a reason" : "\(status) \(reason)"
    }
}
