import LiveActivityModel

/// The runs for a case, and the extraction of its answer.
enum Translation: Sendable {
    /// A scenario whose response is estimated.
    case estimate(Study)
    /// The fault strength from which a scenario does not recover.
    case threshold(ThresholdSearch)
    /// A scripted life, compared line by line.
    case trace(GoldenTrace)
    /// Blocks of a generator.
    case knownAnswer(KnownAnswer)
    /// A law about runs instead of a number.
    case property(Property)
    /// The product cannot express the system.
    case notExpressible(String)
    /// The product does not use the feature that the case concerns.
    case notUsed(String)
}

/// A scenario and the response that is read from its runs.
struct Study: Sendable {
    /// An ordinary scenario of the product.
    var scenario: Scenario
    var response: Estimand
    /// The initial number of replications per seed; more are added if they do not suffice.
    var replications = 16
    /// `true` if the scenario is deterministic, so that one run suffices.
    var isDeterministic = false
}

/// A response as the ratio of two totals of a run.
struct Estimand: Sendable {
    /// The way to read it from `summary.csv` or `timeseries.csv`.
    let description: String
    let numerator: @Sendable (Measurements) -> Double
    let denominator: @Sendable (Measurements) -> Double

    init(
        _ description: String,
        _ numerator: @escaping @Sendable (Measurements) -> Double,
        per denominator: @escaping @Sendable (Measurements) -> Double
    ) {
        self.description = description
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The ratio of two totals in the same unit.
    static func ratio(
        _ description: String,
        _ numerator: @escaping @Sendable (Measurements) -> Int64,
        per denominator: @escaping @Sendable (Measurements) -> Int64
    ) -> Estimand {
        Estimand(description, { Double(numerator($0)) }, per: { Double(denominator($0)) })
    }

    /// A time [µs] per count, in units of a case.
    static func time(
        _ description: String,
        _ unit: TimeUnit,
        _ numerator: @escaping @Sendable (Measurements) -> Int64,
        per denominator: @escaping @Sendable (Measurements) -> Int64
    ) -> Estimand {
        Estimand(description, { Double(numerator($0)) / unit.microseconds }, per: { Double(denominator($0)) })
    }

    /// The mean of times [µs], in units of a case.
    static func mean(
        _ description: String,
        _ unit: TimeUnit,
        _ values: @escaping @Sendable (Measurements) -> Tally
    ) -> Estimand {
        .time(description, unit, { values($0).sum }, per: { values($0).count })
    }

    /// The time average of an age [µs], in units of a case.
    static func mean(
        _ description: String,
        _ unit: TimeUnit,
        _ values: @escaping @Sendable (Measurements) -> RampTally
    ) -> Estimand {
        Estimand(
            description,
            { (values($0).mean ?? 0) / unit.microseconds * Double(values($0).time) },
            per: { Double(values($0).time) }
        )
    }

    /// Returns the ratio in a larger unit.
    func divided(by factor: Double) -> Estimand {
        factor == 1 ? self : Estimand("\(description), / \(factor)", { numerator($0) / factor }, per: denominator)
    }

    /// The complement to one.
    var complement: Estimand {
        Estimand("1 - \(description)", { denominator($0) - numerator($0) }, per: denominator)
    }
}
