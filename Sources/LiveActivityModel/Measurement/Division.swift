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
}

/// How many parts of each kind a world has, from which the size of everything that is measured follows.
struct MeasurementShape: Hashable, Sendable {
    var windowCount: Int
    /// Seconds of the run, a last one that is cut included.
    var secondCount: Int
    var stageCount: Int
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

    /// The most parts that a total has.
    var totalWidth: Int { Total.allCases.map { partCount(of: $0.division) }.max() ?? 0 }

    /// The most parts that an observation has.
    var observationWidth: Int { Observation.allCases.map { partCount(of: $0.division) }.max() ?? 0 }
}

extension MeasurementShape {
    /// The shape of what is measured in a world.
    init(_ world: World) {
        let scenario = world.scenario
        self.init(
            windowCount: world.windowCount,
            secondCount: max(1, Int((world.horizon.microseconds + 999_999) / 1_000_000)),
            stageCount: scenario.rides.stages.count,
            ageThresholdCount: scenario.measure.ageOver.count,
            waitThresholdCount: scenario.measure.waitOver.count
        )
    }
}
