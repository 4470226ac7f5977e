import APNsProtocol
import NIOCore
import Quantities
import Testing

@testable import LoadTransport

@Suite struct PhoneNewsTests {
    private static let id = RequestID(ride: 5, drawIndex: 6)

    @Test(
        arguments: [
            (
                "push \(id.canonical) 0aff 1234 10",
                .push(
                    id: id,
                    token: DeviceToken(bytes: [10, 255]),
                    at: Instant(microseconds: 1234),
                    priority: 10,
                    payload: nil
                )
            ),
            (
                "push \(id.canonical) 0aff 0 5 eyJhIjoxfQ==",
                .push(
                    id: id,
                    token: DeviceToken(bytes: [10, 255]),
                    at: .start,
                    priority: 5,
                    payload: ByteBuffer(string: #"{"a":1}"#)
                )
            ),
            ("lost \(id.canonical)", .lost(id)), ("void \(id.canonical)", .void(id)), ("begun", nil), ("", nil),
            ("lost x", nil), ("push \(id.canonical) 0aff 1", nil), ("push \(id.canonical) 0a 1 10 *", nil),
            ("void \(id.canonical) more", nil),
        ] as [(String, PhoneNews?)]
    )
    func reads(line: String, news: PhoneNews?) {
        #expect(PhoneNews(line: ByteBuffer(string: line).readableBytesView) == news)
    }
}
