package import HTTP2
package import Wire

/// A writer of request heads that follows Apple's advice not to index fields that differ in each request.
///
/// `:path` and the provider's token would push everything else out of HPACK's table, and no intermediary may index the token
/// either. One value is used for all requests, so that writing allocates nothing.
struct RequestHead {
    private(set) var fields = HTTP2Fields()
    /// The number of fields that all requests of a method share.
    private let sharedCount: Int
    private var method = "POST"
    private let endpoint: APNsEndpoint
    /// `bearer <token>`; nil if the provider shows none.
    var authorization: String?

    init(endpoint: APNsEndpoint) {
        self.endpoint = endpoint
        sharedCount = 3
        begin(method: method)
    }

    /// Begins a head with the fields that all requests of a method share.
    private mutating func begin(method: String) {
        self.method = method
        fields.truncate(to: 0)
        fields.add(":method", method)
        fields.add(":scheme", endpoint.trust == nil ? "http" : "https")
        fields.add(":authority", endpoint.authority)
    }

    /// Writes the head of a request.
    mutating func write(_ request: APNsRequest) {
        if method == "POST" { fields.truncate(to: sharedCount) } else { begin(method: "POST") }
        guard case .device(let token) = request.target else { return writeChannel(request) }
        token.withPath { fields.add(":path", bytes: $0, isIndexed: false) }
        if let authorization { fields.add("authorization", authorization, isIndexed: false) }
        fields.add("apns-id", request.id)
        fields.add("apns-topic", request.topic)
        fields.add("apns-push-type", PushType.liveActivity.rawValue)
        fields.add("apns-priority", String(request.priority))
        if let expiration = request.expiration { fields.add("apns-expiration", String(expiration), isIndexed: false) }
    }

    /// Writes the head of a request about a channel.
    private mutating func writeChannel(_ request: APNsRequest) {
        func path(_ prefix: String, _ suffix: String = "") -> String { "\(prefix)\(request.bundleID)\(suffix)" }
        switch request.target {
        case .device: return
        case .broadcast(let channel):
            fields.add(":path", path("/4/broadcasts/apps/"))
            fields.add("apns-channel-id", channel, isIndexed: false)
            fields.add("apns-push-type", PushType.liveActivity.rawValue)
            fields.add("apns-priority", String(request.priority))
            if let expiration = request.expiration {
                fields.add("apns-expiration", String(expiration), isIndexed: false)
            }
        case .newChannel:
            fields.add(":path", path("/1/apps/", "/channels"))
        case .deletion(let channel):
            begin(method: "DELETE")
            fields.add(":path", path("/1/apps/", "/channels"))
            fields.add("apns-channel-id", channel, isIndexed: false)
        }
        if let authorization { fields.add("authorization", authorization, isIndexed: false) }
        fields.add("apns-request-id", request.id)
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
