package import HTTP2
package import Wire

/// A writer of request heads that follows Apple's advice not to index fields that differ in each request.
///
/// `:path` and the provider's token would push everything else out of HPACK's table, and no intermediary may index the token
/// either. One value is used for all requests, so that writing allocates nothing.
struct RequestHead {
    private(set) var fields = HTTP2Fields()
    /// The number of fields that all requests share.
    private let sharedCount: Int
    /// `bearer <token>`; nil if the provider shows none.
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
    /// Apple asks clients not to put ids into HPACK's table, which suits answers, too.
    package mutating func add(_ name: StaticString, _ id: RequestID, _ letters: RequestID.Letters = .lowercase) {
        id.withText(letters) { add(name, bytes: $0, isIndexed: false) }
    }
}
