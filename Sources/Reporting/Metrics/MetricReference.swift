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

    /// What stands above the metrics of loads.
    private static let ofLoads =
        "Of `freshet load` and of the monitor's page, beside those above that have the same names there"

    /// The metrics of the simulator and those of loads alone, each a group where there are any.
    private var groups: (simulated: [MetricDescription], ofLoads: [MetricDescription]) {
        (metrics.filter { !$0.isOfLoads }, metrics.filter(\.isOfLoads))
    }

    /// For a terminal: of few metrics everything, of many a line or two each; those of loads in a group of their own.
    public var plain: String {
        let isInFull = metrics.count <= Self.mostInFull
        func text(_ metrics: [MetricDescription]) -> String {
            isInFull ? metrics.map(full).joined(separator: "\n") : metrics.map(brief).joined()
        }
        guard !groups.ofLoads.isEmpty else { return text(metrics) }
        let heading = groups.simulated.isEmpty ? "Of `freshet load` and of the monitor's page" : Self.ofLoads
        return (groups.simulated.isEmpty ? "" : text(groups.simulated) + "\n") + heading + ":\n\n"
            + text(groups.ofLoads)
    }

    private func full(_ metric: MetricDescription) -> String {
        var text = brief(metric)
        text += "  statistics: \(metric.statistics.joined(separator: ", "))\n"
        text += "  example:    \(metric.example.text)\n"
        // A kind of part whose names follow from what happened ends with its colon.
        let parts = metric.scopes.filter { $0.name != "all" }
            .map { (name: $0.name.hasSuffix(":") ? "\($0.name)…" : $0.name, words: $0.words) }
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

    /// Tables in Markdown, that of loads under a heading of its own.
    public var markdown: String {
        let (simulated, ofLoads) = groups
        let tables = [
            simulated.isEmpty ? nil : table(of: simulated),
            ofLoads.isEmpty ? nil : "## Of loads\n\n\(Self.ofLoads).\n\n" + tableOfLoads(ofLoads),
        ]
        return tables.compactMap { $0 }.joined(separator: "\n")
    }

    private func table(of metrics: [MetricDescription]) -> String {
        let table = TextTable(
            [
                ("metric", .left), ("unit", .left), ("better", .left), ("measured by", .left), ("what it is", .left),
                ("parts", .left),
            ],
            rows: metrics.map { metric in
                [
                    "`\(metric.name)`", metric.unit, better(metric),
                    metric.rulers.map { "`\($0.rawValue)`" }.joined(separator: " "), metric.meaning, kinds(of: metric),
                ]
            }
        )
        return table.markdown + "\n"
    }

    private func tableOfLoads(_ metrics: [MetricDescription]) -> String {
        let table = TextTable(
            [
                ("metric", .left), ("unit", .left), ("better", .left), ("statistics", .left), ("what it is", .left),
                ("parts", .left),
            ],
            rows: metrics.map { metric in
                [
                    "`\(metric.name)`", metric.unit, better(metric), metric.statistics.joined(separator: ", "),
                    metric.meaning, kinds(of: metric),
                ]
            }
        )
        return table.markdown + "\n"
    }

    private func better(_ metric: MetricDescription) -> String {
        metric.direction == .neutral ? "" : metric.direction.rawValue
    }

    /// The parts of a metric, those of a kind together.
    private func kinds(of metric: MetricDescription) -> String {
        var kinds: [(name: String, parts: [String])] = []
        for scope in metric.scopes where scope.name != "all" {
            let kind = String(scope.name.prefix { $0 != ":" })
            if kinds.last?.name != kind { kinds.append((kind, [])) }
            let part = String(scope.name.dropFirst(kind.count + 1))
            if !part.isEmpty { kinds[kinds.count - 1].parts.append(part) }
        }
        return
            kinds.map {
                ["`\($0.name):`", $0.parts.joined(separator: ", ")].filter { !$0.isEmpty }.joined(separator: " ")
            }
            .joined(separator: "; ")
    }

    /// An array of objects, for scripts.
    public var json: JSONValue {
        .array(
            metrics.map { metric in
                [
                    "name": .string(metric.name), "unit": .string(metric.unit), "meaning": .string(metric.meaning),
                    "better": metric.direction == .neutral ? .null : .string(metric.direction.rawValue),
                    "is_share": .bool(metric.isShare), "of_loads": .bool(metric.isOfLoads),
                    "measured_by": .array(metric.rulers.map { .string($0.rawValue) }),
                    "statistics": .array(metric.statistics.map { .string($0) }),
                    "scopes": .array(metric.scopes.map { .string($0.name) }),
                    "example": .string(metric.example.text),
                ]
            }
        )
    }
}
