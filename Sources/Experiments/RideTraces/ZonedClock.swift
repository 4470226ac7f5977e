import Foundation
import Synchronization

/// The clock of an IANA time zone, such as `Europe/Berlin`.
///
/// Foundation's database of time zones comes with the program.
struct ZonedClock: Sendable {
    /// A change of the clock.
    struct Change: Hashable, Sendable {
        /// The local instant at which the change takes place, by the clock before it [µs].
        let at: Int64
        /// By how much the clock is set forward; negative where it is set back [µs].
        let shift: Int64
    }

    /// The name of the zone.
    let name: String
    private let zone: TimeZone

    /// The clocks that were asked for; nil for a name that is no zone.
    private static let known = Mutex<[String: ZonedClock?]>([:])
    /// How many names are remembered: a hostile file may have a different one in each row.
    private static let mostNames = 1000

    /// The clock of a zone; nil where the database has no zone of that name.
    static func named(_ name: String) -> ZonedClock? {
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

    /// By how much the clock is ahead of UTC at an instant since 1970 [µs].
    func offset(at instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Self.date(instant))) * 1_000_000
    }

    /// By how much the clock is ahead of UTC when it shows a local time [µs].
    ///
    /// Of an hour that comes twice, the first is meant; a time that the clock skips counts from the offset before the change.
    func offset(atLocal local: Int64) -> Int64 {
        let (before, after) = (offset(at: local - Self.widest), offset(at: local + Self.widest))
        guard before != after else { return offset(at: local - before) }
        return offset(at: local - before) == before || offset(at: local - after) != after ? before : after
    }

    /// The changes from a local instant on, up to another.
    func changes(from start: Int64, to end: Int64, atMost most: Int) -> [Change] {
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

    /// More than the time from a change until local times are clear again [µs].
    private static let widest: Int64 = 26 * 3_600_000_000

    private static func date(_ instant: Int64) -> Date { Date(timeIntervalSince1970: Double(instant) / 1e6) }
}

extension UInt8 {
    /// `true` for a letter or a digit of ASCII.
    var isLetterOrDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
