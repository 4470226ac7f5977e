import LiveActivityModel
import Quantities
import Statistics

/// The single rides with the largest weight in a metric [µs].
///
/// They are so few that a small run may contain none, and so heavy that its values are wrong without them.
struct Outlier: Hashable, Sendable {
    /// A card that is never ended: the time that iOS leaves it on screen after a ride of average length, within the
    /// run.
    let life: Double
    /// A ride during which the screen shows nothing new: for each stage, the length of the stage that contains a random
    /// instant.
    let stays: [Double]
    /// The average length of such a ride.
    let ride: Double

    /// The contribution of one such ride to the numerator and the denominator of a metric.
    typealias Contribution = @Sendable (Outlier) -> IntervalRule.Part

    /// Creates the outliers of a scenario.
    ///
    /// It does not ask if anything in the scenario can cause such rides. There are too many ways, and a list that omits
    /// one would make a run appear more certain than it is.
    init(_ scenario: Scenario) {
        let clock = scenario.clock
        // A card that is never ended may be of any cohort.
        let limits = [scenario.devices.systemLimit] + scenario.cohorts.compactMap(\.sections?.devices.systemLimit)
        let longest = Double(min(limits.max() ?? .zero, clock.duration + clock.drain).microseconds)
        let stages = scenario.rides.stages
        stays = stages.map { min($0.duration.lengthBiasedMean.rounded(), longest) }
        ride = min(longest, stages.reduce(0) { $0 + $1.duration.mean }.rounded())
        life = longest - ride
    }

    /// Returns the age of a screen that shows nothing new, integrated over a stage, and the stage's length.
    func ageWithoutUpdates(inStage stage: Int) -> IntervalRule.Part {
        let before = stays[..<stage].reduce(0, +)
        return (stays[stage] * (before + stays[stage] / 2), stays[stage])
    }
}
