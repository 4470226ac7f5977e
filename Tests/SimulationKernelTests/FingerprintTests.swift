import Quantities
import SimulationKernel
import TestSupport
import Testing

@Suite struct FingerprintTests {
    private struct Event: Hashable {
        var time: Int64
        var kind: UInt8
        var subject: UInt64
    }

    private func fingerprint(of events: [Event]) -> UInt64 {
        var fingerprint = Fingerprint()
        for event in events {
            fingerprint.add(time: Instant(microseconds: event.time), event: event.kind, subject: event.subject)
        }
        return fingerprint.value
    }

    /// Computed by an independent program with arbitrary-precision integers.
    @Test func goldenValues() {
        #expect(Fingerprint().value == 0x9E37_79B9_7F4A_7C15)
        var numbers = Fingerprint()
        numbers.combine(0)
        #expect(numbers.value == 0xD674_11C5_C06E_57A5)
        numbers.combine(.max)
        #expect(numbers.value == 0x38B3_736B_7565_CDDC)
        let history = [
            Event(time: 0, kind: 0, subject: 0),
            Event(time: 1_500_000, kind: 63, subject: 42),
            Event(time: .max, kind: 255, subject: .max),
        ]
        #expect(fingerprint(of: history) == 0xF573_5CC0_F116_D787)
    }

    /// Events include their instants, so a host may process them in any order.
    @Test func theOrderInWhichEventsAreAddedDoesNotMatter() {
        let events = [
            Event(time: 1, kind: 1, subject: 1), Event(time: 1, kind: 1, subject: 2),
            Event(time: 1, kind: 2, subject: 1),
            Event(time: 2, kind: 1, subject: 1),
        ]
        var histories: [UInt64: [Event: Int]] = [:]
        for code in 0..<256 {
            let history = stride(from: 0, to: 8, by: 2).map { events[code >> $0 & 3] }
            let counts = Dictionary(history.map { ($0, 1) }, uniquingKeysWith: +)
            let known = histories.updateValue(counts, forKey: fingerprint(of: history))
            #expect(known == nil || known == counts)
        }
        // Four events of four kinds, in any order: 7 over 3.
        #expect(histories.count == 35)
    }

    @Test func eachFieldMatters() {
        let events = [
            Event(time: 5, kind: 6, subject: 7), Event(time: 4, kind: 6, subject: 7),
            Event(time: 5, kind: 7, subject: 7), Event(time: 5, kind: 6, subject: 6),
            Event(time: 7, kind: 6, subject: 5), Event(time: 5, kind: 6, subject: 7 | 1 << 63),
        ]
        #expect(Set(events.map { fingerprint(of: [$0]) }).count == events.count)
        #expect(fingerprint(of: []) != fingerprint(of: [Event(time: 0, kind: 0, subject: 0)]))
    }

    /// Each step is a bijection, so a difference remains, however many equal steps follow.
    @Test func aDifferenceIsNeverHidden() {
        for seed in 0..<100 as Range<UInt64> {
            var stream = TestStream(seed: seed)
            var left = Fingerprint()
            var right = Fingerprint()
            left.combine(seed)
            right.combine(seed ^ 1 << (seed % 64))
            #expect(left != right)
            for _ in 0..<1000 {
                let number = stream.next()
                left.combine(number)
                right.combine(number)
            }
            #expect(left != right)
        }
    }

    /// Bytes are combined as words, then the rest, then the count; zeros at the end therefore count.
    @Test(arguments: 0..<20)
    func bytesAreTakenInAsWords(count: Int) {
        let bytes = (0..<count).map { UInt8($0 * 37 % 256) }
        var expected = Fingerprint()
        for word in 0..<count / 8 {
            expected.combine(bytes[word * 8..<word * 8 + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        for byte in bytes[(count / 8 * 8)...] { expected.combine(UInt64(byte)) }
        expected.combine(UInt64(count))
        var hash = Fingerprint()
        bytes.withUnsafeBytes { hash.combine(bytes: $0) }
        #expect(hash == expected)
    }
}
