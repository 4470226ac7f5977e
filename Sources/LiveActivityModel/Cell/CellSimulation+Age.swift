import FreshnessCore
import Quantities
import SimulationKernel

/// Age of information: exact between events, over time, at replacements, and for each activity by itself.
///
/// The age of what a screen shows is a sawtooth. A tooth is measured when it ends or when the ride passes to another stage,
/// in whose name the rest of it is kept.
extension CellSimulation {
    /// Begins the account of a new life of an activity.
    mutating func beginAge(_ activity: Handle<Activity>) {
        activity.age = Activity.Age()
        let thresholds = recorder.ageThresholdCount
        guard thresholds > 0 else { return }
        let needed = Int(activities.count) * thresholds
        if timesOverAge.count < needed {
            timesOverAge.append(contentsOf: repeatElement(0, count: needed - timesOverAge.count))
        }
        for index in 0..<thresholds {
            timesOverAge[Int(activity.number) * thresholds + index] = 0
        }
    }

    /// Takes in how the age has grown since the last call.
    ///
    /// - Precondition: The activity is on the screen.
    @inline(__always)
    mutating func measureAge(_ activity: Handle<Activity>) {
        let from = max(activity.ageMeasuredUntil, rules.measuredFrom)
        guard from < loop.now else { return }
        activity.ageMeasuredUntil = loop.now
        let low = (from - activity.phone.content.generatedAt).microseconds
        let high = (loop.now - activity.phone.content.generatedAt).microseconds
        recorder.ageByStage[measuredStage(of: activity)].record(from: low, to: high)
        activity.age.record(from: low, to: high)
        if recorder.ageThresholdCount > 0, high > recorder.ageThresholds[0] {
            measureTimeOverAge(activity, from: low, to: high)
        }
    }

    private mutating func measureTimeOverAge(_ activity: Handle<Activity>, from low: Int64, to high: Int64) {
        let thresholds = recorder.ageThresholdCount
        let part = activity.isRideOver ? 1 : 0
        for index in 0..<thresholds {
            let threshold = recorder.ageThresholds[index]
            guard high > threshold else { break }
            let time = high - max(low, threshold)
            recorder.add(time, to: .timeOverAge, part: 2 * index + part)
            timesOverAge[Int(activity.number) * thresholds + index] += time
        }
    }

    /// Counts the age at which newer content takes over, in the stage in which it does.
    @inline(__always)
    mutating func countPeakAge(_ activity: Handle<Activity>) {
        guard isMeasured else { return }
        let age = (loop.now - activity.phone.content.generatedAt).microseconds
        recorder.record(age, as: .peakAge, part: measuredStage(of: activity))
    }

    /// Takes an activity that leaves the screen into the statistics in which every activity weighs the same.
    ///
    /// One without any measured time on the screen has no mean over time and is left out.
    mutating func closeAge(_ activity: Handle<Activity>) {
        let age = activity.age
        guard age.time > 0 else { return }
        let doubledTime = 2 * Int128(age.time)
        recorder.record(Int64((age.doubledIntegral + Int128(age.time)) / doubledTime), as: .activityAgeMean)
        recorder.record(age.largest, as: .activityPeakAge)
        if isSearching { search?.note(activity, largestAge: age.largest) }
        let thresholds = recorder.ageThresholdCount
        for index in 0..<thresholds {
            recorder.activityAgeShares[index]
                .record(
                    part: timesOverAge[Int(activity.number) * thresholds + index],
                    of: age.time
                )
        }
    }
}
