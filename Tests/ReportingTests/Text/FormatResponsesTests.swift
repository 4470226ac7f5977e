import Testing

@testable import Reporting

@Suite("Formatted responses")
struct FormatResponsesTests {
    @Test("Values, intervals and differences in the format of their unit")
    func units() {
        #expect(Format.value(0.95, unit: "1", isShare: true) == "95.00 %")
        #expect(Format.value(1234, unit: "count", isShare: false) == "1,234")
        #expect(Format.value(61.4, unit: "count", isShare: false) == "61.40")
        #expect(Format.value(90e6, unit: "us", isShare: false) == "90 s")
        #expect(Format.value(24.5, unit: "1", isShare: false) == "24.50")
        #expect(Format.value(nil, unit: "us", isShare: false) == "–")
        #expect(Format.value(1e18, unit: "count", isShare: false) == "1,000,000,000,000,000,000.00")
        #expect(Format.interval(0.94...0.96, unit: "1", isShare: true) == "94.00 – 96.00 %")
        #expect(Format.interval(nil, unit: "1", isShare: true) == "")
        #expect(Format.difference(-0.005, unit: "1", isShare: true) == "−0.50 pp")
        #expect(Format.difference(1_500_000, unit: "us", isShare: false) == "+1.50 s")
        #expect(Format.difference(0, unit: "count", isShare: false) == "±0")
        #expect(Format.difference(nil, unit: "count", isShare: false) == "–")
    }
}
