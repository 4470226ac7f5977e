import FreshnessCore
import Quantities
import SimulationKernel

/// Age of information: exact between events, over time, at replacements, and for each activity by itself.
///
/// The age of what a screen shows is a sawtooth. A tooth is measured when it ends or when the ride passes to another stage,
/// in whose name the rest of it is kept.
extension CellSimulation {
    /// Begins the account of a new life of an activity.
    mutating func beginAge(_ slot: UInt32) {
        activities[Int(slot)].age = Activity.Age()
        let thresholds = world.scenario.measure.ageOver.count
        guard thresholds > 0 else { return }
        let needed = activities.count * thresholds
        if timesOverAge.count < needed {
            timesOverAge.append(contentsOf: repeatElement(0, count: needed - timesOverAge.count))
        }
        for index in 0..<thresholds {
            timesOverAge[Int(slot) * thresholds + index] = 0
        }
    }

    /// Takes in how the age has grown since the last call.
    ///
    /// - Precondition: The activity is on the screen.
    mutating func measureAge(_ slot: UInt32) {
        let activity = activities[Int(slot)]
        let from = max(activity.screen.ageMeasuredUntil, world.measuredFrom)
        guard from < loop.now else { return }
        activities[Int(slot)].screen.ageMeasuredUntil = loop.now
        let low = (from - activity.screen.content.generatedAt).microseconds
        let high = (loop.now - activity.screen.content.generatedAt).microseconds
        measurements.ageByStage[measuredStage(of: activity)].record(from: low, to: high)
        activities[Int(slot)].age.time += high - low
        activities[Int(slot)].age.doubledIntegral += Int128(high - low) * Int128(high + low)
        activities[Int(slot)].age.largest = max(activity.age.largest, high)
        let thresholds = measurements.timeOverAge.count
        for index in 0..<thresholds {
            let threshold = world.scenario.measure.ageOver[index].microseconds
            guard high > threshold else { break }
            let time = high - max(low, threshold)
            measurements.timeOverAge[index] += time
            timesOverAge[Int(slot) * thresholds + index] += time
        }
    }

    /// Counts the age at which newer content takes over, in the stage in which it does.
    mutating func countPeakAge(_ slot: UInt32) {
        guard isMeasured else { return }
        let activity = activities[Int(slot)]
        let age = (loop.now - activity.screen.content.generatedAt).microseconds
        measurements.peakAgeByStage[measuredStage(of: activity)].record(age)
    }

    /// Takes an activity that leaves the screen into the statistics in which every activity weighs the same.
    ///
    /// One without any measured time on the screen has no mean over time and is left out.
    mutating func closeAge(_ slot: UInt32) {
        let age = activities[Int(slot)].age
        guard age.time > 0 else { return }
        let doubledTime = 2 * Int128(age.time)
        measurements.activityAgeMean.record(Int64((age.doubledIntegral + Int128(age.time)) / doubledTime))
        measurements.activityPeakAge.record(age.largest)
        let thresholds = measurements.timeOverAge.count
        for index in 0..<thresholds {
            measurements.activityAgeShares[index]
                .record(
                    part: timesOverAge[Int(slot) * thresholds + index],
                    of: age.time
                )
        }
    }
}
