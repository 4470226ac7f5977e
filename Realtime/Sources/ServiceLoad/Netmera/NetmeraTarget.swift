import LoadGenerator

/// A service with Netmera's calls under a load.
final class NetmeraTarget: HTTPTarget {
    private let operations: NetmeraOperations
    private let notification: String
    private let wire: NetmeraWire

    let kinds = NetmeraOperations.Kind.allCases.map(\.rawValue)
    var client: HTTPClient { wire.client }

    /// - Parameter notification: The key of the notification that starts activities.
    init(_ operations: NetmeraOperations, notification: String, over wire: NetmeraWire) {
        (self.operations, self.notification, self.wire) = (operations, notification, wire)
    }

    func kind(of arrival: Int) -> Int? {
        NetmeraOperations.Kind.allCases.firstIndex(of: operations.operation(arrival).kind)
    }

    func submit(_ request: LoadRequest, for lane: LoadLane<NetmeraTarget>) {
        let call = wire.call(operations.operation(request.arrival), notification: notification)
        wire.send(request, as: call, for: lane)
    }
}
