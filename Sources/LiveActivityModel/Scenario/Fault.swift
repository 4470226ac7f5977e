public import Quantities

extension Scenario {
    /// A temporary failure.
    public struct Fault: Hashable, Sendable {
        /// The kind of failure.
        public var kind: Kind
        /// Its beginning, from the start of the run.
        public var at: TimeSpan
        /// Its duration; ignored by `connection_lost`, which is an instant.
        public var duration: TimeSpan
        /// The share that is affected, if the kind has one.
        public var share: Probability = .always
        /// The slowdown (1...1000) or the remaining speed (0...1), depending on the kind; in steps of 0.001.
        public var factor = 1.0

        /// Creates a fault of a kind.
        public init(kind: Kind, at: TimeSpan, duration: TimeSpan = .zero) {
            self.kind = kind
            self.at = at
            self.duration = duration
        }

        /// The kinds of failures.
        public enum Kind: String, CaseIterable, Sendable {
            /// APNs never responds, so requests time out.
            ///
            /// `share`: of requests.
            case apnsSilent = "apns_silent"
            /// APNs responds with 503.
            ///
            /// `share`: of requests.
            case apnsUnavailable = "apns_unavailable"
            /// Requests and deliveries take `factor` times as long; the service by APNs' servers does not.
            case apnsSlow = "apns_slow"
            /// The servers of APNs work at `factor` times their speed (0...1); at 0 they stop.
            ///
            /// For ``Scenario/APNs/capacity``.
            case apnsCapacity = "apns_capacity"
            /// Connections are lost (GOAWAY) with their requests.
            ///
            /// `share`: of connections.
            case connectionLost = "connection_lost"
            /// The sender neither begins requests nor receives responses until the end of the pause (a garbage
            /// collection, a deployment).
            case senderPaused = "sender_paused"
            /// The monitor does nothing.
            case monitorPaused = "monitor_paused"
            /// The server generates no content.
            case contentDown = "content_down"
            /// The endpoint of content takes `factor` times as long.
            ///
            /// For ``Scenario/Content/endpoint``.
            case contentSlow = "content_slow"
            /// The server accepts no token posts: they fail.
            case tokenPostDown = "token_post_down"
            /// Phones are offline, for example in a region.
            ///
            /// `share`: of phones.
            case devicesOffline = "devices_offline"
        }
    }
}
