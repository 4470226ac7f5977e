import TextFormats

/// What a monitor says at `/metrics`, as far as it counts.
package struct MonitorMetrics: Hashable, Sendable {
    /// A sample, by its name and labels.
    private struct Series: Hashable {
        let name: String
        let labels: [String: String]
    }

    private var values: [Series: Int] = [:]

    /// Reads OpenMetrics text; what is no whole number is left out.
    package init(openMetrics text: String) {
        for sample in OpenMetricsText.samples(of: text) {
            let labels = Dictionary(sample.labels) { first, _ in first }
            if let value = Int(sample.value) { values[Series(name: sample.name, labels: labels)] = value }
        }
    }

    /// What was counted since an earlier look.
    package func since(_ earlier: MonitorMetrics) -> MonitorMetrics {
        var difference = self
        difference.values.merge(earlier.values.mapValues { -$0 }, uniquingKeysWith: +)
        return difference
    }

    /// A counter without labels, by the part of its name that tells it from others; nil if there is none.
    package func counter(_ name: String) -> Int? { values[Series(name: "freshet_monitor_\(name)_total", labels: [:])] }

    /// A counter by the value of its label, in the order of these; only what was counted.
    ///
    /// Several samples with one value of the label, which differ in others, are added up.
    package func counter(_ name: String, by label: String) -> [(value: String, count: Int)] {
        var counts: [String: Int] = [:]
        for (series, count) in values where series.name == "freshet_monitor_\(name)_total" {
            if let value = series.labels[label] { counts[value, default: 0] += count }
        }
        return counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
