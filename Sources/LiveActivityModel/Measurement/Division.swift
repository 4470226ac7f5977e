import Quantities

/// Into which parts a measure is divided.
public enum Division: Hashable, Sendable {
    /// One number for all of it.
    case whole
    /// By the stage of the ride.
    case stage
    /// By the stage of the ride, and, last, after its end.
    case stageOrAfter
    /// By ``Whereabouts``, during the ride and, last, after it.
    case cause
    /// By the rank of the push in the sender, the first to be sent first.
    case rank
    /// By the thresholds of `measure.wait_over`.
    case waitThreshold
    /// By the thresholds of `measure.age_over`, each during the ride and after it.
    case ageThreshold

    /// Whether it is kept for each city by itself.
    ///
    /// The parts of one city follow those of another then, and a part without a city is the sum of all cities' parts.
    var isKeptByCity: Bool { self == .stage || self == .stageOrAfter }
}

/// How many parts of each kind a world has, from which the size of everything that is measured follows.
struct MeasurementShape: Hashable, Sendable {
    var windowCount: Int
    /// Seconds of the run, a last one that is cut included.
    var secondCount: Int
    var stageCount: Int
    /// Cities that the scenario names.
    var cityCount: Int = 0
    var ageThresholdCount: Int = 0
    var waitThresholdCount: Int = 0

    func partCount(of division: Division) -> Int {
        switch division {
        case .whole: 1
        case .stage: stageCount
        case .stageOrAfter: stageCount + 1
        case .cause: 2 * Whereabouts.allCases.count
        case .rank: RankedQueue.rankCount
        case .waitThreshold: waitThresholdCount
        case .ageThreshold: 2 * ageThresholdCount
        }
    }

    /// How far the parts of one city are from those of the next: what is divided by stages has room for what comes after.
    var cityStride: Int { stageCount + 1 }

    /// How many columns a window of the time series has in all cities together; 0 without cities.
    var cityRowWidth: Int { cityCount * CitySeries.columnCount }

    /// How many parts are kept, those of all cities together.
    func keptPartCount(of division: Division) -> Int {
        division.isKeptByCity && cityCount > 0 ? cityCount * cityStride : partCount(of: division)
    }

    /// Where the parts that belong to one part of a division are kept: that of each city, or the one.
    func keptParts(of division: Division, _ part: Int) -> StrideTo<Int> {
        stride(from: part, to: division.isKeptByCity ? max(1, cityCount) * cityStride : part + 1, by: cityStride)
    }

    /// The most parts that are kept of a total.
    var totalWidth: Int { Total.allCases.map { keptPartCount(of: $0.division) }.max() ?? 0 }

    /// The most parts that are kept of an observation.
    var observationWidth: Int { Observation.allCases.map { keptPartCount(of: $0.division) }.max() ?? 0 }
}

extension MeasurementShape {
    /// The shape of what is measured in a world.
    init(_ world: World) {
        let scenario = world.scenario
        self.init(
            windowCount: world.windowCount,
            secondCount: max(1, Int((world.horizon.microseconds + 999_999) / 1_000_000)),
            stageCount: scenario.rides.stages.count,
            cityCount: scenario.rides.arrivals.cities.count,
            ageThresholdCount: scenario.measure.ageOver.count,
            waitThresholdCount: scenario.measure.waitOver.count
        )
    }
}
