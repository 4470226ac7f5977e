package import HTTP2
package import Wire

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
        request.token.withPath { fields.add(":path", bytes: $0, isIndexed: false) }
        if let authorization { fields.add("authorization", authorization, isIndexed: false) }
        fields.add("apns-id", request.id)
        fields.add("apns-topic", request.topic)
        fields.add("apns-push-type", PushType.liveActivity.rawValue)
        fields.add("apns-priority", String(request.priority))
        if let expiration = request.expiration { fields.add("apns-expiration", String(expiration), isIndexed: false) }
    }
}

extension HTTP2Fields {
    /// Adds a field with an id.
    ///
    /// Apple asks clients not to put ids into HPACK's table; the same is good for responses.
    package mutating func add(_ name: StaticString, _ id: RequestID, _ letters: RequestID.Letters = .lowercase) {
        id.withText(letters) { add(name, bytes: $0, isIndexed: false) }
    }
}
