/// Metrics in the OpenMetrics text format.
struct OpenMetricsText {
    enum Kind: String {
        case counter
        case gauge
    }

    private var text = ""

    /// Begins a family; its samples follow.
    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        text += "# TYPE \(name) \(kind.rawValue)\n# HELP \(name) \(help)\n"
    }

    /// A sample; label values here hold nothing that has to be escaped.
    mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Int) {
        line(name, labels, "\(value)")
    }

    /// A sample in seconds.
    mutating func sample(_ name: String, _ labels: [(String, String)], seconds: Duration) {
        let (whole, rest) = seconds.components
        let microseconds = "\(rest / 1_000_000_000_000)"
        line(name, labels, "\(whole)." + String(repeating: "0", count: 6 - microseconds.count) + microseconds)
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
        let list = labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
    }

    var finished: String { text + "# EOF\n" }
}
