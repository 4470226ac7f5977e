import FreshnessCore
import Testing

@testable import LiveActivityModel

@Suite("The numbers of an activity's pushes")
struct PushNumbersTests {
    @Test("Kinds are numbered separately; an update has the number of its occasion")
    func kinds() {
        var numbers = PushNumbers()
        numbers.contentArose()
        let next = numbers.nextOccasion
        numbers.contentArose()
        #expect(numbers.takeIndex(for: .update) == next)
        #expect(numbers.takeIndex(for: .update) == PushIndex.push(kind: 0, number: 1))
        #expect(numbers.takeIndex(for: .update) == PushIndex.push(kind: 0, number: 1))
        #expect(numbers.takeIndex(for: .retry) == PushIndex.push(kind: 1, number: 0))
        #expect(numbers.takeIndex(for: .retry) == PushIndex.push(kind: 1, number: 1))
        #expect(numbers.takeIndex(for: .end) == PushIndex.push(kind: 2, number: 0))
        #expect(numbers.takeIndex(for: .start) == PushIndex.push(kind: 3, number: 0))
        #expect(numbers.retryCount == 2)
    }

    @Test("The same update sent again has a separate attempt number, eight after the previous one")
    func sendings() {
        var numbers = PushNumbers(ofLife: 0xAB00_0008)
        numbers.contentArose()
        let push = PushIndex.push(kind: 0, number: 0x100_0008)
        #expect(numbers.takeRequestIndex(for: .update) == PushIndex.request(push, attempt: 0))
        #expect(numbers.takeRequestIndex(for: .update) == PushIndex.request(push, attempt: 8))
        #expect(PushNumbers.repeatIndex(of: PushIndex.request(push, attempt: 8)) == PushIndex.request(push, attempt: 9))
        let last = PushIndex.request(push, attempt: 31)
        #expect(PushNumbers.repeatIndex(of: last) == last)
        let end = PushIndex.push(kind: 2, number: 0x100_0008)
        #expect(numbers.takeRequestIndex(for: .end) == PushIndex.request(end, attempt: 0))
        numbers.contentArose()
        let next = PushIndex.push(kind: 0, number: 0x100_0009)
        #expect(numbers.takeRequestIndex(for: .update) == PushIndex.request(next, attempt: 0))
    }
}
