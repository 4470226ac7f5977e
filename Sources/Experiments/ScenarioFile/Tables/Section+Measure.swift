import LiveActivityModel
import Quantities

extension Section where Whole == Scenario.Measure {
    static var measure: Section {
        Section("What is measured beyond what always is; it changes nothing about what happens.", Scenario.Measure()) {
            Field("age_over", \.ageOver, .times(count: 0...8))
                .means("Ages of information whose exceedance is measured, ascending.")
            Field("wait_over", \.waitOver, .times(count: 0...8))
                .means("Waits in the sender whose exceedance is measured, ascending.")
        }
    }
}
