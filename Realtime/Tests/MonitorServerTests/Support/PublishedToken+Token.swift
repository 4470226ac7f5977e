import Wire

@testable import MonitorServer

extension PublishedToken {
    /// The token; `nil` for a channel.
    var token: DeviceToken? { address.token }
}
