import LiveActivityModel

/// The declaration of a metric: its name, meaning, better direction, defining settings, and the way to read it from
/// measurements.
///
/// Each metric is declared once, in the file of its group. The rows of summary.csv, responses, verdicts, `freshet
/// metrics`, reports and docs/metrics.md all use this declaration.
struct MetricDeclaration: Sendable {
    /// The name in summary.csv, its unit last.
    let name: String
    /// The better direction.
    let direction: MetricDirection
    /// The settings that define what is counted.
    ///
    /// With another value of such a setting, the name measures something else.
    let bases: [MetricBasis]
    /// The meaning, in one sentence.
    private(set) var meaning = ""
    /// The whole and its parts in a scenario, before name and unit are set.
    private(set) var parts: @Sendable (Scenario) -> [Metric]
    /// The source of its values: a simulation, and perhaps loads too, or loads alone.
    private(set) var source = Source.simulation
    /// The scopes that only loads report.
    private(set) var scopesOfLoads: [MetricDescription.Scope] = []
    /// The statistics of a metric that only loads measure, the default one first.
    private(set) var statisticsOfLoads: [String] = []
    /// The better directions of parts, by scope, if they differ from the whole's.
    private var directionsOfScopes: [String: MetricDirection] = [:]

    /// The source of a metric's values.
    enum Source: Hashable, Sendable {
        case simulation
        case load
    }

    init(
        _ name: String,
        better direction: MetricDirection = .neutral,
        by bases: [MetricBasis] = []
    ) {
        self.name = name
        self.direction = direction
        self.bases = bases
        let counted = Metric.counted(of: name)
        parts = { _ in counted }
    }

    /// Returns the declaration with parts that are the same in every scenario, instead of those declared at its
    /// counters.
    func measured(_ parts: [Metric]) -> Self { measured { _ in parts } }

    /// Returns the declaration with its parts in a scenario.
    func measured(_ parts: @escaping @Sendable (Scenario) -> [Metric]) -> Self {
        var declaration = self
        declaration.parts = parts
        return declaration
    }

    /// Returns the declaration with its meaning.
    func means(_ meaning: String) -> Self {
        var declaration = self
        declaration.meaning = meaning
        return declaration
    }

    /// Returns the declaration of a metric that only loads measure.
    ///
    /// - Parameters:
    ///   - parts: The scopes of its parts with their words. Without a whole, the first one has its full name, for the
    ///     example.
    ///   - hasWhole: `true` if the metric is also stated for everything together.
    ///   - statistics: The statistics, the default one first; nil for those that follow from the unit.
    func ofLoads(
        _ parts: KeyValuePairs<String, String?> = [:],
        hasWhole: Bool = true,
        statistics: [String]? = nil
    ) -> Self {
        var declaration = measured([]).alsoOfLoads(parts)
        declaration.source = .load
        if hasWhole { declaration.scopesOfLoads.insert(.init(name: "all", words: nil), at: 0) }
        let usual =
            switch unit {
            case "count": ["total"]
            case "1/s": ["mean"]
            case "us": ["mean", "p50", "p95", "p99", "p999", "max"]
            default: ["ratio"]
            }
        declaration.statisticsOfLoads = statistics ?? usual
        return declaration
    }

    /// Returns the declaration with parts that only loads report: their scopes and words.
    func alsoOfLoads(_ parts: KeyValuePairs<String, String?>) -> Self {
        var declaration = self
        declaration.scopesOfLoads = parts.map { MetricDescription.Scope(name: $0.key, words: $0.value) }
        return declaration
    }

    /// The unit of its values, with which the name ends: `count`, `us`, `1/s`; `1` for a pure number.
    var unit: String { Self.unit(of: name) }

    /// Returns the unit with which a name ends.
    static func unit(of name: String) -> String { units.first { name.hasSuffix($0.ending) }?.unit ?? "1" }

    private static let units: [(ending: String, unit: String)] = [
        ("_us", "us"), ("_count", "count"), ("_per_second", "1/s"), ("_per_live_hour", "1/h"),
    ]

    /// Returns the better direction over everything, or over a part.
    func direction(of scope: String) -> MetricDirection { directionsOfScopes[scope] ?? direction }

    /// Returns the declaration with a direction for one part.
    func better(_ direction: MetricDirection, in scope: String) -> Self {
        var declaration = self
        declaration.directionsOfScopes[scope] = direction
        return declaration
    }

    /// Returns the metrics of a scenario under this name.
    func metrics(of scenario: Scenario) -> [Metric] {
        let unit = unit
        return parts(scenario).map { $0.with(\.name, name).with(\.unit, unit) }
    }
}

extension Metric {
    typealias Read = @Sendable (Measurements) -> Int64

    /// Returns a count, with the column of the time series that adds up to it if there is one.
    static func total(_ counter: Counter, in column: SeriesColumn? = nil) -> Self {
        Self(reading: .total { $0[counter] }, totalColumns: column.map { [$0] } ?? [])
    }

    /// Returns the totals of some columns of the time series of each part of the fleet.
    static func totals(_ columns: [SegmentColumn], byPartOf scenario: Scenario) -> [Self] {
        scenario.perPart { fleetPart, scope in
            Self(
                scope: scope,
                reading: .total { measured in
                    columns.reduce(0) { $0 + measured.total($1, in: fleetPart) }
                }
            )
        }
    }

