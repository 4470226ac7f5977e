import LiveActivityModel
import Quantities
import Statistics

/// The single rides that weigh most in a metric: few enough that a small run need not have any, and so heavy that its
/// values are off without them [µs].
struct Outlier: Hashable, Sendable {
    /// The card that is never ended: how long iOS leaves it on a screen after a ride of average length, within the run.
    let life: Double
    /// The ride during which the screen shows nothing new: how long a stage lasts in which an instant falls that is chosen
    /// at random.
    let stays: [Double]
    /// The same ride as a whole: how long a ride takes, on average.
    let ride: Double

    /// What one of them adds to the numerator and the denominator of a metric.
    typealias Contribution = @Sendable (Outlier) -> IntervalRule.Part

    /// The outliers of a scenario.
    ///
    /// Whether anything in it can leave a screen alone is not asked: there are too many ways, and one that a list forgets
    /// makes a run look surer than it is.
    init(_ scenario: Scenario) {
        let clock = scenario.clock
        let longest = Double(min(scenario.devices.systemLimit, clock.duration + clock.drain).microseconds)
        let stages = scenario.rides.stages
        stays = stages.map { min($0.duration.lengthBiasedMean.rounded(), longest) }
        ride = min(longest, stages.reduce(0) { $0 + $1.duration.mean }.rounded())
        life = longest - ride
    }

    /// The age of a screen that shows nothing new, integrated over a stage; over its length.
    func ageWithoutUpdates(inStage stage: Int) -> IntervalRule.Part {
        let before = stays[..<stage].reduce(0, +)
        return (stays[stage] * (before + stays[stage] / 2), stays[stage])
    }
}
