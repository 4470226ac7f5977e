import LiveActivityModel

/// A metric that tests in real time write and the simulator does not.
///
/// Where both measure the same, the name and its declaration are the simulator's (``MetricDeclaration``). Declared once;
/// `freshet metrics`, docs/metrics.md, comparisons and thresholds take from here what they say.
struct LoadMetric: Hashable, Sendable {
    /// What its values are, which says their unit and their statistics.
    enum Kind: Hashable, Sendable {
        /// How many.
        case count
        /// How many per second, on average.
        case rate
        /// A part of a whole, 0...1.
        case share
        /// A quotient that may exceed one.
        case ratio
        /// A distribution of times [µs].
        case times
        /// An amount of memory.
        case memory
    }

    /// A part of a metric: its scope, and it in words.
    struct Part: Hashable, Sendable {
        /// The kind of part, with its name where that is always the same: `why:timed_out`, `status:`.
        let scope: String
        /// The part in plain words; nil where the scope says it.
        var words: String?
    }

    /// The name in summary.csv.
    let name: String
    /// What its values are.
    let kind: Kind
    /// Which way it should go.
    let direction: MetricDirection
    /// What it is, in one sentence.
    let meaning: String
    /// The numbers that it states, the usual one first.
    let statistics: [String]
    /// Its parts, beside the whole if it has one; else the first is named whole, for the example.
    let parts: [Part]
    /// Whether it is stated of everything together, too.
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

    /// The declaration of a name; nil where it is the simulator's, or nothing is measured under it.
    static func declaration(of name: String) -> LoadMetric? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension LoadMetric.Kind {
    /// The unit of the values.
    var unit: String {
        switch self {
        case .count: "count"
        case .rate: "1/s"
        case .share, .ratio: "1"
        case .times: "us"
        case .memory: "bytes"
        }
    }

    /// What is stated of the values, the usual one first.
    fileprivate var statistics: [String] {
        switch self {
        case .count: ["total"]
        case .rate: ["mean"]
        case .share, .ratio: ["ratio"]
        case .times: ["mean", "p50", "p95", "p99", "p999", "max"]
        case .memory: ["end"]
        }
    }
}
