import LiveActivityModel

/// What is to be run for a case, and how its answer is read off.
enum Translation: Sendable {
    /// A scenario whose response is estimated.
    case estimate(Study)
    /// The strength of a fault from which on a scenario does not recover.
    case threshold(ThresholdSearch)
    /// A scripted life, compared line by line.
    case trace(GoldenTrace)
    /// Blocks of a generator.
    case knownAnswer(KnownAnswer)
    /// A law about runs, not a number.
    case property(Property)
    /// The product has no words for the system.
    case notExpressible(String)
    /// The product does without what the case is about.
    case notUsed(String)
}

/// A scenario and how a number is read off its runs.
struct Study: Sendable {
    /// An ordinary scenario of the product.
    var scenario: Scenario
    /// What is asked.
    var response: Estimand
    /// How many replications a seed begins with; more are made where they do not suffice.
    var replications = 16
    /// Whether nothing in the scenario is left to chance, so that one run tells all.
    var isDeterministic = false
}

/// A number as the quotient of two totals of a run.
struct Estimand: Sendable {
    /// How to read it off `summary.csv` or `timeseries.csv`.
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

    /// A quotient of two totals in one unit.
    static func ratio(
        _ description: String,
        _ numerator: @escaping @Sendable (Measurements) -> Int64,
        per denominator: @escaping @Sendable (Measurements) -> Int64
    ) -> Estimand {
        Estimand(description, { Double(numerator($0)) }, per: { Double(denominator($0)) })
    }

    /// A time [µs] per something, in units of a case.
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

    /// The mean over time of an age [µs], in units of a case.
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

    /// The quotient in a larger unit.
    func divided(by factor: Double) -> Estimand {
        factor == 1 ? self : Estimand("\(description), / \(factor)", { numerator($0) / factor }, per: denominator)
    }

    /// What is left to one.
    var complement: Estimand {
        Estimand("1 - \(description)", { denominator($0) - numerator($0) }, per: denominator)
    }
}
