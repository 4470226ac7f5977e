import LiveActivityModel

/// What the phones have made of pushes, and what their screens show.
struct ScreenTally: Sendable {
    var fresh = 0
    var stale = 0
    var ended = 0

    var shown = 0
    var started = 0
    var older = 0
    var endings = 0
    var afterEnd = 0
    var throttled = 0
    var unknownEvent = 0
    var undecodable = 0
    var withoutRoom = 0

    /// How old content was when it was shown, from the payload's timestamp, cumulative by ``ageBounds``; the last is all.
    var ages = [Int](repeating: 0, count: ScreenTally.ageBounds.count + 1)
    var ageSum = 0.0

    /// [s].
    static let ageBounds: [Double] = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600]

    mutating func count(_ effect: PhoneScreen.Effect, age: Double) {
        switch effect {
        case .started: started += 1
        case .judged(.shows): shown += 1
        case .judged(.ends): endings += 1
        case .judged(.older): older += 1
        case .judged(.afterEnd): afterEnd += 1
        case .judged(.throttled): throttled += 1
        case .judged(.undecodable): undecodable += 1
        case .unknownEvent: unknownEvent += 1
        }
        guard [.started, .judged(.shows), .judged(.ends)].contains(effect) else { return }
        for place in ScreenTally.ageBounds.indices where age <= ScreenTally.ageBounds[place] {
            ages[place] += 1
        }
        ages[ScreenTally.ageBounds.count] += 1
        ageSum += max(0, age)
    }
}
