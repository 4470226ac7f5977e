import InputFiles

extension ColumnName {
    /// The unit at the end of the name; nil if there is none.
    package var unit: EmpiricalColumn.Unit? { words.last.flatMap { Self.units[$0] } }

    /// Returns the unit of a column with exactly this name: nil inside an optional if it has no unit, nil for another
    /// column.
    func isExactly(_ name: String) -> EmpiricalColumn.Unit?? {
        key == ColumnName(name).key && !key.isEmpty ? .some(nil) : nil
    }

    /// Returns the unit of a column with this name and a unit after it: `latency_ms`, `latencyMs` or `latencyms`; nil
    /// for another column.
    func isWithUnit(_ name: String) -> EmpiricalColumn.Unit?? {
        let name = ColumnName(name).key
        guard key.hasPrefix(name) else { return nil }
        let rest = key.dropFirst(name.count)
        // `latency_in_ms` is `latency_ms`.
        let unit = Self.units[String(rest)] ?? (rest.hasPrefix("in") ? Self.units[String(rest.dropFirst(2))] : nil)
        return unit.map { .some($0) }
    }

    /// Returns the unit with a name, including `m` and `d`, which only values have; nil for any other name.
    package static func unit(named name: String) -> EmpiricalColumn.Unit? {
        units[name.lowercased()] ?? EmpiricalColumn.Unit(rawValue: name).flatMap { $0 == .one ? nil : $0 }
    }

    /// Singular words such as `hour` and `day` name parts of a date more often than units.
    private static let units: [String: EmpiricalColumn.Unit] = {
        let names: [(EmpiricalColumn.Unit, [String])] = [
            (.nanoseconds, ["ns", "nanos", "nsec", "nsecs", "nanosecond", "nanoseconds"]),
            (.microseconds, ["us", "µs", "μs", "micros", "usec", "usecs", "microsecond", "microseconds"]),
            (.milliseconds, ["ms", "millis", "msec", "msecs", "millisecond", "milliseconds"]),
            (.seconds, ["s", "sec", "secs", "seconds"]),
            (.minutes, ["min", "mins", "minutes"]),
            (.hours, ["h", "hr", "hrs", "hours"]),
            (.days, ["days"]),
            (.one, ["bytes", "count"]),
        ]
        return Dictionary(uniqueKeysWithValues: names.flatMap { unit, names in names.map { ($0, unit) } })
    }()
}
