/// Clock changes within a trace in local times, which do not show them.
///
/// In autumn the hour from 1:00 to 2:00 comes twice, in spring the one from 2:00 to 3:00 not at all: a ride over the change
/// seems an hour too short, or too long. Where the header reveals the country, its rules say when that is; elsewhere rides that
/// end up to an hour before their pickup in the small hours give it away.
struct LocalClock {
    /// Columns that reveal where a trace is from.
    ///
    /// All these places change their clocks by the same rule.
    static let origins: [(column: String, place: String)] = [
        ("hvfhs_license_num", "New York"), ("tpep_pickup_datetime", "New York"), ("lpep_pickup_datetime", "New York"),
        ("Trip Start Timestamp", "Chicago"), ("member_casual", "the United States"),
    ]

    private static let hour: Int64 = 3_600_000_000
    /// The origin of the trace; nil if it is unknown.
    private let place: String?
    /// The local instants of the two changes of a year [µs]: 2:00 in spring and 2:00 in autumn.
    private var changes: (spring: Int64, autumn: Int64) = (0, 0)
    /// The year of ``changes`` [µs].
    private var year: Range<Int64> = 0..<0
    /// The clock changes that the trace goes through, in the order in which they were found: the local instant and the rows.
    private var found: [(at: Int64, rows: Int)] = []
    private var backwards = (rows: 0, firstLine: 0)
    private var range: ClosedRange<Int64>?

    /// The clock of the place that a header reveals.
    init(_ names: [ColumnName]) {
        let keys = Set(names.map(\.key))
        place = Self.origins.first { keys.contains(ColumnName($0.column).key) }?.place
    }

    /// Notes the moments of a row in local times.
    ///
    /// - Returns: `true` if the ride ends before its pickup as it does where the clock is set back in between.
    mutating func note(_ timeline: RideTimeline, line: Int) -> Bool {
        guard let some = timeline.requested ?? timeline.pickedUp else { return false }
        let (middle, end) = (timeline.pickedUp ?? some, timeline.droppedOff ?? timeline.cancelled ?? some)
        let (first, last) = (min(some, middle, end), max(some, middle, end))
        range = range.map { min($0.lowerBound, first)...max($0.upperBound, last) } ?? first...last
        let isSetBack: Bool
        if let end = timeline.droppedOff, let pickup = timeline.pickedUp {
            isSetBack = end < pickup && pickup - end < Self.hour && CivilTime.timeOfDay(pickup) < 4 * Self.hour
        } else {
            isSetBack = false
        }
        guard place != nil else {
            if isSetBack { backwards = (backwards.rows + 1, backwards.rows == 0 ? line : backwards.firstLine) }
            return isSetBack
        }
        if !year.contains(first) { (year, changes) = Self.changes(around: first) }
        let (spring, autumn) = changes
        if first < spring, last >= spring { count(spring) }
        guard last >= autumn - Self.hour, first < autumn else { return false }
        count(autumn)
        return isSetBack
    }

    private mutating func count(_ change: Int64) {
        if let place = found.firstIndex(where: { $0.at == change }) {
            found[place].rows += 1
        } else {
            found.append((change, 1))
        }
    }

    /// Sentences about the changes; empty where the trace goes through none.
    var remarks: [String] {
        if backwards.rows > 0 {
            return [
                "\(Self.rows(backwards.rows)) between midnight and 4:00 end up to an hour before the pickup, the first in line "
                    + "\(backwards.firstLine), as rides do when clocks are set back. \(Self.advice)"
            ]
        }
        guard let place, let range else { return [] }
        return Self.allChanges(within: range)
            .map { change in
                let rows = found.first { $0.at == change }?.rows ?? 0
                return
                    "The trace goes through a clock change: \(Self.date(change)) in \(place), with \(Self.rows(rows)) around it. "
                    + Self.advice
            }
    }

    private static let advice =
        "Local times cannot say which hour is meant, so such a ride is left out or wrong by 60 minutes; times with an offset can."

    private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

    /// The most changes that are named.
    private static let mostChanges = 6

    /// The changes between two local instants.
    private static func allChanges(within range: ClosedRange<Int64>) -> [Int64] {
        var changes: [Int64] = []
        var at = range.lowerBound
        while changes.count < mostChanges, at <= range.upperBound {
            let (year, (spring, autumn)) = Self.changes(around: at)
            if range.lowerBound < spring, range.upperBound >= spring { changes.append(spring) }
            // The hour before the change in autumn comes twice.
            if range.lowerBound < autumn, range.upperBound >= autumn - hour { changes.append(autumn) }
            at = year.upperBound
        }
        return Array(changes.prefix(mostChanges))
    }

    /// The year of a local instant [µs], and its changes by the rule of the United States since 2007: the second Sunday of March
    /// and the first of November, at 2:00.
    private static func changes(around instant: Int64) -> (year: Range<Int64>, (spring: Int64, autumn: Int64)) {
        let day = (instant - CivilTime.timeOfDay(instant)) / CivilTime.day
        let number = CivilTime.year(ofDay: day)
        func start(_ year: Int64, _ month: Int64) -> Int64 { CivilTime.days(toYear: year, month: month, day: 1) ?? day }
        func sunday(from day: Int64) -> Int64 {
            // 1970-01-01 was a Thursday.
            day + (10 - ((day % 7) + 7) % 7) % 7
        }
        let (first, next) = (start(number, 1), start(number + 1, 1))
        let spring = sunday(from: start(number, 3)) + 7
        let autumn = sunday(from: start(number, 11))
        return (
            first * CivilTime.day..<max(next, first + 1) * CivilTime.day,
            (spring * CivilTime.day + 2 * hour, autumn * CivilTime.day + 2 * hour)
        )
    }

    private static func date(_ instant: Int64) -> String {
        let day = (instant - CivilTime.timeOfDay(instant)) / CivilTime.day
        let year = CivilTime.year(ofDay: day)
        var month: Int64 = 12
        while month > 1, let start = CivilTime.days(toYear: year, month: month, day: 1), start > day { month -= 1 }
        let dayOfMonth = day - (CivilTime.days(toYear: year, month: month, day: 1) ?? day) + 1
        return [year, month, dayOfMonth].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    }
}
