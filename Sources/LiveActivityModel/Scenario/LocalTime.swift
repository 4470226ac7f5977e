public import Quantities

extension Scenario {
    /// A day of the week.
    public enum Weekday: Int, CaseIterable, Sendable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday

        /// The three letters of its name: `Mon`.
        public var name: String {
            switch self {
            case .monday: "Mon"
            case .tuesday: "Tue"
            case .wednesday: "Wed"
            case .thursday: "Thu"
            case .friday: "Fri"
            case .saturday: "Sat"
            case .sunday: "Sun"
            }
        }

        /// Returns the weekday some days later.
        public func later(by days: Int64) -> Weekday {
            Weekday.allCases[(rawValue + Int(days % 7)) % 7]
        }
    }

    /// A local time of day, on a weekday or on any day.
    public struct LocalTime: Hashable, Sendable {
        /// The weekday; nil for any day.
        public var weekday: Weekday?
        /// The time since midnight.
        public var timeOfDay: TimeSpan

        /// Creates a local time.
        public init(weekday: Weekday? = nil, timeOfDay: TimeSpan) {
            self.weekday = weekday
            self.timeOfDay = timeOfDay
        }

        /// Returns the local time after a span of at least zero.
        public func later(by span: TimeSpan) -> LocalTime {
            let day = TimeSpan.hours(24).microseconds
            let sum = timeOfDay.microseconds + span.microseconds
            return LocalTime(weekday: weekday?.later(by: sum / day), timeOfDay: TimeSpan(microseconds: sum % day))
        }

        /// Returns the time until this local time first occurs, zero if it is now; nil if it has a weekday and the
        /// start has none.
        public func first(after start: LocalTime) -> TimeSpan? {
            let day = TimeSpan.hours(24)
            var wait = timeOfDay - start.timeOfDay
            guard let weekday else { return wait < .zero ? wait + day : wait }
            guard let from = start.weekday else { return nil }
            wait = wait + .hours(24 * Int64((weekday.rawValue - from.rawValue + 7) % 7))
            return wait < .zero ? wait + .hours(7 * 24) : wait
        }
    }
}
