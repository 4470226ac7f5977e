import InputFiles
import TextFormats

/// The clock of a log's axis: how its instants relate to UTC and to the times of a zone.
///
/// Times with an offset, and numbers since 1970, are moved by the zone's offset at the first of them, so that times of day are local.
/// The axis does not follow later changes of the zone's clock. Times without an offset stay as they are.
public struct LogClock: Sendable {
    /// The zone of the mapping; nil if it states none.
    let zone: ZonedClock?
    /// The offset of the axis from UTC [µs]; nil if no time has one.
    var offset: Int64?
    /// `true` if any time has neither an offset nor a distance from 1970.
    var hasLocalTimes = false

    /// Returns an instant of the axis as UTC since 1970 [µs]; nil if its zone is unknown.
    public func utc(_ instant: Int64) -> Int64? {
        if let offset { return instant - offset }
        guard hasLocalTimes, let zone else { return nil }
        return instant - zone.offset(atLocal: instant)
    }

    /// Returns the time of an instant by the zone's clock; the instant itself if the zone is unknown.
    public func local(_ instant: Int64) -> Int64 {
        guard let zone, let offset else { return instant }
        return instant - offset + zone.offset(at: instant - offset)
    }

    /// Returns a sentence on a change of the zone's clock between two instants; nil if there is none.
    func words(from start: Int64, to end: Int64) -> String? {
        guard let zone, offset != nil || hasLocalTimes, start < end,
            let change = zone.changes(from: start, to: end, atMost: 1).first
        else { return nil }
        let (isBack, size) = (change.shift < 0, abs(change.shift))
        let isLocal = offset == nil
        let name = OneLine.text(zone.name)
        let at = "\(LocalClock.date(change.at)) at \(LocalClock.timeOfDay(change.at))"
        let head =
            "The clock of \(name) is set \(isBack ? "back" : "forward") by \(DurationText.text(microseconds: Double(size))) on \(at)"
        guard isLocal else {
            return head
                + "; times of day in the scenario are those of its clock before, and windows of a backtest follow the zone's clock"
        }
        return isBack
            ? head
                + ", and the log has local times without an offset: the rows of the two hours with the same times are mixed, and what is "
                + "derived from them is wrong; write UTC or offsets into the log"
            : head + ", and the log has local times without an offset: times across the change are too long by as much"
    }
}
