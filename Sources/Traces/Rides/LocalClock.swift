import InputFiles
import TextFormats

/// The clock changes within a trace of local times.
///
/// In autumn one hour occurs twice, and in spring one is skipped, so a ride over the change seems an hour too short or
/// too long. The scenario names the zone, or the header reveals the country. Otherwise there are two signs of a change:
/// rides that end up to an hour before their pickup between midnight and 4:00, and rides over an hour that clocks skip
/// somewhere and in which the trace has no time.
struct LocalClock {
    /// Columns that reveal the origin of a trace, with a zone whose clocks change at the same local times.
    static let origins: [(column: String, place: String, zone: String)] = [
        ("hvfhs_license_num", "New York", "America/New_York"), ("tpep_pickup_datetime", "New York", "America/New_York"),
        ("lpep_pickup_datetime", "New York", "America/New_York"),
        ("Trip Start Timestamp", "Chicago", "America/Chicago"),
        ("member_casual", "the United States", "America/New_York"),
    ]

    /// The origin of a trace.
    private enum Place {
        case unknown
        /// A place with its clock.
        case known(String, ZonedClock)
    }

    /// A clock change within the trace, with the rows around it.
    private struct Found {
        let change: ZonedClock.Change
        /// The number of rows that begin before the change and end after it.
        var rows = 0
        /// The number of rows with a time that the clock skips.
        var skipped = 0
    }

    private typealias Change = ZonedClock.Change

    private static let hour: Int64 = 3_600_000_000
    private let place: Place
    /// The clock changes by year, for the years of the trace's rows.
    private var changesOfYears: [Int64: [Change]] = [:]
    /// The changes in ``year``.
    private var changes: [Change] = []
    /// The year of a previous row, which most rows are also in [µs].
    private var year: Range<Int64> = 0..<0
    /// The changes, in the order in which rows meet them.
    private var found: [Found] = []
    private var backwards = (rows: 0, firstLine: 0)
    private var range: ClosedRange<Int64>?

    /// Creates the clock of a trace.
    ///
    /// - Parameters:
    ///   - names: The names of the trace's columns, which may reveal the place.
    ///   - zone: The time zone stated by the scenario; empty for none.
    init(_ names: [ColumnName], zone: String) {
        let keys = Set(names.map(\.key))
        if let clock = ZonedClock.named(zone) {
            place = .known(clock.name, clock)
        } else if let origin = Self.origins.first(where: { keys.contains(ColumnName($0.column).key) }),
            let clock = ZonedClock.named(origin.zone)
        {
            place = .known(origin.place, clock)
        } else {
            place = .unknown
        }
    }

    /// Records the moments of a row in local times.
    ///
    /// - Returns: `true` if the ride ends before its pickup because the clock is set back in between.
    mutating func note(_ timeline: RideTimeline, line: Int) -> Bool {
        guard let some = timeline.requested ?? timeline.pickedUp else { return false }
        let (middle, end) = (timeline.pickedUp ?? some, timeline.droppedOff ?? timeline.cancelled ?? some)
        let (first, last) = (min(some, middle, end), max(some, middle, end))
        range = range.map { min($0.lowerBound, first)...max($0.upperBound, last) } ?? first...last
        if !year.contains(first) { goToYear(of: first) }
        var isOverTheHourTwice = false
        for change in changes {
            if change.shift > 0 {
                let skipped = change.at..<(change.at + change.shift)
                let isSkipped = skipped.contains(some) || skipped.contains(middle) || skipped.contains(end)
                if isSkipped || first < change.at && last >= change.at { count(change, isSkipped: isSkipped) }
            } else if last >= change.at + change.shift, first < change.at {
                isOverTheHourTwice = true
                count(change, isSkipped: false)
            }
        }
        guard let end = timeline.droppedOff, let pickup = timeline.pickedUp, end < pickup, pickup - end < Self.hour
        else {
            return false
        }
        switch place {
        case .unknown:
            guard CivilTime.timeOfDay(pickup) < 4 * Self.hour else { return false }
            backwards = (backwards.rows + 1, backwards.rows == 0 ? line : backwards.firstLine)
            return true
        case .known:
            return isOverTheHourTwice
        }
    }

    /// Makes the year of a local instant the current one [µs].
    private mutating func goToYear(of instant: Int64) {
        let number: Int64
        (number, year) = Self.year(of: instant)
        changes = changesOfYears[number] ?? changes(in: number, year)
        changesOfYears[number] = changes
    }

    private mutating func count(_ change: Change, isSkipped: Bool) {
        let index = found.firstIndex { $0.change == change } ?? found.endIndex
        if index == found.endIndex { found.append(Found(change: change)) }
        found[index].rows += 1
        if isSkipped { found[index].skipped += 1 }
    }

    /// Sentences about the changes; empty if there are none within the trace.
    var remarks: [String] {
        switch place {
        case .unknown: remarksOfUnknownPlace
        case .known(let name, _): remarks(in: name)
        }
    }

