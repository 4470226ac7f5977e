import LiveActivityModel
import Quantities

extension Section where Whole == Scenario.Measure {
    static var measure: Section {
        Section("Additional measurements; they do not change the simulation.", Scenario.Measure()) {
            Field("age_over", \.ageOver, .times(count: 0...8))
                .means("Thresholds of the age of information, ascending; measures the share of time above each.")
            Field("wait_over", \.waitOver, .times(count: 0...8))
                .means(
                    "Thresholds of the wait in the sender, ascending; measures the share of first requests above each."
                )
            Field("eta_error_over", \.etaErrorOver, .times(count: 0...8))
                .means("Thresholds of the error of the shown ETA, ascending; measures the share of time above each.")
        }
    }
}
