/// What a benchmark found, as named fields in an order of their own.
public struct Measurement: Sendable {
    /// A field's value.
    public enum Value: Hashable, Sendable {
        /// A whole number.
        case integer(Int)
        /// A number with the decimal places that mean something.
        case decimal(Double, places: Int)
        /// A name.
        case text(String)
    }

    /// A name with its unit, and what it came to.
    public struct Field: Hashable, Sendable {
        /// Words with underscores, the unit last.
        public let name: String
        /// What it came to.
        public let value: Value

        /// A field.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, settings first.
    public private(set) var fields: [Field]

    /// Fields.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// The number in a field; nil where there is none.
    public subscript(name: String) -> Double? {
        switch fields.first(where: { $0.name == name })?.value {
        case .integer(let value): Double(value)
        case .decimal(let value, _): value
        case .text, nil: nil
        }
    }

    /// Adds the median of some runs, the least and the greatest beside it, and how many there were.
    mutating func add(_ name: String, _ series: RunSeries, places: Int) {
        fields.append(Field(name, .decimal(series.median, places: places)))
        fields.append(Field("\(name)_min", .decimal(series.least, places: places)))
        fields.append(Field("\(name)_max", .decimal(series.greatest, places: places)))
    }

    /// Adds a field.
    mutating func add(_ name: String, _ value: Value) {
        fields.append(Field(name, value))
    }
}
