import LiveActivityModel
import Quantities

extension Section where Whole == Scenario.Measure {
    static var measure: Section {
        Section(
            "Thresholds at which results are read off; they change nothing about the run.",
            Scenario.Measure(),
            [
                Field(
                    "wait_over",
                    \.waitOver,
                    .list(of: .duration(), count: 0...8),
                    "Counts first requests that waited in the sender for longer than each of these."
                )
            ]
        )
    }
}
