import Foundation
import Synchronization

/// The clock of an IANA time zone, such as `Europe/Berlin`.
///
/// The program contains Foundation's database of time zones.
package struct ZonedClock: Sendable {
    /// A change of the clock.
    package struct Change: Hashable, Sendable {
        /// The local instant of the change, by the clock before it [µs].
        package let at: Int64
        /// The shift of the clock; negative if it is set back [µs].
        package let shift: Int64
    }

    /// The name of the zone.
    package let name: String
    private let zone: TimeZone

    /// The clocks by requested name; nil for a name that is no zone.
    private static let known = Mutex<[String: ZonedClock?]>([:])
    /// The number of names that are cached.
    ///
    /// A hostile file may have a different one in each row.
    private static let mostNames = 1000

    /// Returns the clock of a zone; nil if the database has no zone of that name.
    package static func named(_ name: String) -> ZonedClock? {
        known.withLock { known in
            if let clock = known[name] { return clock }
            let clock = make(name)
            if known.count < mostNames { known[name] = .some(clock) }
            return clock
        }
    }

    private static func make(_ name: String) -> ZonedClock? {
        let isName = name.utf8.allSatisfy { $0.isLetterOrDigit || "/_+-".utf8.contains($0) }
        // Abbreviations such as EST and CST mean different zones in different places.
        guard isName, name == "UTC" || name == "GMT" || name.contains("/"), let zone = TimeZone(identifier: name) else {
            return nil
        }
        return ZonedClock(name: name, zone: zone)
    }

    /// Returns the offset of the clock from UTC at an instant since 1970 [µs].
    package func offset(at instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Self.date(instant))) * 1_000_000
    }

    /// Returns the offset of the clock from UTC at a local time [µs].
    ///
    /// In an hour that occurs twice, the first is used. A skipped time has the offset from before the change.
    package func offset(atLocal local: Int64) -> Int64 {
        let (before, after) = (offset(at: local - Self.widest), offset(at: local + Self.widest))
        guard before != after else { return offset(at: local - before) }
        return offset(at: local - before) == before || offset(at: local - after) != after ? before : after
    }

    /// Returns the changes from one local instant to another.
    package func changes(from start: Int64, to end: Int64, atMost most: Int) -> [Change] {
        var changes: [Change] = []
        // Local times of a zone are at most a day away from UTC.
        var date = Self.date(start - CivilTime.day)
        let last = Self.date(end + CivilTime.day)
        while changes.count < most, let next = zone.nextDaylightSavingTimeTransition(after: date), next > date,
            next <= last
        {
            date = next
            let instant = Int64((next.timeIntervalSince1970 * 1e6).rounded())
            let before = offset(at: instant - 1_000_000)
            let change = Change(at: instant + before, shift: offset(at: instant) - before)
            if change.shift != 0, start <= change.at, change.at <= end { changes.append(change) }
        }
        return changes
    }

    /// An upper bound for the time from a change until local times are unambiguous again [µs].
    private static let widest: Int64 = 26 * 3_600_000_000

    private static func date(_ instant: Int64) -> Date { Date(timeIntervalSince1970: Double(instant) / 1e6) }
}
