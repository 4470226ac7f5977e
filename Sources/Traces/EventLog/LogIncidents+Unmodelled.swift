import LiveActivityModel
import Statistics

/// Stretches for which a scenario has no kind of fault: a calibration states them, and leaves them out of what is usual.
extension LogIncidents {
    /// A stretch that differs from the rest in a way that no fault of a scenario has.
    public struct Unmodelled: Sendable {
        /// A way in which a stretch differs.
        public enum Kind: Sendable {
            /// Tokens come late: the median delays in the stretch and in the rest [µs].
            case lateTokens(delay: Int64, usual: Int64)
            /// APNs rejects a share of the requests for a reason that another attempt does not cure.
            case refusals(status: Int, reason: Int, share: Double)
        }

        public let kind: Kind
        /// Its beginning and end on the log's axis [µs].
        public let from: Int64
        public let until: Int64
        /// The number of tokens, or of requests, in it.
        public let count: Int
    }

    /// Returns `true` if the token of an activity that started at an instant says something about usual delays.
    public func isUsualToken(_ startedAt: Int64) -> Bool {
        !cover(startedAt, [.tokenPostDown, .devicesOffline], margin: 60_000_000)
            && !unmodelled.contains { stretch in
                guard case .lateTokens = stretch.kind else { return false }
                return stretch.from <= startedAt && startedAt < stretch.until
            }
    }

    /// Returns `true` if a request that began at an instant says something about the usual share of a reason.
    func isUsual(_ instant: Int64, reason: Int) -> Bool {
        !cover(instant, [.apnsUnavailable])
            && !unmodelled.contains { stretch in
                guard case .refusals(_, reason, _) = stretch.kind else { return false }
                return stretch.from <= instant && instant < stretch.until
            }
    }

    /// Stretches in which most tokens come more than four times as late as the median one.
    func lateTokens() -> [Unmodelled] {
        let delays = digest.tokenDelays.elements
        guard delays.count >= 20 else { return [] }
        func median(_ delays: [LogDigest.Timed]) -> Int64 { delays.map(\.value).sorted()[delays.count / 2] }
        let limit = 4 * max(digest.resolution, median(delays))
        var (late, all) = (bins.map { _ in 0 }, bins.map { _ in 0 })
        for delay in delays where bins.indices.contains(digest.index(delay.at)) {
            all[digest.index(delay.at)] += 1
            if delay.value > limit { late[digest.index(delay.at)] += 1 }
        }
        // Few activities start in a bin, so its share says little.
        let usual = Double(late.reduce(0, +)) / Double(delays.count)
        return excesses(of: late, among: all, usual: usual)
            .compactMap { excess in
                let (from, until) = (time(excess.stretch.bins.lowerBound), time(excess.stretch.bins.upperBound))
                let others = incidents.contains { incident in
                    [.tokenPostDown, .devicesOffline].contains(incident.kind)
                        && incident.from - 60_000_000 < until && from < incident.until + 60_000_000
                }
                let (within, rest) = (
                    delays.filter { from <= $0.at && $0.at < until }, delays.filter { $0.at < from || until <= $0.at }
                )
                guard !others, !within.isEmpty, !rest.isEmpty else { return nil }
                return Unmodelled(
                    kind: .lateTokens(delay: median(within), usual: median(rest)),
                    from: from,
                    until: until,
                    count: within.count
                )
            }
    }

    /// Stretches in which APNs rejects many requests for one reason, which is neither a dead token nor its own state.
    func refusals() -> [Unmodelled] {
        struct Answer: Hashable { let status, reason: Int }
        var counts: [Answer: [Int]] = [:]
        for rejection in digest.rejections.elements
        where rejection.status != 410 && !LogDigest.isUnavailable(rejection.status)
            && bins.indices.contains(digest.index(rejection.at))
        {
            counts[
                Answer(status: rejection.status, reason: rejection.reason),
                default: bins.map { _ in 0 }
            ][digest.index(rejection.at)] += 1
        }
        let all = trials
        return counts.sorted { ($0.key.status, $0.key.reason) < ($1.key.status, $1.key.reason) }
            .flatMap { answer, yes in
                excesses(of: yes, among: all)
                    .map { excess in
                        Unmodelled(
                            kind: .refusals(
                                status: answer.status,
                                reason: answer.reason,
                                share: Double(excess.yes) / Double(excess.all)
                            ),
                            from: time(excess.stretch.bins.lowerBound),
                            until: time(excess.stretch.bins.upperBound),
                            count: excess.all
                        )
                    }
            }
    }
}
