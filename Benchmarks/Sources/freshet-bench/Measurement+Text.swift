import Benchmarking
import Reporting
import TextFormats

extension Measurement {
    /// A line for each field, for people.
    var table: String {
        var table = TextTable([("measured", .left), ("value", .right)])
        for field in fields {
            table.add(field.name, Measurement.text(field.value))
        }
        return table.plain + "\n"
    }

    /// One object with all fields, for scripts.
    var json: String {
        JSONValue.object(
            Dictionary(
                fields.map { field in
                    switch field.value {
                    case .integer(let value): (field.name, .integer(Int64(value)))
                    case .decimal(let value, let places): (field.name, .decimal(value, places: places))
                    case .text(let value): (field.name, .string(value))
                    }
                }
            ) { _, last in last }
        )
        .text
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .integer(let value): "\(value)"
        case .decimal(let value, let places): FixedPoint.text(value, places: places) ?? ""
        case .text(let value): value
        }
    }
}
