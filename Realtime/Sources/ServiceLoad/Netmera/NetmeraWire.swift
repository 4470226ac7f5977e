import FreshnessCore
import LoadGenerator
import NIOCore
import NIOHTTP1
import Quantities
import Shell
import Wire

/// A client that makes Netmera's REST calls for Live Activities as a backend and its apps do.
struct NetmeraWire: Sendable {
    let client: HTTPClient
    private let load: NetmeraLoad
    let headers: HTTPHeaders
    private let content: [UInt8]

    init(_ load: NetmeraLoad) throws {
        client = try HTTPClient(
            load.endpoint,
            authority: load.authority,
            connections: load.connections,
            wait: .microseconds(load.connectionWait.microseconds),
            timeout: .microseconds(load.timeout.microseconds)
        )
        self.load = load
        headers = [NetmeraCall.keyField: load.key, "content-type": "application/json"]
        let filler = String(repeating: "x", count: max(0, load.contentBytes - 40))
        content = Array(#"{"title":"On the way","subtitle":"\#(filler)","progress":0.5}"#.utf8)
    }

    func close() async { await client.shutDown() }

    // MARK: - Calls

    func call(_ operation: NetmeraOperations.Operation, notification: String) -> NetmeraCall {
        let group = "ride-\(operation.ride)"
        return switch operation.kind {
        case .token: updateToken(ride: operation.ride)
        case .start: .start(definition: notification, user: "user-\(operation.user)")
        case .update: .update(group: group, contentState: content, priority: load.priority)
        case .end: .end(group: group, contentState: nil, priority: load.priority)
        }
    }

    func starterToken(user: Int) -> NetmeraCall {
        .startToken(user: "user-\(user)", token: load.operations.starterToken(user: user).hexadecimal)
    }

    func updateToken(ride: Int) -> NetmeraCall {
        .updateToken(
            user: "user-\(load.operations.user(ofRide: ride))",
            group: "ride-\(ride)",
            token: load.operations.updateToken(ride: ride).hexadecimal
        )
    }

    /// The payload that starts an activity.
    var start: ActivityPayload {
        let start = ActivityPayload.Start(
            attributesType: "RideAttributes",
            attributes: Array(#"{"category":"ride"}"#.utf8)
        )
        let alert = PushAlert(title: "Your ride", body: "A driver is on the way")
        return ActivityPayload(timestamp: 0, event: .start, alert: alert, contentState: content, start: start)
    }

    // MARK: - Sending

    /// Makes a call that must succeed and returns the notification's key if the answer has one.
    func demand(_ call: NetmeraCall) async throws -> String? {
        let answer: HTTPResponse
        do {
            answer = try await send(call)
        } catch {
            try Task.checkCancellation()
            throw NetmeraLoadError.refused(call: call.operation.rawValue, status: nil)
        }
        guard answer.status == 200 else {
            throw NetmeraLoadError.refused(call: call.operation.rawValue, status: answer.status)
        }
        return NetmeraAnswer(Array(buffer: answer.body)).notificationKey
    }

    private func send(_ call: NetmeraCall) async throws -> HTTPResponse {
        try await client.send("POST", call.operation.path, headers: headers, body: call.body)
    }
}
