import Benchmarking
import Reporting
import TextFormats

/// The results of a benchmark as named fields, in order.
struct Measurement {
    /// The names, words with underscores and the unit last, with their values; settings first.
    private(set) var fields: [(name: String, value: JSONValue)]

    /// The number in a field; nil if there is none.
    subscript(name: String) -> Double? {
        guard case .decimal(let value, _)? = fields.first(where: { $0.name == name })?.value else { return nil }
        return value
    }

    /// Adds the median of several runs, with the minimum and the maximum.
    mutating func add(_ name: String, _ series: RunSeries, places: Int) {
        add(name, .decimal(series.median, places: places))
        add("\(name)_min", .decimal(series.least, places: places))
        add("\(name)_max", .decimal(series.greatest, places: places))
    }

    mutating func add(_ name: String, _ value: JSONValue) { fields.append((name, value)) }

    /// Adds a hash of all events as 16 digits.
    mutating func add(_ name: String, hash: UInt64) {
        let digits = String(hash, radix: 16)
        add(name, .string(String(repeating: "0", count: 16 - digits.count) + digits))
    }

    /// A table with a line per field, for people.
    var table: String {
        let rows = fields.map { field -> [String] in
            if case .string(let text) = field.value { return [field.name, text] }
            return [field.name, String(field.value.text.dropLast())]
        }
        return TextTable(["measured", "value:"], rows: rows).plain + "\n"
    }

    /// One object with all fields, for scripts.
    var json: String { JSONValue.object(Dictionary(fields.map { ($0.name, $0.value) }) { _, last in last }).text }
}
