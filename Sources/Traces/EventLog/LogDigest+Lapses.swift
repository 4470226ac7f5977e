import LiveActivityModel

/// Stale content of activities, from which a monitor's attempts to recover are due.
extension LogDigest {
    /// Counts the time for which the content of an activity was stale, if the monitor has not attempted to recover it.
    ///
    /// - Parameter isAttempt: `true` if the time ends with the monitor's first attempt; otherwise new content came, or the watch ended.
    mutating func noteLapse(until at: Int64, isAttempt: Bool, _ place: Int) {
        let (since, until) = (states[place].watchedSince, states[place].freshUntil)
        guard keepsSamples, states[place].retries == 0, !states[place].isClosing, since != LogEvent.none,
            until != LogEvent.none, until != .max
        else { return }
        let staleDate = until - freshLimit
        guard since <= staleDate, staleDate < at else { return }
        lapses.add(Timing(at: staleDate, time: at - staleDate, isEvent: isAttempt))
    }
}
