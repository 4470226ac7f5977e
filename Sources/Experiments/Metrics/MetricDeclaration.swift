import LiveActivityModel

/// A measure: what it is called and means, which way it should go, what it is measured by, and how it is read off
/// measurements.
///
/// Declared once, in the file of its group. The rows of summary.csv, responses, verdicts, `freshet metrics`, the words of
/// reports and docs/metrics.md take from here whatever they say.
struct MetricDeclaration: Sendable {
    /// The name in summary.csv, its unit last.
    let name: String
    /// Which way it should go.
    let direction: MetricDirection
    /// The settings that say what counts: with another value of one of them, another thing is measured under this name.
    let rulers: [Ruler]
    /// What it is, in one sentence.
    private(set) var meaning = ""
    /// The whole and its parts, in a scenario; still without name and unit.
    private(set) var parts: @Sendable (Scenario) -> [Metric]
    /// Which way some of its parts should go, by scope, where that is another way than the whole goes.
    private var directionsOfScopes: [String: MetricDirection] = [:]

    init(
        _ name: String,
        better direction: MetricDirection = .neutral,
        by rulers: [Ruler] = []
    ) {
        self.name = name
        self.direction = direction
        self.rulers = rulers
        let counted = Metric.counted(of: name)
        parts = { _ in counted }
    }

    /// The same metric with parts that are the same in every scenario, in place of what is declared at its counters.
    func measured(_ parts: [Metric]) -> Self { measured { _ in parts } }

    /// The same metric with the parts that it has in a scenario.
    func measured(_ parts: @escaping @Sendable (Scenario) -> [Metric]) -> Self {
        var declaration = self
        declaration.parts = parts
        return declaration
    }

    /// The same metric with a sentence that says what it is.
    func means(_ meaning: String) -> Self {
        var declaration = self
        declaration.meaning = meaning
        return declaration
    }

    /// The unit of its values, with which the name ends: `count`, `us`, `1/s`; `1` for a pure number.
    var unit: String { Self.units.first { name.hasSuffix($0.ending) }?.unit ?? "1" }

    private static let units: [(ending: String, unit: String)] = [
        ("_us", "us"), ("_count", "count"), ("_per_second", "1/s"), ("_per_live_hour", "1/h"),
    ]

    /// Which way it should go over everything, or over a part.
    func direction(of scope: String) -> MetricDirection { directionsOfScopes[scope] ?? direction }

    /// The same metric, a part of which should go a way of its own.
    func better(_ direction: MetricDirection, in scope: String) -> Self {
        var declaration = self
        declaration.directionsOfScopes[scope] = direction
        return declaration
    }

    /// The metrics of a scenario under this name.
    func metrics(of scenario: Scenario) -> [Metric] {
        let unit = unit
        return parts(scenario).map { $0.with(\.name, name).with(\.unit, unit) }
    }
}

extension Metric {
    typealias Read = @Sendable (Measurements) -> Int64

    /// A count; with the column of the time series that adds up to it, if there is one.
    static func total(_ counter: Counter, in column: SeriesColumn? = nil) -> Self {
        Self(reading: .total { $0[counter] }, totalColumns: column.map { [$0] } ?? [])
    }

    /// What some columns of a city's time series come to, for each city.
    static func totals(_ columns: [CityColumn], byCityOf scenario: Scenario) -> [Self] {
        scenario.perCity { city, scope in
            Self(
                scope: scope,
                reading: .total { measured in
                    columns.reduce(0) { $0 + measured.citySeries.total($1, inCity: city) }
                }
            )
        }
    }

    /// What is declared of a metric's parts at their counters, in the order of these.
    static func counted(of metric: String) -> [Self] {
        Counter.parts(of: metric)
            .map { counter, declaration in
                var part = total(counter, in: declaration.column)
                part.scope = declaration.scope
                part.words = declaration.words
                part.isClustered = declaration.isClustered
                part.requirements = declaration.requirements
                return part
            }
    }

    /// A metric that is the sum of its counters, with these as parts.
    ///
    /// - Parameter columns: The columns of the time series that add up to it, if not those of the parts.
    static func sumAndParts(of metric: String, in columns: [SeriesColumn]? = nil) -> [Self] {
        let parts = counted(of: metric)
        let counters = Counter.parts(of: metric).map(\.counter)
        let sum = Self(
            reading: .total { measurements in counters.reduce(0) { $0 + measurements[$1] } },
            totalColumns: columns ?? parts.flatMap(\.totalColumns)
        )
        return [sum] + parts
    }

    /// A quotient of two totals [µs]; a share cannot exceed one.
    static func ratio(
        scope: String = "all",
        words: String? = nil,
        _ part: @escaping Read,
        of whole: @escaping Read,
        unit: String = "us",
        isShare: Bool = true
    ) -> Self {
        Self(scope: scope, words: words, reading: .ratio(part, whole, unit: unit, isShare: isShare))
    }

