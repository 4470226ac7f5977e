import Testing

@testable import Reporting

struct DecimalTextTests {
    @Test(arguments: [
        ("0", "0"), ("1", "0.000001"), ("1000000", "1"), ("12500000", "12.5"), ("52594910.925378", "52.594910925378"),
        ("-1500000.5", "-1.5000005"), ("999999", "0.999999"), ("0.250000", "0.00000025"),
        ("9223372036854775807", "9223372036854.775807"),
    ])
    func secondsKeepEveryDigit(_ microseconds: String, _ seconds: String) {
        #expect(DecimalText.seconds(fromMicroseconds: microseconds) == seconds)
    }

    @Test(arguments: ["", "-", "1e6", "nan", "+1", "1.", ".5", "1.2.3", " 1", "１"])
    func otherTextsAreNoNumbers(_ text: String) {
        #expect(DecimalText.seconds(fromMicroseconds: text) == nil)
    }
}
