import LiveActivityModel

/// A measure: what it is called and means, which way it should go, what it is measured by, and how it is read off
/// measurements.
///
/// Declared once, in the file of its group. The rows of summary.csv, responses, verdicts, `freshet metrics`, the words of
/// reports and docs/metrics.md take from here whatever they say.
struct MetricDeclaration: Sendable {
    /// The name in summary.csv, its unit last.
    let name: String
    /// The unit of its values: `count`, `us`, `1/s`, `1` for a pure number.
    let unit: String
    /// Which way it should go.
    let direction: MetricDirection
    /// The settings that say what counts: with another value of one of them, another thing is measured under this name.
    let rulers: [Ruler]
    /// What it is, in one sentence.
    let meaning: String
    /// The whole and its parts, in a scenario.
    let parts: @Sendable (Scenario) -> [Part]
    /// Which way some of its parts should go, by scope, where that is another way than the whole goes.
    private var directionsOfScopes: [String: MetricDirection] = [:]

    init(
        _ name: String,
        unit: String,
        better direction: MetricDirection = .neutral,
        by rulers: [Ruler] = [],
        _ meaning: String,
        partsOf parts: @escaping @Sendable (Scenario) -> [Part]
    ) {
        self.name = name
        self.unit = unit
        self.direction = direction
        self.rulers = rulers
        self.meaning = meaning
        self.parts = parts
    }

    /// A metric that has the same parts in every scenario.
    init(
        _ name: String,
        unit: String,
        better direction: MetricDirection = .neutral,
        by rulers: [Ruler] = [],
        _ meaning: String,
        parts: [Part]
    ) {
        self.init(name, unit: unit, better: direction, by: rulers, meaning) { _ in parts }
    }

    /// The metric over everything, or over a part.
    struct Part: Sendable {
        /// `all`, or the kind of part and its name, as `reason:swiped`.
        var scope = "all"
        /// The part in plain words; nil where the scope says it: a stage's name, a threshold, a rank.
        var words: String?
        let reading: Metric.Reading
        /// The columns of the time series whose totals a ratio is the quotient of; nil where it is not.
        var columns: (part: SeriesColumn, whole: SeriesColumn)?
        /// The columns of the time series whose totals add up to a total; none where there are no such columns.
        var totalColumns: [SeriesColumn] = []
        /// The values in some windows of the time series; nil where they are not kept by windows.
        var tallyOfWindows: (@Sendable (Measurements, Range<Int>) -> Tally)?
        /// Whether it measures a history from its start, warm-up or not, and so no part of it.
        var isOfHistory = false
        /// What the ride that weighs most adds; nil where no ride weighs more than others do.
        var outlier: Outlier.Contribution?

        /// Whether one ride or one disturbance may bring many of what is counted, so that where none was seen no number can
        /// be put on how many there might have been.
        var isClustered = false

        /// Whether the measurements as a whole have a value; nil where they always have.
        ///
        /// Not asked of parts: an interval belongs to the quotient of the whole, and so needs what each part adds to it.
        var isDefined: (@Sendable (Measurements) -> Bool)?

        /// The same part, as one of which a single ride or disturbance may bring many.
        var clustered: Self {
            var part = self
            part.isClustered = true
            return part
        }

        /// The same part, without a value where the whole does not fulfil a condition.
        func defined(where isDefined: @escaping @Sendable (Measurements) -> Bool) -> Self {
            var part = self
            part.isDefined = isDefined
            return part
        }

        /// The same part, with what the ride that weighs most adds.
        func dominated(by outlier: @escaping Outlier.Contribution) -> Self {
            var part = self
            part.outlier = outlier
            return part
        }
    }

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
        parts(scenario).map { Metric(name: name, unit: unit, $0) }
    }
}

extension MetricDeclaration.Part {
    typealias Read = @Sendable (Measurements) -> Int64

    /// A count; with the column of the time series that adds up to it, if there is one.
    static func total(_ counter: Counter, scope: String = "all", in column: SeriesColumn? = nil) -> Self {
        Self(scope: scope, reading: .total { $0[counter] }, totalColumns: column.map { [$0] } ?? [])
    }

    /// The sum of several counts.
    static func sum(_ counters: [Counter], in columns: [SeriesColumn] = []) -> Self {
        Self(reading: .total { parts in counters.reduce(0) { $0 + parts[$1] } }, totalColumns: columns)
    }

