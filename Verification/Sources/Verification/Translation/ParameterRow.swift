import LiveActivityModel
import Quantities
import SimulationKernel

/// A parameter of a case and the setting of the scenario that it becomes.
struct ParameterRow: Sendable {
    /// Reads the parameter and sets what it becomes; times of the case are in units.
    let set: @Sendable (_ parameters: inout Parameters, _ scenario: inout Scenario, _ unit: TimeUnit) -> Void

    /// The notation of a distribution of times; a string is the name of a parameter that holds a distribution.
    struct Times: ExpressibleByStringLiteral, Sendable {
        /// Reads the parameter; times of the case are in units [µs].
        let read: @Sendable (_ parameters: inout Parameters, _ unit: Double) -> Distribution

        /// The mean of an exponential time.
        static func mean(_ parameter: String) -> Times { Times { .exponential(mean: $0.positive(parameter) * $1) } }

        /// The rate of an exponential time.
        static func rate(_ parameter: String) -> Times { Times { .exponential(mean: $1 / $0.positive(parameter)) } }

        /// A time that is always the same.
        static func constant(_ parameter: String) -> Times { Times { .constant($0.positive(parameter) * $1) } }

        /// The rate of a time that is always the same.
        static func interval(_ parameter: String) -> Times { Times { .constant($1 / $0.positive(parameter)) } }

        init(read: @escaping @Sendable (inout Parameters, Double) -> Distribution) {
            self.read = read
        }

        init(stringLiteral parameter: String) {
            read = { $0.distribution(parameter, unit: $1) }
        }
    }

    typealias Setting<Value> = any WritableKeyPath<Scenario, Value> & Sendable

    /// A time within a range, above zero by default.
    static func time(
        _ parameter: String,
        _ setting: Setting<TimeSpan>,
        in range: ClosedRange<Double> = 1e-9...1e9
    ) -> ParameterRow {
        ParameterRow { $1[keyPath: setting] = $2.span($0.number(parameter, in: range)) }
    }

    /// A time above zero that the scenario can lack.
    static func time(_ parameter: String, _ setting: Setting<TimeSpan?>) -> ParameterRow {
        ParameterRow { $1[keyPath: setting] = $2.span($0.positive(parameter)) }
    }

    /// The distribution of a time.
    static func distribution(_ times: Times, _ setting: Setting<Distribution>) -> ParameterRow {
        ParameterRow { $1[keyPath: setting] = times.read(&$0, $2.microseconds) }
    }

    static func distribution(_ times: Times, _ setting: Setting<Distribution?>) -> ParameterRow {
        ParameterRow { $1[keyPath: setting] = times.read(&$0, $2.microseconds) }
    }

    /// A source of arrivals at the sender's queue, by the times between them.
    static func source(_ gaps: Times) -> ParameterRow {
        ParameterRow { $1.addSource(gap: gaps.read(&$0, $2.microseconds)) }
    }

    /// A whole number within a range.
    static func whole(_ parameter: String, _ setting: Setting<Int>, in range: ClosedRange<Int>) -> ParameterRow {
        ParameterRow { parameters, scenario, _ in scenario[keyPath: setting] = parameters.whole(parameter, in: range) }
    }

    /// A setting without a parameter.
    static func fixed<Value: Sendable>(_ setting: Setting<Value>, _ value: Value) -> ParameterRow {
        ParameterRow { _, scenario, _ in scenario[keyPath: setting] = value }
    }

    /// A probability.
    static func share(_ parameter: String, _ setting: Setting<Probability>) -> ParameterRow {
        ParameterRow { parameters, scenario, _ in
            scenario[keyPath: setting] = Probability(parameters.probability(parameter))
        }
    }

    /// A probability that the scenario can lack.
    static func share(_ parameter: String, _ setting: Setting<Probability?>) -> ParameterRow {
        ParameterRow { parameters, scenario, _ in
            scenario[keyPath: setting] = Probability(parameters.probability(parameter))
        }
    }

    /// The probability that a setting's event does not happen.
    static func complement(_ parameter: String, _ setting: Setting<Probability>) -> ParameterRow {
        ParameterRow { parameters, scenario, _ in
            scenario[keyPath: setting] = Probability(1 - parameters.probability(parameter))
        }
    }

    /// A list of times from zero on.
    static func times(_ parameter: String, _ setting: Setting<[TimeSpan]>) -> ParameterRow {
        ParameterRow { $1[keyPath: setting] = $0.numbers(parameter, in: 0...1e9, count: 0...100).map($2.span) }
    }

    /// The times of attempts after the lapse.
    static func attempts(at parameter: String) -> ParameterRow {
        ParameterRow { $1.monitor.retry.setSchedule($0.numbers(parameter, in: 0...1e6, count: 0...100).map($2.span)) }
    }

    /// A number of attempts, the first at the lapse, with a pause between them.
    static func attempts(_ count: String, every pause: String, in range: ClosedRange<Double> = 1e-9...1e9)
        -> ParameterRow
    {
        ParameterRow { parameters, scenario, unit in
            let pause = parameters.number(pause, in: range)
            let count = parameters.whole(count, in: 0...100)
            scenario.monitor.retry.setSchedule((0..<count).map { unit.span(Double($0) * pause) })
        }
    }

    /// A number of attempts a second apart, and the decision a second after the last.
    static func attemptsEverySecond(_ parameter: String, in range: ClosedRange<Int>) -> ParameterRow {
        ParameterRow { parameters, scenario, _ in
            let count = Int64(parameters.whole(parameter, in: range))
            scenario.monitor.retry.setSchedule((0..<count).map { .seconds($0) })
            scenario.monitor.recoveryWindow = .seconds(count + 1)
        }
    }
}

extension Translator {
    /// Creates a scenario in which everything that the case does not mention is disabled, with the settings of rows.
    mutating func scenario(_ name: String, _ rows: [ParameterRow], in unit: TimeUnit = .second) -> Scenario {
        var scenario = Scenario.bare(name)
        for row in rows { row.set(&parameters, &scenario, unit) }
        return scenario
    }
}
