import LiveActivityModel
import TestSupport
import Testing

@testable import Evaluation

@Suite("Compact encoding of numbers")
struct NumberCodingTests {
    /// Arrays and single numbers alternately, with runs of zeros across several of them.
    private static func groups(seed: UInt64) -> [[Int64]] {
        var stream = TestStream(seed: seed)
        return (0..<40)
            .map { _ in
                let count = stream.one(of: [0, 1, 1, 2, 7, 30])
                let isZero = stream.next(below: 2) == 0
                return (0..<count).map { _ in isZero || stream.next(below: 3) == 0 ? 0 : stream.number(-300...300) }
            }
    }

    @Test("Bulk writes and reads equal single ones", arguments: 0..<50 as Range<UInt64>)
    func arrays(seed: UInt64) {
        var groups = Self.groups(seed: seed)
        let numbers = groups.flatMap(\.self)
        var (whole, single) = (NumberWriter(), NumberWriter())
        for index in groups.indices { whole.transfer(&groups[index]) }
        for var number in numbers { single.transfer(&number) }
        let bytes = whole.bytes()
        #expect(bytes == single.bytes())

        var readers = (NumberReader(bytes), NumberReader(bytes))
        for group in groups {
            var read = [Int64](repeating: 5, count: group.count)
            readers.0.transfer(&read)
            #expect(read == group)
        }
        for number in numbers {
            var read: Int64 = 5
            readers.1.transfer(&read)
            #expect(read == number)
        }
        #expect(readers.0.isAtEnd && readers.1.isAtEnd)
    }

    @Test("Missing numbers read as zero, and the reader records it")
    func missing() {
        var reader = NumberReader([2, 0, 2])
        var numbers: [Int64] = [9, 9, 9, 9, 9]
        reader.transfer(&numbers)
        #expect(numbers == [1, 0, 0, 0, 0])
        #expect(!reader.isAtEnd)
    }
}