    /// What is declared of a metric's parts at their counters, in the order of these.
    static func counted(of metric: String) -> [Self] {
        Counter.parts(of: metric)
            .map { counter, declaration in
                var part = total(counter, scope: declaration.scope, in: declaration.column)
                part.words = declaration.words
                part.isClustered = declaration.isClustered
                return part
            }
    }

    /// A metric that is the sum of its counters, with these as parts.
    ///
    /// - Parameter columns: The columns of the time series that add up to it, if not those of the parts.
    static func sumAndParts(of metric: String, in columns: [SeriesColumn]? = nil) -> [Self] {
        let parts = counted(of: metric)
        let counters = Counter.parts(of: metric).map(\.counter)
        return [sum(counters, in: columns ?? parts.flatMap(\.totalColumns))] + parts
    }

    /// A quotient of two totals [µs]; a share cannot exceed one.
    static func ratio(
        scope: String = "all",
        _ part: @escaping Read,
        of whole: @escaping Read,
        unit: String = "us",
        isShare: Bool = true
    ) -> Self {
        Self(scope: scope, reading: .ratio(part, whole, unit: unit, isShare: isShare))
    }

    /// A share of two columns of the time series.
    static func share(_ part: SeriesColumn, of whole: SeriesColumn) -> Self {
        var share = ratio({ $0.series.total(part) }, of: { $0.series.total(whole) })
        share.columns = (part, whole)
        return share
    }

    /// The mean over time of a number per cell, by its integral [µs].
    static func meanOverTime(_ integral: @escaping Read) -> Self {
        ratio(integral, of: { $0[.measuredTime] }, isShare: false)
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
    /// The stages by which times are kept apart, and, last, the time after the ride.
    var measuredStages: [String] { rides.stages.map(\.name) + ["after_ride"] }
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
            var part = Part.total(counter, in: declaration.column)
            part.isClustered = declaration.isClustered
            return MetricDeclaration(
                declaration.metric,
                unit: "count",
                better: declaration.direction,
                by: declaration.rulers,
                declaration.words ?? "",
                parts: [part]
            )
        }
        return counts
            + Observation.allCases.compactMap { observation in
                observation.declaration.flatMap { declaration in
                    guard declaration.group == group else { return nil }
                    return MetricDeclaration(
                        declaration.metric,
                        unit: "us",
                        better: declaration.direction,
                        by: declaration.rulers,
                        declaration.meaning,
                        partsOf: { Part.observed([observation], heaviest: declaration.heaviest, in: $0) }
                    )
                }
            }
    }
}

extension MetricDeclaration.Part {
    /// The values of some observations together that are divided alike: over all, and over each part.
    static func observed(
        _ observations: [Observation],
        heaviest: ObservationDeclaration.Heaviest? = nil,
        in scenario: Scenario
    ) -> [Self] {
        func values(_ scope: String = "all", _ read: @escaping @Sendable (Measurements, Observation) -> Tally) -> Self {
            var part = Self.tally(scope: scope) { values in Tally.sum(observations.map { read(values, $0) }) }
            part.outlier = heaviest.map { heaviest in
                switch heaviest {
                case .life: { ($0.life, 1) }
                case .halfOfLife: { ($0.life / 2, 1) }
                }
            }
            return part
        }
        let whole = values { $0[$1] }
        switch observations[0].division {
        case .stage:
            return [whole]
                + scenario.rides.stages.enumerated()
                .map { index, stage in values("stage:\(stage.name)") { $0[$1, index] } }
        case .stageOrAfter:
            return [whole]
                + scenario.measuredStages.enumerated()
                .map { index, stage in values("stage:\(stage)") { $0[$1, index] } }
                + duringAndAfter(values { $0.duringRide($1) }, values { $0.afterRide($1) })
        case .rank:
            return [whole] + scenario.senderRanks.map { rank in values("rank:\(rank)") { $0[$1, rank] } }
        case .whole, .cause, .waitThreshold, .ageThreshold:
            return [whole]
        }
    }

    /// Two parts, named and worded as what was measured during rides and after them.
    static func duringAndAfter(_ during: Self, _ after: Self) -> [Self] {
        var parts = [during, after]
        (parts[0].scope, parts[0].words) = ("during_ride", "while the ride goes on")
        (parts[1].scope, parts[1].words) = ("after_ride", "after the ride, on a card that was not ended")
        return parts
    }
}
