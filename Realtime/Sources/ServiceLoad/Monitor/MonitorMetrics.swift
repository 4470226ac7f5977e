import TextFormats

/// The counters of a monitor's `/metrics`.
package struct MonitorMetrics: Hashable, Sendable {
    /// A sample, by its name and labels.
    private struct Series: Hashable {
        let name: String
        let labels: [String: String]
    }

    private var values: [Series: Int] = [:]

    /// Reads OpenMetrics text; samples that are not whole numbers are left out.
    package init(openMetrics text: String) {
        for sample in OpenMetricsText.samples(of: text) {
            let labels = Dictionary(sample.labels) { first, _ in first }
            if let value = Int(sample.value) { values[Series(name: sample.name, labels: labels)] = value }
        }
    }

    /// The increase since an earlier sample.
    package func since(_ earlier: MonitorMetrics) -> MonitorMetrics {
        var difference = self
        difference.values.merge(earlier.values.mapValues { -$0 }, uniquingKeysWith: +)
        return difference
    }

    /// The counter `freshet_monitor_NAME_total` without labels; nil if there is none.
    package func counter(_ name: String) -> Int? { values[Series(name: "freshet_monitor_\(name)_total", labels: [:])] }

    /// The counter `freshet_monitor_NAME_total` by the values of a label, in the order of the values; zeros are left out.
    ///
    /// Samples with the same value of the label are added up, whatever their other labels.
    package func counter(_ name: String, by label: String) -> [(value: String, count: Int)] {
        var counts: [String: Int] = [:]
        for (series, count) in values where series.name == "freshet_monitor_\(name)_total" {
            if let value = series.labels[label] { counts[value, default: 0] += count }
        }
        return counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