    private func remarks(in place: String) -> [String] {
        guard let range else { return [] }
        return allChanges(within: range)
            .flatMap { change in
                let found = found.first { $0.change == change } ?? Found(change: change)
                let passage =
                    "The trace goes through a clock change: \(Self.date(change.at)) in \(place), with "
                    + "\(Self.rows(found.rows)) around it. \(Self.advice)"
                guard found.skipped > 0 else { return [passage] }
                let hour = "\(Self.timeOfDay(change.at)) and \(Self.timeOfDay(change.at + change.shift))"
                let impossible =
                    "\(Self.rows(found.skipped)) with a time between \(hour) on \(Self.date(change.at)), which clocks skip in "
                    + "\(place). If the times are of another zone, set rides.trace.time_zone."
                return [passage, impossible]
            }
    }

    private var remarksOfUnknownPlace: [String] {
        var remarks: [String] = []
        if backwards.rows > 0 {
            remarks.append(
                "\(Self.rows(backwards.rows)) between midnight and 4:00 end up to an hour before the pickup, the first in line "
                    + "\(backwards.firstLine), as rides do when clocks are set back. \(Self.advice) \(Self.wayOut)"
            )
        }
        remarks += found.filter { $0.change.shift > 0 && $0.rows > 0 && $0.skipped == 0 }
            .sorted { $0.change.at < $1.change.at }
            .prefix(Self.mostChanges)
            .map { found in
                let change = found.change
                let zone = Self.examples.first { !$0.changes(from: change.at, to: change.at, atMost: 2).isEmpty }
                return
                    "The trace may go through a clock change: it has no time between \(Self.timeOfDay(change.at)) and "
                    + "\(Self.timeOfDay(change.at + change.shift)) on \(Self.date(change.at)), which clocks skip in "
                    + "\(zone?.name ?? "some places"), and \(Self.rows(found.rows)) around it. \(Self.advice) \(Self.wayOut)"
            }
        return remarks
    }

    private static let advice =
        "Local times do not show which hour is meant, so such a ride is left out or wrong by 60 minutes; times with an offset do."
    private static let wayOut = "Set the zone with rides.trace.time_zone; UTC has no clock changes."

    private static func rows(_ count: Int) -> String { count.counted("row", "rows") }

    /// The largest number of changes that are named.
    private static let mostChanges = 6

    /// Zones with clock changes on different nights or at different hours, for traces of unknown origin.
    private static let examples: [ZonedClock] = [
        "Europe/Berlin", "Europe/London", "Europe/Athens", "America/New_York", "America/Santiago", "America/Asuncion",
        "Australia/Sydney", "Pacific/Auckland", "Asia/Jerusalem", "Asia/Beirut", "Africa/Cairo",
    ]
    .compactMap(ZonedClock.named)

    /// Returns the changes between two local instants.
    private func allChanges(within range: ClosedRange<Int64>) -> [Change] {
        var found: [Change] = []
        var at = range.lowerBound
        while found.count < Self.mostChanges, at <= range.upperBound {
            let (number, year) = Self.year(of: at)
            found += changes(in: number, year)
                .filter { change in
                    // The hour after the change in spring is skipped; the hour before the change in autumn occurs
                    // twice.
                    range.lowerBound < change.at + max(change.shift, 0)
                        && range.upperBound >= change.at + min(change.shift, 0)
                }
            at = year.upperBound
        }
        return Array(found.prefix(Self.mostChanges))
    }

    /// Returns the year of a local instant [µs].
    private static func year(of instant: Int64) -> (number: Int64, range: Range<Int64>) {
        let day = (instant - CivilTime.timeOfDay(instant)) / CivilTime.day
        let number = CivilTime.year(ofDay: day)
        func start(_ year: Int64) -> Int64 { CivilTime.days(toYear: year, month: 1, day: 1) ?? day }
        let (first, next) = (start(number), start(number + 1))
        return (number, first * CivilTime.day..<max(next, first + 1) * CivilTime.day)
    }

    /// The years with known clock changes.
    ///
    /// Later ones depend on future laws.
    private static let knownYears: ClosedRange<Int64> = 1970...2100

    /// Returns the changes of a year.
    private func changes(in number: Int64, _ year: Range<Int64>) -> [Change] {
        func changes(of clock: ZonedClock) -> [Change] {
            clock.changes(from: year.lowerBound, to: year.upperBound - 1, atMost: 10)
        }
        guard Self.knownYears.contains(number) else { return [] }
        switch place {
        case .known(_, let clock): return changes(of: clock)
        case .unknown:
            var different: [Change] = []
            for change in Self.examples.flatMap(changes) where change.shift > 0 && !different.contains(change) {
                different.append(change)
            }
            return different
        }
    }

    static func date(_ instant: Int64) -> String {
        let day = (instant - CivilTime.timeOfDay(instant)) / CivilTime.day
        let year = CivilTime.year(ofDay: day)
        var month: Int64 = 12
        while month > 1, let start = CivilTime.days(toYear: year, month: month, day: 1), start > day { month -= 1 }
        let dayOfMonth = day - (CivilTime.days(toYear: year, month: month, day: 1) ?? day) + 1
        return [year, month, dayOfMonth].map(twoDigits).joined(separator: "-")
    }

    static func timeOfDay(_ instant: Int64) -> String {
        let minutes = CivilTime.timeOfDay(instant) / 60_000_000
        return "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
