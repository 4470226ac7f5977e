import Quantities

/// The parts that a measure is divided into.
public enum Division: Hashable, Sendable {
    /// A single number.
    case whole
    /// A single number, kept for each segment of the fleet.
    case segment
    /// By the stage of the ride.
    case stage
    /// By the stage of the ride; the last part is the time after the ride.
    case stageOrAfter
    /// By ``Whereabouts``, during the ride and then after it.
    case cause
    /// By the rank of the push in the sender, in sending order.
    case rank
    /// By the thresholds of `measure.wait_over`.
    case waitThreshold
    /// By the thresholds of `measure.age_over`, each during the ride and after it.
    case ageThreshold
    /// By the thresholds of `measure.eta_error_over`.
    case etaThreshold
    /// By ``DriverPhoto``.
    case photo

    /// `true` if it is kept separately for each segment of the fleet.
    ///
    /// The parts of the segments then follow each other, and a part without a segment is the sum over them.
    var isKeptBySegment: Bool { self == .segment || self == .stage || self == .stageOrAfter }
}

/// The numbers of parts in a world, which determine the size of all measurements.
struct MeasurementShape: Hashable, Sendable {
    var windowCount: Int
    /// The width of a window [µs].
    var windowLength: Int64
    /// The seconds of the run, including an incomplete last one.
    var secondCount: Int
    var stageCount: Int
    /// The segments of the fleet, one for each city and cohort, by city; 0 if it is not divided.
    var segmentCount: Int = 0
    /// The cohorts of each city, including the rides that belong to none.
    var cohortCount: Int = 1
    var ageThresholdCount: Int = 0
    var waitThresholdCount: Int = 0
    var etaThresholdCount: Int = 0
    /// The number of signs of the error of the ETA on screens, over all segments: 2 each, or 0 if content has none.
    var etaErrorCount: Int = 0

    func partCount(of division: Division) -> Int {
        switch division {
        case .whole, .segment: 1
        case .stage: stageCount
        case .stageOrAfter: stageCount + 1
        case .cause: 2 * Whereabouts.allCases.count
        case .rank: RankedQueue.rankCount
        case .waitThreshold: waitThresholdCount
        case .ageThreshold: 2 * ageThresholdCount
        case .etaThreshold: etaThresholdCount
        case .photo: DriverPhoto.allCases.count
        }
    }

    /// The distance between the parts of neighbouring segments, which leaves room for the part after the ride.
    var segmentStride: Int { stageCount + 1 }

    /// The number of columns in a window of the time series, over all segments; 0 if there are none.
    var segmentRowWidth: Int { segmentCount * SegmentSeries.columnCount }

    /// The number of stored parts, over all segments.
    func keptPartCount(of division: Division) -> Int {
        division.isKeptBySegment && segmentCount > 0 ? segmentCount * segmentStride : partCount(of: division)
    }

    /// The indices at which a part of a division is stored: one for each segment, or a single one.
    func keptParts(of division: Division, _ part: Int) -> StrideTo<Int> {
        stride(
            from: part,
            to: division.isKeptBySegment ? max(1, segmentCount) * segmentStride : part + 1,
            by: segmentStride
        )
    }

    /// The segments of a part of the fleet.
    func segments(of part: FleetPart) -> StrideTo<Int> {
        switch part {
        case .city(let city): stride(from: city * cohortCount, to: (city + 1) * cohortCount, by: 1)
        case .cohort(let cohort): stride(from: cohort, to: segmentCount, by: cohortCount)
        }
    }

    /// The largest number of stored parts of a total.
    var totalWidth: Int { Total.allCases.map { keptPartCount(of: $0.division) }.max() ?? 0 }

    /// The largest number of stored parts of an observation.
    var observationWidth: Int { Observation.allCases.map { keptPartCount(of: $0.division) }.max() ?? 0 }
}

extension MeasurementShape {
    /// The shape of the measurements of a world.
    init(_ world: World) {
        let scenario = world.scenario
        self.init(
            windowCount: world.windowCount,
            windowLength: scenario.clock.window.microseconds,
            secondCount: max(1, Int((world.horizon.microseconds + 999_999) / 1_000_000)),
            stageCount: scenario.rides.stages.count,
            segmentCount: scenario.segmentCount,
            cohortCount: scenario.cohortCount,
            ageThresholdCount: scenario.measure.ageOver.count,
            waitThresholdCount: scenario.measure.waitOver.count,
            etaThresholdCount: scenario.content.eta == nil ? 0 : scenario.measure.etaErrorOver.count,
            etaErrorCount: scenario.content.eta == nil ? 0 : 2 * max(1, scenario.segmentCount)
        )
    }
}
