public import Evaluation
import LiveActivityModel
public import TextFormats

/// A reference of metrics: a list, single metrics in full, a page of documentation, or JSON.
public struct MetricReference {
    private let metrics: [MetricDescription]

    /// Creates a reference of some metrics, in order.
    public init(_ metrics: [MetricDescription]) {
        self.metrics = metrics
    }

    /// The largest number of metrics that are shown in full.
    private static let mostInFull = 3

    /// The introduction to load-test metrics.
    private static let ofLoads =
        "Metrics of `freshet load` and of the monitor's page, in addition to the metrics above that share a name with them"

    /// The metrics of the simulator, and the metrics that only load tests have.
    private var groups: (simulated: [MetricDescription], ofLoads: [MetricDescription]) {
        (metrics.filter { !$0.isOfLoads }, metrics.filter(\.isOfLoads))
    }

    /// Text for a terminal: a few metrics in full, or a short entry for each of many; load-test metrics come last.
    public var plain: String {
        let isInFull = metrics.count <= Self.mostInFull
        func text(_ metrics: [MetricDescription]) -> String {
            isInFull ? metrics.map(full).joined(separator: "\n") : metrics.map(brief).joined()
        }
        guard !groups.ofLoads.isEmpty else { return text(metrics) }
        let heading = groups.simulated.isEmpty ? "Metrics of `freshet load` and of the monitor's page" : Self.ofLoads
        return (groups.simulated.isEmpty ? "" : text(groups.simulated) + "\n") + heading + ":\n\n"
            + text(groups.ofLoads)
    }

    private func full(_ metric: MetricDescription) -> String {
        var text = brief(metric)
        text += "  statistics: \(metric.statistics.joined(separator: ", "))\n"
        text += "  example:    \(metric.example.text)\n"
        // A scope kind whose names depend on the run ends with a colon.
        let parts = metric.scopes.filter { $0.name != "all" }
            .map { (name: $0.name.hasSuffix(":") ? "\($0.name)…" : $0.name, words: $0.words) }
        guard let width = parts.map(\.name.count).max() else { return text }
        text += "  scopes:\n"
        for part in parts {
            let blanks = String(repeating: " ", count: part.words == nil ? 0 : width - part.name.count + 2)
            text += "    \(part.name)\(blanks)\(part.words ?? "")\n"
        }
        return text
    }

    private func brief(_ metric: MetricDescription) -> String {
        "\(metric.name)  [\(metric.unit)]\(note(on: metric))\n  \(metric.meaning)\n"
    }

    /// The better direction, and the settings on which the definition of the metric depends.
    private func note(on metric: MetricDescription) -> String {
        var notes = metric.direction == .neutral ? [] : ["\(metric.direction.rawValue) is better"]
        if !metric.bases.isEmpty {
            notes.append("definition depends on \(metric.bases.map(\.rawValue).joined(separator: ", "))")
        }
        return notes.isEmpty ? "" : "  " + notes.joined(separator: "; ")
    }

    /// Markdown with an entry for each metric, so that each can be linked; load-test metrics under a heading of their own.
    public var markdown: String {
        let (simulated, ofLoads) = groups
        let parts =
            simulated.map(entry) + (ofLoads.isEmpty ? [] : ["## Of loads\n\n\(Self.ofLoads).\n"] + ofLoads.map(entry))
        return parts.joined(separator: "\n")
    }

    private func entry(_ metric: MetricDescription) -> String {
        var facts = ["Unit: \(metric.unit)."]
        if metric.direction != .neutral { facts.append("Better: \(metric.direction.rawValue).") }
        if !metric.bases.isEmpty {
            facts.append("Definition depends on: \(metric.bases.map { "`\($0.rawValue)`" }.joined(separator: ", ")).")
        }
        if metric.isOfLoads { facts.append("Statistics: \(metric.statistics.joined(separator: ", ")).") }
        let scopes = kinds(of: metric)
        if !scopes.isEmpty { facts.append("Scopes: \(scopes).") }
        return "### `\(metric.name)`\n\n\(metric.meaning)\n\n\(facts.joined(separator: " "))\n"
    }

    /// The scopes of a metric, grouped by kind.
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
                    "measured_by": .array(metric.bases.map { .string($0.rawValue) }),
                    "statistics": .array(metric.statistics.map { .string($0) }),
                    "scopes": .array(metric.scopes.map { .string($0.name) }),
                    "example": .string(metric.example.text),
                ]
            }
        )
    }
}
