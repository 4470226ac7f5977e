import Quantities
import Testing

@Suite struct TimeSpanTests {
    @Test(
        arguments: [
            (TimeSpan.milliseconds(3), 3_000),
            (.seconds(3), 3_000_000),
            (.minutes(3), 180_000_000),
            (.hours(3), 10_800_000_000),
            (.seconds(-1), -1_000_000),
            (.longest, 3_650 * 86_400 * 1_000_000),
            (.zero, 0),
        ] as [(TimeSpan, Int64)]
    )
    func unitsAreMicroseconds(span: TimeSpan, microseconds: Int64) {
        #expect(span.microseconds == microseconds)
    }

    @Test func arithmetic() {
        var sum = TimeSpan.seconds(90)
        sum += .seconds(30)
        #expect(sum == .minutes(2))
        #expect(TimeSpan.minutes(1) + .seconds(1) == .seconds(61))
        #expect(TimeSpan.minutes(1) - .seconds(61) == .seconds(-1))
        #expect(TimeSpan.seconds(20) * 3 == .minutes(1))
        #expect(TimeSpan.seconds(20) * 0 == .zero)
        #expect(TimeSpan.seconds(20) * -1 == .seconds(-20))
    }

    @Test func orderIsThatOfMicroseconds() {
        let ascending: [TimeSpan] = [.seconds(-1), .zero, .milliseconds(1), .seconds(1), .longest]
        for (leftIndex, left) in ascending.enumerated() {
            for (rightIndex, right) in ascending.enumerated() {
                #expect((left < right) == (leftIndex < rightIndex))
            }
        }
    }

    @Test func thousandsOfLongestSpansStayFarFromOverflow() {
        #expect(TimeSpan.longest * 10_000 < TimeSpan(microseconds: .max / 2))
    }
}