    /// A share of two columns of the time series.
    static func share(_ part: SeriesColumn, of whole: SeriesColumn) -> Self {
        ratio({ $0.series.total(part) }, of: { $0.series.total(whole) }).with(\.columns, (part, whole))
    }

    /// The mean of a number per cell over the time in which rides arrive, by the column of its integral.
    static func meanOfSender(_ column: SeriesColumn, isShare: Bool = false) -> Self {
        ratio({ $0.series.total(column) }, of: { $0.series.total(.arrivalTime) }, isShare: isShare)
            .with(\.columns, (column, .arrivalTime))
    }

    /// A mean and quantiles over events or activities.
    static func tally(scope: String = "all", _ read: @escaping @Sendable (Measurements) -> Tally) -> Self {
        Self(scope: scope, reading: .tally(read))
    }

    /// A mean and quantiles over time.
    static func ramp(scope: String = "all", _ read: @escaping @Sendable (Measurements) -> RampTally) -> Self {
        Self(scope: scope, reading: .ramp(read))
    }

    /// The largest peak of a replication, divided by a number.
    static func largest(scope: String = "all", per divisor: Double = 1, _ read: @escaping Read) -> Self {
        Self(scope: scope, reading: .largest(read, per: divisor))
    }
}

extension Scenario {
    /// A metric for each stage of a ride, by its place and its scope.
    func perStage(_ metric: (_ stage: Int, _ scope: String) -> Metric) -> [Metric] {
        rides.stages.enumerated().map { metric($0, "stage:\($1.name)") }
    }

    /// A metric for each city that the scenario names, by its place and its scope.
    func perCity(_ metric: (_ city: Int, _ scope: String) -> Metric) -> [Metric] {
        rides.arrivals.cities.enumerated().map { metric($0, "city:\($1.name)") }
    }
}

extension Counter {
    /// The counters that are parts of a metric, in their order.
    static func parts(of metric: String) -> [(counter: Counter, declaration: CounterDeclaration)] {
        allCases.compactMap { counter in
            counter.declaration.flatMap { $0.metric == metric ? (counter, $0) : nil }
        }
    }
}

extension MetricDeclaration {
    /// The metrics of a group that are declared at counters and observations.
    static func declared(in group: MetricGroup) -> [MetricDeclaration] {
        let counts = Counter.allCases.compactMap { counter -> MetricDeclaration? in
            guard let declaration = counter.declaration, declaration.group == group else { return nil }
            return MetricDeclaration(declaration.metric, better: declaration.direction, by: declaration.rulers)
                .means(declaration.meaning)
                .measured { scenario in
                    [
                        .total(counter).with(\.isClustered, declaration.isClustered)
                            .with(\.requirements, declaration.requirements)
                    ]
                        + (declaration.cityColumn.map { Metric.totals([$0], byCityOf: scenario) } ?? [])
                }
        }
        return counts
            + Observation.allCases.compactMap { observation in
                guard let declaration = observation.declaration, declaration.group == group else { return nil }
                return MetricDeclaration(declaration.metric, better: declaration.direction, by: declaration.rulers)
                    .means(declaration.meaning)
                    .measured { Metric.observed([observation], heaviest: declaration.heaviest, in: $0) }
            }
    }
}

extension Metric {
    /// The values of some observations together that are divided alike: over all, and over each part.
    static func observed(
        _ observations: [Observation],
        heaviest: ObservationDeclaration.Heaviest? = nil,
        in scenario: Scenario
    ) -> [Self] {
        func values(_ scope: String = "all", _ read: @escaping @Sendable (Measurements, Observation) -> Tally) -> Self {
            .tally(scope: scope) { values in Tally.sum(observations.map { read(values, $0) }) }
                .dominated(
                    by: heaviest.map { heaviest in
                        switch heaviest {
                        case .life: { ($0.life, 1) }
                        case .halfOfLife: { ($0.life / 2, 1) }
                        }
                    }
                )
        }
        let whole = values { $0[$1] }
        let stages = scenario.perStage { stage, scope in values(scope) { $0[$1, stage] } }
        switch observations[0].division {
        case .stage:
            return [whole] + stages
        case .stageOrAfter:
            return [whole] + stages + [values("stage:after_ride") { $0.afterRide($1) }]
                + duringAndAfter(values { $0.duringRide($1) }, values { $0.afterRide($1) })
        case .rank:
            return [whole] + scenario.senderRanks.map { rank in values("rank:\(rank)") { $0[$1, rank] } }
        case .whole, .cause, .waitThreshold, .ageThreshold:
            return [whole]
        }
    }

    /// Two parts, named and worded as what was measured during rides and after them.
    static func duringAndAfter(_ during: Self, _ after: Self) -> [Self] {
        [
            during.with(\.scope, "during_ride").with(\.words, "while the ride goes on"),
            after.with(\.scope, "after_ride").with(\.words, "after the ride, on a card that was not ended"),
        ]
    }
}
