package import Quantities

/// The payload timestamps of a load, which rise from one push of a token to its next.
///
/// A phone shows an update only if its timestamp is above the last one's, and timestamps are whole seconds. A push is
/// therefore stamped with the second at which it is due. If a token gets more than one push per second, each push is stamped
/// one second later than the token's last one, so timestamps run ahead of the clock. They return to the clock when the rate
/// falls.
///
/// *T* tokens take turns, arrival *n* is due at *d(n)*, and its timestamp is the whole seconds of
///
///     s(n) = max over m ≤ n of d(m) + (n - m) / T   [s]
///
/// so that *s(n + T)* is at least *s(n)* plus one second. It depends on due times alone. Lanes and shares that have noted the
/// same arrivals therefore agree.
struct PushStamps: Sendable {
    /// The number of tokens.
    private let tokens: Int
    /// The maximum of *d(m) - m / T* over the arrivals noted [ns].
    private var latest = Int64.min

    /// Timestamps for a number of tokens.
    ///
    /// - Precondition: `tokens` is above 0.
    init(tokens: Int) {
        precondition(tokens > 0, "a load without tokens")
        self.tokens = tokens
    }

    /// Notes when an arrival is due [ns since the beginning of the load].
    mutating func note(_ number: Int, due: Int64) {
        latest = max(latest, due - turn(number))
    }

    /// The timestamp of the arrival noted last [s since the beginning of the load].
    func stamp(_ number: Int) -> Int64 {
        let nanoseconds = latest + turn(number)
        return nanoseconds / 1_000_000_000
    }

    /// *n / T* [ns]; exactly one second more for the token's next push.
    private func turn(_ number: Int) -> Int64 {
        // No process sends four billion pushes to a token; the limit keeps the product within 64 bits.
        let (round, place) = (min(number / tokens, 4_000_000_000), number % tokens)
        return Int64(round) * 1_000_000_000 + Int64(place) * 1_000_000_000 / Int64(tokens)
    }
}

extension PushLoad {
    /// The number of tokens that take turns.
    package var tokenCount: Int { ownTokens.isEmpty ? max(1, tokens) : ownTokens.count }

    /// `true` if pushes to a token can be due less than a second apart.
    ///
    /// Timestamps then follow from all arrivals, and otherwise from a push's own due time. The pushes of a replay have theirs.
    var outrunsSeconds: Bool {
        if schedule.replay != nil { return false }
        guard case .open(let plan, let process) = schedule.arrivals else { return true }
        return process == .poisson || plan.peakRate >= Double(tokenCount)
    }

    /// The longest lead of timestamps over the clock by the plan; zero for a load without a plan.
    ///
    /// Random arrivals make it a little longer or shorter.
    package var longestLead: TimeSpan {
        if let replay = schedule.replay { return replay.longestLead }
        guard let plan = schedule.plan else { return .zero }
        let seconds = plan.longestBacklog(servedPerSecond: Double(tokenCount)) / Double(tokenCount)
        return TimeSpan(microseconds: Int64(min(seconds * 1e6, Double(TimeSpan.longest.microseconds))))
    }
}
