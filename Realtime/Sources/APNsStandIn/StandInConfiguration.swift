package import LiveActivityModel
package import NIOCore
import Quantities

/// The settings of a stand-in.
package struct StandInConfiguration: Sendable {
    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port of the provider API; 0 for any free port.
    package var port = 0
    /// The port of `/metrics` and `/health`, without TLS, on the same address; 0 for any free port; `nil` for none.
    package var metricsPort: Int? = 0
    /// The number of threads that serve connections.
    package var threads = 1
    /// The server's certificate.
    package var identity: ServerIdentity
    /// The keys whose provider tokens are accepted.
    package var providerKeys: [ProviderKey] = []
    /// `true` to verify signatures of provider tokens; otherwise any key id and team are accepted.
    package var checksSignatures = true
    /// The bundle ids that may receive pushes; if empty, all.
    package var bundleIDs: [String] = []
    /// `true` to respond as the development environment, with `apns-unique-id`.
    package var isDevelopment = false
    /// The rules of APNs; `nil` to accept all requests at once.
    package var apns: APNsRules?
    /// The faults of the scenario that the stand-in plays.
    package var faults: [Scenario.Fault] = []
    /// The system's rules for phones, if the stand-in plays the phones.
    package var phones = PhoneStation.Rules(Scenario.Devices())
    /// The system's rules for pushes of channels; `nil` for the same.
    package var channelPhones: PhoneStation.Rules?
    /// The speed of the scenario's time relative to the wall clock, unless a phone link sets it.
    package var speed = 1.0
    /// The clock of arrivals, answers, deliveries and timeouts.
    package var wall = WallTime.system
    /// `true` to play the phones here while no phone link is open.
    package var playsPhones = true
    /// The number of streams per connection for an authenticated provider; 1000 was observed at Apple.
    package var streams: UInt32 = 1000
    /// `true` if a rejection reduces a connection to one stream until the next success.
    package var shrinksStreams = false
    /// The number of provider errors after which a connection is closed; `BadDeviceToken` counts twice; `nil` for no
    /// limit.
    package var mostErrors: Int?
    /// The number of requests on a connection after which GOAWAY is sent; `nil` for no limit.
    package var goAwayAfter: Int?
    /// The age of a connection at which GOAWAY is sent; `nil` for no limit.
    package var goAwayEvery: TimeAmount?
    /// `true` if the scenario's `connection_lost` closes connections.
    package var losesConnections = true
    /// The number of streams that a provider may reset on one connection in half a minute; more end the connection.
    ///
    /// A provider that times out resets its stream, and during a minute without answers that is every request. So the
    /// limit is the number of requests of an ordinary connection, not the few hundred resets that a web server
    /// tolerates.
    package var mostResets = 100_000
    /// The maximum number of connections; further ones wait.
    package var mostConnections = 4096
    /// The time without requests after which a connection is closed [s].
    package var idleSeconds: Int64 = 3600
    /// The timeout for a request to arrive, a handshake to finish, or a slow reader to continue [s].
    package var patienceSeconds: Int64 = 15
    /// The log of requests.
    package var log = RequestLog.Configuration()
    /// The gateway for Netmera's REST calls; `nil` for none.
    package var netmera: NetmeraConfiguration?
    /// The secret that a phone link must present as bearer token; `nil` for none.
    package var phoneSecret: String?

    /// Creates the default settings.
    package init(identity: ServerIdentity) {
        self.identity = identity
    }
}

/// The settings of the gateway for Netmera's REST calls.
package struct NetmeraConfiguration: Hashable, Sendable {
    /// The port, without TLS; 0 for any free port.
    package var port: Int
    /// The required value of `X-netmera-api-key`; `nil` for any or none.
    package var key: String?
    /// The topic of its pushes.
    package var topic = "com.example.rides.push-type.liveactivity"
    /// The maximum size of a body [bytes].
    package var largestBody = 65_536
    /// The maximum number of connections; further ones wait.
    package var mostConnections = 1024

    /// Creates the default settings of a gateway.
    package init(port: Int, key: String? = nil) {
        self.port = port
        self.key = key
    }
}
