import APNsProtocol
import NIOCore
import NIOHPACK

/// Bodies and header values of responses, made once.
struct Responses {
    private let bodies: [ByteBuffer]
    private let statuses: [String]

    init() {
        bodies = APNsResponseReason.allCases.map { ByteBuffer(string: "{\"reason\":\"\($0.rawValue)\"}") }
        statuses = APNsResponseReason.allCases.map { String($0.status) }
    }

    /// The head of an acceptance.
    ///
    /// Apple asks clients not to put ids into HPACK's table; the same is good for responses.
    func acceptance(id: String, uniqueID: String?) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(2)
        headers.add(name: ":status", value: "200")
        headers.add(name: "apns-id", value: id, indexing: .nonIndexable)
        if let uniqueID {
            headers.add(name: "apns-unique-id", value: uniqueID, indexing: .nonIndexable)
        }
        return headers
    }

    /// The head of a refusal.
    func refusal(_ reason: APNsResponseReason, id: String, idField: String = "apns-id") -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(3)
        headers.add(name: ":status", value: statuses[reason.place])
        headers.add(name: idField, value: id, indexing: .nonIndexable)
        headers.add(name: "content-type", value: "application/json")
        return headers
    }

    /// The body of a refusal; with 410, since when the token has not been valid [UNIX ms].
    func body(_ reason: APNsResponseReason, since milliseconds: Int64?) -> ByteBuffer {
        guard reason.status == 410, let milliseconds else { return bodies[reason.place] }
        return ByteBuffer(string: "{\"reason\":\"\(reason.rawValue)\",\"timestamp\":\(milliseconds)}")
    }
}
