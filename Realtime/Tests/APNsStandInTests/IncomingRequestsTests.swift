import NIOCore
import Testing
import Wire

@testable import APNsStandIn

struct IncomingRequestsTests {
    private static func request(at seconds: Int64 = 0) -> IncomingRequest {
        IncomingRequest(.refused(.wire(.badPath), nil), at: .uptimeNanoseconds(0) + .seconds(seconds)) { _ in false }
    }

    private static func stream(_ number: Int) -> Int32 { Int32(2 * number + 1) }

    private static func take(_ count: Int, _ stream: Int32, in requests: inout IncomingRequests) -> Int? {
        [UInt8](repeating: 0, count: count).withUnsafeBytes { requests.take($0, stream: stream) }
    }

    /// Of streams that are open for a while, every five-hundredth stays open while thousands come and go.
    @Test(arguments: [1, 7, 100, 5000])
    func eachStreamHasItsOwn(openAtATime: Int) {
        var requests = IncomingRequests()
        var stay: [Int] = []
        for number in 0..<20_000 {
            requests.insert(Self.request(), stream: Self.stream(number))
            #expect(Self.take(number % 13, Self.stream(number), in: &requests) == number % 13)
            #expect(requests.remove(stream: Self.stream(number + 1)) == nil)
            let earlier = number - openAtATime
            guard earlier >= 0 else { continue }
            #expect(Self.take(1, Self.stream(earlier), in: &requests) == earlier % 13 + 1)
            if earlier.isMultiple(of: 500) {
                stay.append(earlier)
            } else {
                #expect(requests.remove(stream: Self.stream(earlier))?.bodyBytes == earlier % 13 + 1)
            }
        }
        stay += 20_000 - openAtATime..<20_000
        for number in stay { #expect(requests.remove(stream: Self.stream(number)) != nil) }
        #expect(requests.isEmpty)
    }

    @Test
    func whatTakesTooLongIsTakenOut() {
        var requests = IncomingRequests()
        for number in 0..<3000 as Range<Int32> {
            requests.insert(Self.request(at: Int64(number % 3)), stream: 2 * number + 1)
        }
        let removed = requests.remove(before: .uptimeNanoseconds(0) + .seconds(2))
        #expect(Set(removed) == Set((0..<3000).filter { $0 % 3 != 2 }.map { 2 * $0 + 1 }))
        #expect(removed.count == 2000)
        #expect(requests.remove(stream: 1) == nil)
        #expect(requests.remove(stream: 5) != nil)
        #expect(!requests.isEmpty)
    }
}
