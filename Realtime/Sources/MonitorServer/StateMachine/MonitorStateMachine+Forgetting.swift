import FreshnessCore
import LiveActivityModel
import Quantities

/// Deletion of finished instances, so that memory and disk do not fill up with old rides.
///
/// An instance may be deleted once no work remains: it is closed, its end schedule is used up, or it never had a token.
/// The meaning of its name is deleted with it, including a decision to end. So the time until then must exceed the life
/// of an activity on a phone: eight hours, and four more as a card (Apple, "Displaying live data with Live
/// Activities").
extension MonitorStateMachine {
    /// The number of rows per sweep, so that requests do not wait long for its end.
    private static var sweepLength: Int { 20_000 }
    /// The pause between two parts of a pass.
    private static var sweepPause: TimeSpan { .seconds(1) }

    /// Deletes instances that finished long enough ago, within one part of the rows, and schedules the next part.
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
        // The pause between passes: a finished instance is kept at most a sixteenth longer than necessary.
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
