import LoadGenerator
import NIOCore
import Quantities
import Wire

/// A Freshness Monitor under a load.
final class MonitorTarget: HTTPTarget {
    private let operations: MonitorOperations
    private let monitor: MonitorClient
    private let prefix: String
    private var begin = NIODeadline.distantFuture
    private var unixMicrosecondsAtBegin: Int64 = 0

    let kinds = MonitorOperations.kinds.map(\.rawValue)
    var client: HTTPClient { monitor.client }

    /// The TTL of content.
    private static let timeToLive = TimeSpan.minutes(2)

    /// - Parameter prefix: The beginning of the instances' names, before their numbers.
    init(_ operations: MonitorOperations, over monitor: MonitorClient, prefix: String) {
        (self.operations, self.monitor, self.prefix) = (operations, monitor, prefix)
    }

    func begin(_ lane: LoadLane<MonitorTarget>, at begin: NIODeadline, unixMicroseconds: Int64) {
        (self.begin, unixMicrosecondsAtBegin) = (begin, unixMicroseconds)
    }

    func kind(of arrival: Int) -> Int? {
        MonitorOperations.kinds.firstIndex(of: operations.operation(arrival).kind)
    }

    func submit(_ request: LoadRequest, for lane: LoadLane<MonitorTarget>) {
        let operation = operations.operation(request.arrival)
        let generatedAt = Instant(microseconds: unixMicrosecondsAtBegin + (request.due - begin).nanoseconds / 1000)
        let body: String? =
            switch operation.kind {
            case .publish: operation.token.map { TokenPublication(token: $0).json }
            case .announce:
                ContentAnnouncement(
                    state: RideContent.state(generatedAt: generatedAt.microseconds),
                    generatedAt: generatedAt,
                    staleDate: generatedAt + Self.timeToLive
                )
                .json
            default: nil
            }
        monitor.send(request, operation.kind, about: "\(prefix)\(operation.instance)", body: body, for: lane)
    }
}
