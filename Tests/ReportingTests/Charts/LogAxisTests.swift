import Testing
import TextFormats

@testable import Reporting

struct LogAxisTests {
    @Test(
        "an axis extends from a round number below the data to one above, with few ticks",
        arguments: [
            ([250.0, 4000], "[200.000, 5000.000]", "[200.000, 500.000, 1000.000, 2000.000, 5000.000]"),
            ([0.1, 90_000], "[0.100, 100000.000]", "[0.100, 1.000, 10.000, 100.000, 1000.000, 10000.000, 100000.000]"),
            ([1000, 1000], "[1000.000, 2000.000]", "[1000.000, 2000.000]"),
            ([], "[1.000, 10.000]", "[1.000, 2.000, 5.000, 10.000]"),
        ]
    )
    func axis(values: [Double], domain: String, ticks: String) {
        let axis = LogAxis(values)
        #expect(axis.domain.text == domain + "\n")
        #expect(axis.ticks.text == ticks + "\n")
    }
}
