import APNsProtocol
import NIOHPACK

/// Writes the header block of a request as Apple advises: what differs in each request is not indexed.
///
/// `:path` and the provider's token would push everything else out of the table; the token is marked as one that no
/// intermediary may index either.
struct RequestHeaders {
    private let scheme: String
    private let authority: String
    /// `bearer <token>`; nil where the provider shows none.
    var authorization: String?

    init(endpoint: APNsEndpoint) {
        scheme = endpoint.trust == nil ? "http" : "https"
        authority = endpoint.authority
    }

    /// The header block of a push.
    func headers(of request: APNsRequest) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(10)
        headers.add(name: ":method", value: "POST")
        headers.add(name: ":scheme", value: scheme)
        headers.add(name: ":path", value: Self.path(of: request.token), indexing: .nonIndexable)
        headers.add(name: ":authority", value: authority)
        if let authorization {
            headers.add(name: "authorization", value: authorization, indexing: .neverIndexed)
        }
        headers.add(name: "apns-id", value: request.id.canonical, indexing: .nonIndexable)
        headers.add(name: "apns-topic", value: request.topic)
        headers.add(name: "apns-push-type", value: request.pushType)
        headers.add(name: "apns-priority", value: Self.priority(request.priority))
        if let expiration = request.expiration {
            headers.add(name: "apns-expiration", value: String(expiration), indexing: .nonIndexable)
        }
        if let collapseID = request.collapseID {
            headers.add(name: "apns-collapse-id", value: collapseID, indexing: .nonIndexable)
        }
        return headers
    }

    private static func priority(_ priority: Int) -> String {
        switch priority {
        case 10: "10"
        case 5: "5"
        default: String(priority)
        }
    }

    /// `/3/device/` and the token in lowercase digits.
    static func path(of token: DeviceToken) -> String {
        let prefix: StaticString = "/3/device/"
        let count = prefix.utf8CodeUnitCount + 2 * token.bytes.count
        return String(unsafeUninitializedCapacity: count) { characters in
            var position = 0
            for offset in 0..<prefix.utf8CodeUnitCount {
                characters[position] = prefix.utf8Start[offset]
                position += 1
            }
            for byte in token.bytes {
                characters[position] = hexadecimalDigit(byte >> 4)
                characters[position + 1] = hexadecimalDigit(byte & 15)
                position += 2
            }
            return position
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x61 + value - 10
    }
}
