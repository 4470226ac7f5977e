package import LoadGenerator
import NIOPosix
package import Quantities
package import Shell
import Wire

/// An open-loop load on a service that accepts Netmera's REST calls for Live Activities.
///
/// Before the measured load, the tokens of users and groups are registered and a notification is defined. The calls of a
/// backend follow Netmera's article. How apps send their events is not published, so registration works with the stand-in's
/// gateway only; see ``registers``.
package struct NetmeraLoad: Load {
    /// The address of the service, in the form `http://HOST:PORT` or `https://HOST:PORT`.
    package var endpoint: String
    /// The value of `X-netmera-api-key`.
    package var key: String
    /// The due times of requests.
    package var schedule: LoadSchedule
    /// The requests.
    package var operations: NetmeraOperations
    /// `true` if tokens are registered by events; otherwise the groups `ride-0`, `ride-1`… must exist already.
    package var registers = true
    /// `true` if `sendBulkNotification` starts an activity for all users first; a real service does so for all of its users.
    package var startsAll = false
    /// `priority` of updates: 5 or 10.
    package var priority: UInt8 = 10
    /// The approximate length of a `contentState` [bytes].
    package var contentBytes = 300
    /// A file (PEM) of certificate authorities to trust instead of the system's.
    package var authority: String?
    /// The most connections.
    package var connections = 4
    /// The longest wait of a call for a connection; a call that waits longer is not sent.
    package var connectionWait = TimeSpan.seconds(5)
    /// The timeout of a request.
    package var timeout = TimeSpan.seconds(10)

    /// A load.
    package init(endpoint: String, key: String, schedule: LoadSchedule, operations: NetmeraOperations) {
        self.endpoint = endpoint
        self.key = key
        self.schedule = schedule
        self.operations = operations
    }

    /// Registers tokens if it must, sends all requests and waits for the answers; see ``LoadRun``.
    ///
    /// - Throws: ``NetmeraLoadError`` if the service cannot be reached or rejects the registrations.
    package func run(endingWith end: EarlyEnd, report: (LoadProgress) -> Void) async throws -> LoadProgress {
        let wire = try NetmeraWire(self)
        return try await working {
            let notification = try await register(over: wire)
            let run = LoadRun(schedule, on: [MultiThreadedEventLoopGroup.singleton.next()]) { _ in
                let kinds = NetmeraOperations.Kind.allCases
                return ServiceTarget(
                    wire.client,
                    headers: wire.headers,
                    kinds: kinds.map(\.rawValue),
                    kind: { kinds.firstIndex(of: operations.operation($0).kind) },
                    call: { arrival, _ in
                        let call = wire.call(operations.operation(arrival), notification: notification)
                        return ServiceTarget.Call(path: call.operation.path, body: call.body)
                    },
                    answer: { APNsAnswer(status: $0) }
                )
            }
            return try await run.run(endingWith: end, report: report)
        } finally: {
            await wire.close()
        }
    }

    /// Registers tokens and defines the notification.
    ///
    /// - Returns: The key of the notification that starts activities.
    private func register(over wire: NetmeraWire) async throws -> String {
        guard registers else { return "" }
        let users = 0..<operations.groups
        let calls = users.lazy.map(wire.starterToken) + users.lazy.map(wire.updateToken)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, call) in calls.enumerated() {
                if place >= connections { try await group.next() }
                group.addTask { _ = try await wire.demand(call) }
            }
            try await group.waitForAll()
        }
        guard let key = try await wire.demand(.define(wire.start)) else { throw NetmeraLoadError.noNotificationKey }
        if startsAll { _ = try await wire.demand(.startAll(wire.start)) }
        return key
    }
}

/// The reason why a load on a service with Netmera's calls cannot begin.
package enum NetmeraLoadError: Error, Hashable, CustomStringConvertible {
    /// A call before the load was rejected; a status of nil means that it had no answer.
    case refused(call: String, status: Int?)
    /// The definition of a notification was accepted without returning a key.
    case noNotificationKey

    /// The call, its answer and what is allowed.
    package var description: String {
        switch self {
        case .refused(let call, let status?):
            "\(call): got status \(status) before the load; allowed: 200"
        case .refused(let call, nil):
            "\(call): got no answer before the load; allowed: 200"
        case .noNotificationKey:
            "createNotificationDefinition: got no notificationKey; allowed: a text"
        }
    }
}
