import Quantities
import Testing

@Suite struct InstantTests {
    @Test(
        arguments: [
            // instant, span, sum
            (0, 0, 0),
            (0, 7, 7),
            (10, -4, 6),
            (.max - 2, 1, .max - 1),
            (.max - 2, 2, .max),
            (.max - 2, 3, .max),
            (.max - 1, .max, .max),
            (.max, 0, .max),
            (.max, 1, .max),
            (.max, -1, .max),
            (.max, TimeSpan.longest.microseconds, .max),
        ] as [(Int64, Int64, Int64)]
    )
    func additionSaturatesAtNever(instant: Int64, span: Int64, sum: Int64) {
        let later = Instant(microseconds: instant) + TimeSpan(microseconds: span)
        #expect(later == Instant(microseconds: sum))
        #expect((later == .never) == (sum == .max))
    }

    @Test(arguments: [-5, 0, 3, 1_000_000] as [Int64], [-2, 0, 1, 86_400_000_000] as [Int64])
    func differenceUndoesAddition(earlier: Int64, length: Int64) {
        let start = Instant(microseconds: earlier)
        let span = TimeSpan(microseconds: length)
        #expect((start + span) - start == span)
    }

    @Test func orderIsThatOfMicroseconds() {
        let ascending = [-1, 0, 1, .max - 1].map(Instant.init(microseconds:)) + [.never]
        for (leftIndex, left) in ascending.enumerated() {
            for (rightIndex, right) in ascending.enumerated() {
                #expect((left < right) == (leftIndex < rightIndex))
                #expect((left == right) == (leftIndex == rightIndex))
            }
        }
    }

    @Test func startIsZeroAndNeverIsTheLast() {
        #expect(Instant.start.microseconds == 0)
        #expect(Instant.never.microseconds == .max)
    }
}
