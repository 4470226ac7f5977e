/// What a monitor says at `/metrics`, as far as it counts.
public struct MonitorMetrics: Hashable, Sendable {
    /// Values by name and labels, as `freshet_monitor_pushes_sent_total{kind="update"}`.
    private var values: [String: Int] = [:]

    /// Reads OpenMetrics text; what is no whole number is left out.
    public init(openMetrics text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Int(line[line.index(after: space)...]) else {
                continue
            }
            values[String(line[..<space])] = value
        }
    }

    /// What was counted since an earlier look.
    public func since(_ earlier: MonitorMetrics) -> MonitorMetrics {
        var difference = self
        for (name, value) in earlier.values { difference.values[name, default: 0] -= value }
        return difference
    }

    /// A counter without labels, by the part of its name that tells it from others; nil if there is none.
    public func counter(_ name: String) -> Int? { values["freshet_monitor_\(name)_total"] }

    /// A counter by the value of its label, in the order of these; only what was counted.
    ///
    /// Several samples with one value of the label, which differ in others, are added up.
    public func counter(_ name: String, by label: String) -> [(value: String, count: Int)] {
        var counts: [String: Int] = [:]
        for (key, count) in values where key.hasPrefix("freshet_monitor_\(name)_total{") {
            guard let start = key.firstRange(of: "\(label)=\"")?.upperBound else { continue }
            counts[String(key[start...].prefix { $0 != "\"" }), default: 0] += count
        }
        return counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
