import LiveActivityModel

/// A metric that only real-time tests write.
///
/// If both a test and the simulator measure the same thing, they share the name and the declaration
/// (``MetricDeclaration``). `freshet metrics`, docs/metrics.md, comparisons and thresholds all use this declaration.
struct LoadMetric: Hashable, Sendable {
    /// The kind of its values, which determines their unit and statistics.
    enum Kind: Hashable, Sendable {
        case count
        /// A mean rate per second.
        case rate
        /// A share of a whole, 0...1.
        case share
        /// A distribution of times [µs].
        case times
    }

    /// A part of a metric: its scope and words.
    struct Part: Hashable, Sendable {
        /// The scope, with the name of the part if it is fixed: `why:timed_out`, `status:`.
        let scope: String
        /// The words for the part; nil if the scope is clear without them.
        var words: String?
    }

    /// The name in summary.csv.
    let name: String
    /// The kind of the values.
    let kind: Kind
    /// The better direction.
    let direction: MetricDirection
    /// The meaning, in one sentence.
    let meaning: String
    /// The statistics, the default one first.
    let statistics: [String]
    /// The parts, besides the whole if there is one.
    ///
    /// Without a whole, the first part has its full name, for the example.
    let parts: [Part]
    /// `true` if the metric is also stated for everything together.
    let hasWhole: Bool

    init(
        _ name: String,
        _ kind: Kind,
        better direction: MetricDirection = .neutral,
        statistics: [String]? = nil,
        parts: [Part] = [],
        hasWhole: Bool = true,
        means meaning: String
    ) {
        self.name = name
        self.kind = kind
        self.direction = direction
        self.meaning = meaning
        self.statistics = statistics ?? kind.statistics
        self.parts = parts
        self.hasWhole = hasWhole
    }

    /// Returns the declaration for a name; nil if it belongs to the simulator or is unknown.
    static func declaration(of name: String) -> LoadMetric? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension LoadMetric.Kind {
    /// The unit of the values.
    var unit: String {
        switch self {
        case .count: "count"
        case .rate: "1/s"
        case .share: "1"
        case .times: "us"
        }
    }

    /// The statistics of the values, the default one first.
    fileprivate var statistics: [String] {
        switch self {
        case .count: ["total"]
        case .rate: ["mean"]
        case .share: ["ratio"]
        case .times: ["mean", "p50", "p95", "p99", "p999", "max"]
        }
    }
}
