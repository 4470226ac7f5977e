import LiveActivityModel

/// Reports of apps: what a phone showed, and when.
extension LogDigest {
    /// A request of an activity, with the report of its app.
    public struct ScreenPush: Sendable {
        let push: UInt64
        /// The time of the request.
        let at: Int64
        /// When the content was generated; the time of the request if the log has no such times.
        let content: Int64
        let isEnd: Bool
        let priority: Int
        /// `true` after an answer 200.
        var isAccepted = false
        /// `true` if the server received a token before the next request.
        var precedesToken = false
        /// When the phone showed it, by the clock of the report.
        var shownAt = LogEvent.none

        /// The time from the request to the screen [µs]; nil if no app reports it.
        var time: Int64? { shownAt == LogEvent.none ? nil : shownAt - at }
    }

    /// The number of requests of an activity that are kept.
    private static let mostScreenPushes = 32
    /// The number of reports of an activity that may come before their requests, as clocks that are behind write.
    private static let mostEarlyReports = 8

    /// Notes a request.
    ///
    /// Before the first report of the log, nothing is kept, because most logs have none.
    mutating func noteRequest(_ event: LogEvent, _ push: UInt64, _ content: Int64, _ place: Int) {
        guard keepsSamples, shownCount > 0, states[place].screen.count < Self.mostScreenPushes else { return }
        var request = ScreenPush(
            push: push,
            at: event.at,
            content: content,
            isEnd: event.pushKind == .end,
            priority: event.priority
        )
        if let early = states[place].earlyReports.firstIndex(where: { $0.push == push }) {
            request.shownAt = states[place].earlyReports.remove(at: early).at
        }
        states[place].screen.append(request)
    }

    mutating func noteAcceptance(of push: UInt64, _ place: Int) {
        guard let index = states[place].screen.lastIndex(where: { $0.push == push }) else { return }
        states[place].screen[index].isAccepted = true
    }

    mutating func shown(_ event: LogEvent, _ place: Int) {
        shownCount += 1
        guard keepsSamples else { return }
        while event.at % reportResolution != 0 { reportResolution /= 1000 }
        guard event.push != 0 else {
            note(.shownWithoutPush, event)
            return
        }
        if let index = states[place].screen.lastIndex(where: { $0.push == event.push }) {
            if states[place].screen[index].shownAt == LogEvent.none { states[place].screen[index].shownAt = event.at }
        } else if states[place].earlyReports.count < Self.mostEarlyReports {
            states[place].earlyReports.append((event.push, event.at))
        }
    }

    /// Keeps the requests of a ride that is over, if its app reported anything.
    mutating func closeScreen(_ place: Int) {
        if states[place].screen.contains(where: { $0.time != nil }) { screens.add(states[place].screen) }
    }
}
