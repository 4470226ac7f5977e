import HTTP2
import Wire

/// Writes the head of a request as Apple advises: what differs in each request is not indexed.
///
/// `:path` and the provider's token would push everything else out of the table; no intermediary may index the token
/// either. One value is written again and again, and then costs no allocation.
struct RequestHead {
    private(set) var fields = HTTP2Fields()
    /// How many fields all requests share.
    private let sharedCount: Int
    /// `bearer <token>`; nil where the provider shows none.
    var authorization: String?

    init(endpoint: APNsEndpoint) {
        fields.add(":method", "POST")
        fields.add(":scheme", endpoint.trust == nil ? "http" : "https")
        fields.add(":authority", endpoint.authority)
        sharedCount = fields.count
    }

    /// Writes the head of a push.
    mutating func write(_ request: APNsRequest) {
        fields.truncate(to: sharedCount)
        fields.add(":path", "/3/device/\(request.token.hexadecimal)", isIndexed: false)
        if let authorization { fields.add("authorization", authorization, isIndexed: false) }
        fields.add("apns-id", request.id.canonical, isIndexed: false)
        fields.add("apns-topic", request.topic)
        fields.add("apns-push-type", PushType.liveActivity.rawValue)
        fields.add("apns-priority", String(request.priority))
        if let expiration = request.expiration { fields.add("apns-expiration", String(expiration), isIndexed: false) }
    }
}
