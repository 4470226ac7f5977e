public import Experiments
import LiveActivityModel
public import TextFormats

/// What metrics there are, for readers: a list, one metric in full, a page of the documentation, JSON.
public struct MetricReference {
    private let metrics: [MetricDescription]

    /// A reference of some metrics, in their order.
    public init(_ metrics: [MetricDescription]) {
        self.metrics = metrics
    }

    /// Up to this many metrics are shown with all their parts.
    private static let mostInFull = 3

    /// For a terminal: of few metrics everything, of many a line or two each.
    public var plain: String {
        guard metrics.count > Self.mostInFull else { return metrics.map(full).joined(separator: "\n") }
        return metrics.map(brief).joined()
    }

    private func full(_ metric: MetricDescription) -> String {
        var text = brief(metric)
        text += "  statistics: \(metric.statistics.joined(separator: ", "))\n"
        text += "  example:    \(metric.example.text)\n"
        let parts = metric.scopes.filter { $0.name != "all" }
        guard let width = parts.map(\.name.count).max() else { return text }
        text += "  parts:\n"
        for part in parts {
            let blanks = String(repeating: " ", count: part.words == nil ? 0 : width - part.name.count + 2)
            text += "    \(part.name)\(blanks)\(part.words ?? "")\n"
        }
        return text
    }

    private func brief(_ metric: MetricDescription) -> String {
        "\(metric.name)  [\(metric.unit)]\(note(on: metric))\n  \(metric.meaning)\n"
    }

    /// Which way the metric should go, and the settings that it depends on by definition.
    private func note(on metric: MetricDescription) -> String {
        var notes = metric.direction == .neutral ? [] : ["\(metric.direction.rawValue) is better"]
        if !metric.rulers.isEmpty {
            notes.append("measured by \(metric.rulers.map(\.rawValue).joined(separator: " and "))")
        }
        return notes.isEmpty ? "" : "  " + notes.joined(separator: "; ")
    }

    /// A table in Markdown.
    public var markdown: String {
        let table = TextTable(
            [
                ("metric", .left), ("unit", .left), ("better", .left), ("measured by", .left), ("what it is", .left),
                ("parts", .left),
            ],
            rows: metrics.map { metric in
                [
                    "`\(metric.name)`", metric.unit, metric.direction == .neutral ? "" : metric.direction.rawValue,
                    metric.rulers.map { "`\($0.rawValue)`" }.joined(separator: " "), metric.meaning, kinds(of: metric),
                ]
            }
        )
        return table.markdown + "\n"
    }

    /// The parts of a metric, those of a kind together.
    private func kinds(of metric: MetricDescription) -> String {
        var kinds: [(name: String, parts: [String])] = []
        for scope in metric.scopes where scope.name != "all" {
            let kind = String(scope.name.prefix { $0 != ":" })
            if kinds.last?.name != kind { kinds.append((kind, [])) }
            kinds[kinds.count - 1].parts.append(String(scope.name.dropFirst(kind.count + 1)))
        }
        return kinds.map { "`\($0.name):` \($0.parts.joined(separator: ", "))" }.joined(separator: "; ")
    }

    /// An array of objects, for scripts.
    public var json: JSONValue {
        .array(
            metrics.map { metric in
                [
                    "name": .string(metric.name), "unit": .string(metric.unit), "meaning": .string(metric.meaning),
                    "better": metric.direction == .neutral ? .null : .string(metric.direction.rawValue),
                    "is_share": .bool(metric.isShare),
                    "measured_by": .array(metric.rulers.map { .string($0.rawValue) }),
                    "statistics": .array(metric.statistics.map { .string($0) }),
                    "scopes": .array(metric.scopes.map { .string($0.name) }),
                    "example": .string(metric.example.text),
                ]
            }
        )
    }
}
