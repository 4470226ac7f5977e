/// What the gateway for Netmera's REST calls is like.
public struct NetmeraConfiguration: Hashable, Sendable {
    /// Its port, without TLS; 0: any that is free.
    public var port: Int
    /// What `X-netmera-api-key` must be; nil: anything or nothing.
    public var key: String?
    /// The topic of its pushes.
    public var topic = "com.example.rides.push-type.liveactivity"
    /// The most bytes of a body.
    public var largestBody = 65_536
    /// The most connections at a time; more have to wait.
    public var mostConnections = 1024

    /// An ordinary gateway.
    public init(port: Int, key: String? = nil) {
        self.port = port
        self.key = key
    }
}
