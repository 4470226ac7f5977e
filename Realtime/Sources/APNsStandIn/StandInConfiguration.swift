package import LiveActivityModel
package import NIOCore
import Quantities

/// What a stand-in is like.
package struct StandInConfiguration: Sendable {
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port of the provider API; 0: any that is free.
    package var port = 0
    /// The port of `/metrics` and `/health`, without TLS, on the same address; 0: any that is free; nil: none.
    package var metricsPort: Int? = 0
    /// How many threads serve connections.
    package var threads = 1
    /// The server's certificate.
    package var identity: ServerIdentity
    /// Keys whose provider tokens are good.
    package var providerKeys: [ProviderKey] = []
    /// Whether signatures of provider tokens are verified; without, any key id and team will do.
    package var checksSignatures = true
    /// The bundle ids that may be pushed to; empty: all.
    package var bundleIDs: [String] = []
    /// Whether it answers as the development environment, with `apns-unique-id`.
    package var isDevelopment = false
    /// How APNs treats requests; nil: accepts all at once.
    package var apns: APNsRules?
    /// What the system lets a phone show, where the stand-in plays the phones.
    package var phones = PhoneStation.Rules(Scenario.Devices())
    /// How much faster than the wall clock the scenario's time goes, without a phone link that says so.
    package var speed = 1.0
    /// The clock by which requests come in, are answered and arrive, and patience ends.
    package var wall = WallTime.system
    /// Whether the phones are played here while no phone link is up.
    package var playsPhones = true
    /// Streams per connection for a provider that is known; 1000 was seen at Apple.
    package var streams: UInt32 = 1000
    /// Whether a refusal brings a connection down to one stream until the next success.
    package var shrinksStreams = false
    /// After how many of a provider's errors its connection is closed; `BadDeviceToken` counts twice; nil: never.
    package var mostErrors: Int?
    /// The number of requests on a connection after which GOAWAY is sent; nil: any number.
    package var goAwayAfter: Int?
    /// The age of a connection at which GOAWAY is sent; nil: any age.
    package var goAwayEvery: TimeAmount?
    /// `true` if the scenario's `connection_lost` closes connections.
    package var losesConnections = true
    /// How many streams a provider may reset on one connection in half a minute; more end the connection.
    ///
    /// A provider that gives a request up resets its stream, and in a minute of silence that is every request: so it is as
    /// many as an ordinary connection sends, not the few hundred that a web server puts up with.
    package var mostResets = 100_000
    /// The most connections at a time; more have to wait.
    package var mostConnections = 4096
    /// After what time without requests a connection is closed [s].
    package var idleSeconds: Int64 = 3600
    /// How long a request may take to arrive, a handshake to finish, a slow reader to read on [s].
    package var patienceSeconds: Int64 = 15
    /// The log of requests.
    package var log = RequestLog.Configuration()
    /// The gateway for Netmera's REST calls; nil: none.
    package var netmera: NetmeraConfiguration?
    /// The secret that a phone link has to show as bearer token; nil: none.
    package var phoneSecret: String?

    /// An ordinary stand-in.
    package init(identity: ServerIdentity) {
        self.identity = identity
    }
}

/// What the gateway for Netmera's REST calls is like.
package struct NetmeraConfiguration: Hashable, Sendable {
    /// Its port, without TLS; 0: any that is free.
    package var port: Int
    /// What `X-netmera-api-key` must be; nil: anything or nothing.
    package var key: String?
    /// The topic of its pushes.
    package var topic = "com.example.rides.push-type.liveactivity"
    /// The most bytes of a body.
    package var largestBody = 65_536
    /// The most connections at a time; more have to wait.
    package var mostConnections = 1024

    /// An ordinary gateway.
    package init(port: Int, key: String? = nil) {
        self.port = port
        self.key = key
    }
}