    /// Returns the parts declared at a metric's counters, in the order of the counters.
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

    /// Returns a metric that is the sum of its counters, with the counters as parts.
    ///
    /// - Parameter columns: The columns of the time series that add up to it; nil for the parts' columns.
    static func sumAndParts(of metric: String, in columns: [SeriesColumn]? = nil) -> [Self] {
        let parts = counted(of: metric)
        let counters = Counter.parts(of: metric).map(\.counter)
        let sum = Self(
            reading: .total { measurements in counters.reduce(0) { $0 + measurements[$1] } },
            totalColumns: columns ?? parts.flatMap(\.totalColumns)
        )
        return [sum] + parts
    }

    /// Returns a quotient of two totals [µs]; a share cannot exceed one.
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

    /// Returns a share of two columns of the time series.
    static func share(_ part: SeriesColumn, of whole: SeriesColumn) -> Self {
        ratio({ $0.series.total(part) }, of: { $0.series.total(whole) }).with(\.columns, (part, whole))
    }

    /// Returns the mean per cell over the time in which rides arrive, from the column of its integral.
    static func meanOfSender(_ column: SeriesColumn, isShare: Bool = false) -> Self {
        ratio({ $0.series.total(column) }, of: { $0.series.total(.arrivalTime) }, isShare: isShare)
            .with(\.columns, (column, .arrivalTime))
    }

    /// Returns a mean and quantiles over events or activities.
    static func tally(scope: String = "all", _ read: @escaping @Sendable (Measurements) -> Tally) -> Self {
        Self(scope: scope, reading: .tally(read))
    }

    /// Returns a mean and quantiles over time.
    static func ramp(scope: String = "all", _ read: @escaping @Sendable (Measurements) -> RampTally) -> Self {
        Self(scope: scope, reading: .ramp(read))
    }

    /// Returns the largest peak of a replication, divided by a number.
    static func largest(scope: String = "all", per divisor: Double = 1, _ read: @escaping Read) -> Self {
        Self(scope: scope, reading: .largest(read, per: divisor))
    }
}

extension Scenario {
    /// Returns a metric for each stage of a ride, by index and scope.
    func perStage(_ metric: (_ stage: Int, _ scope: String) -> Metric) -> [Metric] {
        rides.stages.enumerated().map { metric($0, "stage:\($1.name)") }
    }

    /// Returns a metric of the whole fleet, for which the part is nil, and for each cohort of the scenario.
    func wholeAndCohorts(_ metric: (_ part: FleetPart?, _ scope: String) -> Metric) -> [Metric] {
        [metric(nil, "all")] + perCohort(metric)
    }

    /// Returns a metric for each cohort of the scenario.
    func perCohort(_ metric: (_ part: FleetPart, _ scope: String) -> Metric) -> [Metric] {
        cohortParts.map { metric($0.part, $0.scope) }
    }

    /// Returns a metric for each city and cohort of the scenario.
    func perPart(_ metric: (_ part: FleetPart, _ scope: String) -> Metric) -> [Metric] {
        fleetParts.map { metric($0.part, $0.scope) }
    }
}

extension Counter {
    /// Returns the counters that are parts of a metric, in order.
    static func parts(of metric: String) -> [(counter: Counter, declaration: CounterDeclaration)] {
        allCases.compactMap { counter in
            counter.declaration.flatMap { $0.metric == metric ? (counter, $0) : nil }
        }
    }
}

extension MetricDeclaration {
    /// Returns the metrics of a group that are declared at counters and observations.
    static func declared(in group: MetricGroup) -> [MetricDeclaration] {
        let counts = Counter.allCases.compactMap { counter -> MetricDeclaration? in
            guard let declaration = counter.declaration, declaration.group == group else { return nil }
            return MetricDeclaration(declaration.metric, better: declaration.direction, by: declaration.bases)
                .means(declaration.meaning)
                .measured { scenario in
                    [
                        .total(counter, in: declaration.column).with(\.isClustered, declaration.isClustered)
                            .with(\.requirements, declaration.requirements)
                    ]
                        + (declaration.segmentColumn.map { Metric.totals([$0], byPartOf: scenario) } ?? [])
                }
        }
        return counts
            + Observation.allCases.compactMap { observation in
                guard let declaration = observation.declaration, declaration.group == group else { return nil }
                return MetricDeclaration(declaration.metric, better: declaration.direction, by: declaration.bases)
                    .means(declaration.meaning)
                    .measured { Metric.observed([observation], heaviest: declaration.heaviest, in: $0) }
            }
    }
}

extension Metric {
    /// Returns the merged values of observations with the same parts: over everything, and over each part.
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
        case .whole, .segment, .cause, .waitThreshold, .ageThreshold, .etaThreshold, .photo:
            return [whole]
        }
    }

    /// Returns two parts with the scopes and words for times during rides and after them.
    static func duringAndAfter(_ during: Self, _ after: Self) -> [Self] {
        [
            during.with(\.scope, "during_ride").with(\.words, "while the ride goes on"),
            after.with(\.scope, "after_ride").with(\.words, "after the ride, on a card that was not ended"),
        ]
    }
}
