import Evaluation
import LiveActivityModel
import Testing

@testable import LoadGenerator

@Suite("The periods of an endpoint's faults")
struct FaultPeriodsTests {
    @Test(
        "A request is during a fault if it was due in it, to the microsecond; an instantaneous fault lasts a second",
        arguments: [
            ([(1_200_000, 2_000_000)], [-1: "before", 1_199_999: "before", 1_200_000: "during", 1_999_999: "during"]),
            ([(1_200_000, 2_000_000)], [2_000_000: "after", 9_000_000: "after"]),
            // In any order, and overlapping.
            ([(5_000_000, 6_000_000), (0, 3), (2, 9)], [-1: "before", 0: "during", 8: "during", 9: "after"]),
            ([(5_000_000, 6_000_000), (0, 3), (2, 9)], [4_999_999: "after", 5_000_000: "during", 6_000_000: "after"]),
            ([(3_000_000, 3_000_000)], [2_499_999: "before", 2_500_000: "during", 3_499_999: "during"]),
            ([(3_000_000, 3_000_000)], [3_500_000: "after"]), ([(-5_000_000, -1)], [0: "after"]),
            ([], [0: "before", 7_000_000: "before"]),
        ] as [([(Int64, Int64)], [Int64: String])]
    )
    func phases(faults: [(Int64, Int64)], phases: [Int64: String]) {
        let periods = FaultPeriods(faults.map { FaultSpan(kind: .apnsSilent, from: $0.0, until: $0.1) })
        #expect(periods.isEmpty == faults.isEmpty)
        for (due, phase) in phases.sorted(by: { $0.key < $1.key }) {
            #expect(periods.phase(at: due).rawValue == phase, "\(due)")
        }
    }
}
