import FreshnessCore
import LiveActivityModel
import Quantities

/// Instances that are over go, or memory and disk would fill up with rides of long ago.
///
/// An instance may be forgotten once nothing is left to do about it: it is closed, its end schedule is used up, or it
/// never had a token. What its name meant is forgotten with it, a decision to end among it; so the time until then must
/// be longer than an activity can live on a phone, which is eight hours and four more as a card (Apple, "Displaying
/// live data with Live Activities").
extension MonitorStateMachine {
    /// Rows that one look takes in, so that requests do not wait long for its end.
    private static var sweepLength: Int { 20_000 }
    /// Between two parts of a pass.
    private static var sweepPause: TimeSpan { .seconds(1) }

    /// Forgets what is over for long enough, as far as a look goes, and appoints the next look.
    mutating func sweep(at now: Instant) {
        guard let forgetAfter else { return }
        let limit = Instant(microseconds: now.microseconds - forgetAfter.microseconds)
        let end = min(instances.count, nextSweep.row + Self.sweepLength)
        for row in nextSweep.row..<max(end, nextSweep.row) where isForgettable(row, unchangedSince: limit) {
            actions.changes.append(.forget(instances[row].id, unchangedSince: limit))
            counts.forgotten += 1
            forget(row)
        }
        let isPassOver = end >= instances.count
        // A pass every now and then: what is over is kept a sixteenth longer than it must be, at most.
        let pause = isPassOver ? TimeSpan(microseconds: forgetAfter.microseconds / 16) : Self.sweepPause
        nextSweep = (now + max(pause, Self.sweepPause), isPassOver ? 0 : end)
    }

    private func isForgettable(_ row: Int, unchangedSince limit: Instant) -> Bool {
        let instance = instances[row]
        return !instance.isForgotten && instance.changedAt <= limit && instance.heldCount == 0
            && instance.inFlight.isEmpty
            && instance.station.monitor.isDone(rules)
    }
}
