/// A text in the OpenMetrics 1.0 exposition format: families of samples, each with its help, type and unit.
///
/// Families are in the order of their first sample, and samples in the order of adding, so the same results give the
/// same bytes. Samples have no timestamp, because simulated instants are not real times. Label values and help texts
/// are escaped.
public struct OpenMetricsText {
    /// The media type of the format.
    public static var contentType: String { "application/openmetrics-text; version=1.0.0; charset=utf-8" }

    /// The types used for results.
    public enum Kind: String, Hashable, Sendable {
        case counter
        case gauge
        case histogram
        case info
    }

    /// A label of a sample.
    public typealias Label = (name: String, value: String)

    /// A metric family.
    private struct Family {
        let kind: Kind
        let unit: String
        let help: String
        var lines: [String] = []
    }

    private var names: [String] = []
    private var families: [String: Family] = [:]

    /// Creates an empty text.
    public init() {}

    /// Adds a sample to a family, which it creates if necessary.
    ///
    /// - Parameters:
    ///   - name: The family's name without its unit, which is appended.
    ///   - unit: A base unit of Prometheus (`seconds`, `ratio`); empty for counts of things.
    ///   - suffix: The suffix of the sample's name after the family's: `_total`, `_bucket` and the like.
    ///   - value: The number as it is written.
    /// - Returns: `false`, with nothing added, if the family is of another kind.
    @discardableResult
    public mutating func add(
        _ name: String,
        kind: Kind,
        unit: String = "",
        help: String,
        suffix: String = "",
        labels: [Label],
        value: String
    ) -> Bool {
        let name = begin(name, kind: kind, unit: unit, help: help)
        guard families[name]?.kind == kind else { return false }
        let pairs = labels.map { "\(OpenMetricsText.name($0.name))=\"\(OpenMetricsText.escaped($0.value))\"" }
        let set = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
        families[name]?.lines.append("\(name)\(suffix)\(set) \(value)")
        return true
    }

    /// Adds a family of counters since the start; it is included even without samples.
    public mutating func counter(_ name: String, _ help: String, _ samples: [(labels: [Label], value: Int)]) {
        begin(name, kind: .counter, unit: "", help: help)
        for sample in samples {
            add(name, kind: .counter, help: help, suffix: "_total", labels: sample.labels, value: "\(sample.value)")
        }
    }

    /// Adds a family of current counts; it is included even without samples.
    public mutating func gauge(_ name: String, _ help: String, _ samples: [(labels: [Label], value: Int)]) {
        begin(name, kind: .gauge, unit: "", help: help)
        for sample in samples {
            add(name, kind: .gauge, help: help, labels: sample.labels, value: "\(sample.value)")
        }
    }

    /// Adds a sample that describes the numbers by its labels.
    public mutating func info(_ name: String, _ help: String, _ labels: [Label]) {
        add(name, kind: .info, help: help, suffix: "_info", labels: labels, value: "1")
    }

    /// Creates a family unless it exists.
    ///
    /// - Returns: Its full name.
    @discardableResult
    private mutating func begin(_ name: String, kind: Kind, unit: String, help: String) -> String {
        let name = OpenMetricsText.name(name) + (unit.isEmpty ? "" : "_\(unit)")
        if families[name] == nil {
            names.append(name)
            families[name] = Family(kind: kind, unit: unit, help: help)
        }
        return name
    }

    /// The text, with its end marker.
    public var text: String {
        var text = ""
        for name in names {
            guard let family = families[name] else { continue }
            text += "# TYPE \(name) \(family.kind.rawValue)\n"
            if !family.unit.isEmpty { text += "# UNIT \(name) \(family.unit)\n" }
            text += "# HELP \(name) \(OpenMetricsText.escaped(family.help))\n"
            for line in family.lines { text += line + "\n" }
        }
        return text + "# EOF\n"
    }

    /// A text as a name: letters, digits and underscores, and no leading digit.
    static func name(_ text: String) -> String {
        let name = String(text.unicodeScalars.map { isNamePart($0) ? Character($0) : "_" })
        return name.first?.isNumber == true ? "_" + name : name
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    /// Escapes backslashes, quotes and line breaks, as labels and help texts require.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
    }

    /// A sample that was read from a text.
    public struct Sample {
        /// The family's name with the sample's suffix.
        public let name: String
        /// The labels in the order of the text.
        public let labels: [Label]
        /// The number as it is written.
        public let value: String

        /// The value of a label; nil if there is none.
        public subscript(label: String) -> String? { labels.first { $0.name == label }?.value }
    }

    /// The samples of a text in the form of ``text``; other lines are skipped.
    public static func samples(of text: String) -> [Sample] {
        text.split(separator: "\n")
            .compactMap { line in
                guard !line.hasPrefix("#"), let space = line.lastIndex(of: " ") else { return nil }
                let (series, value) = (line[..<space], String(line[line.index(after: space)...]))
                guard let brace = series.firstIndex(of: "{") else {
                    return Sample(name: String(series), labels: [], value: value)
                }
                guard let labels = labels(series[series.index(after: brace)...]) else { return nil }
                return Sample(name: String(series[..<brace]), labels: labels, value: value)
            }
    }

    /// The labels up to a closing brace; nil if they are malformed.
    private static func labels(_ text: Substring) -> [Label]? {
        var labels: [Label] = []
        var rest = text
        while rest != "}" {
            guard let equals = rest.firstRange(of: "=\"") else { return nil }
            let name = String(rest[..<equals.lowerBound])
            rest = rest[equals.upperBound...]
            var value = ""
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\" else {
                    value.append(character)
                    continue
                }
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped == "n" ? "\n" : escaped)
            }
            labels.append((name, value))
            if rest.first == "," { rest.removeFirst() }
            guard !rest.isEmpty else { return nil }
        }
        return labels
    }
}
