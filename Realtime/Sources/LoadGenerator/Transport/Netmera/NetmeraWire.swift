import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Quantities
import TextFormats
import Wire

/// Netmera's REST calls for Live Activities, as a backend and its apps make them.
///
/// Source: Netmera, "Live Activities".
struct NetmeraWire: Sendable {
    /// A call and its JSON document.
    struct Request: Hashable, Sendable {
        let call: String
        let body: String
    }

    private let client: HTTPClient
    private let root: String
    private let key: String
    private let timeout: TimeAmount
    private let operations: NetmeraOperations
    private let priority: Int
    private let content: String

    init(_ load: NetmeraLoad) {
        timeout = .microseconds(load.timeout.microseconds)
        client = HTTPClient(authority: load.authority, connections: load.connections, timeout: timeout)
        root = "\(load.endpoint)/rest/3.0/"
        key = load.key
        operations = load.operations
        priority = load.priority
        let filler = String(repeating: "x", count: max(0, load.contentBytes - 40))
        content = #"{"title":"On the way","subtitle":"\#(filler)","progress":0.5}"#
    }

    func close() async throws { try await client.shutdown() }

    // MARK: - Requests

    func request(_ operation: NetmeraOperations.Operation, notification: String) -> Request {
        let ride = operation.ride
        switch operation.kind {
        case .token:
            return updateToken(ride: ride)
        case .start:
            let target = #"{"extId":"user-\#(operation.user)"}"#
            let body = #"{"notificationKey":"\#(notification)","target":\#(target)}"#
            return Request(call: "sendNotification", body: body)
        case .update:
            let group = #""groupId":"ride-\#(ride)","action":"UPDATE""#
            let body = #"{\#(group),"contentState":\#(content),"priority":\#(priority)}"#
            return Request(call: "update-live-activity", body: body)
        case .end:
            let group = #""groupId":"ride-\#(ride)","action":"END""#
            return Request(call: "update-live-activity", body: #"{\#(group),"priority":\#(priority)}"#)
        }
    }

    func starterToken(user: Int) -> Request {
        let token = operations.starterToken(user: user).hexadecimal
        let body = #"{"name":"LiveActivityStartToken","extId":"user-\#(user)","token":"\#(token)"}"#
        return Request(call: "events", body: body)
    }

    func updateToken(ride: Int) -> Request {
        let token = operations.updateToken(ride: ride).hexadecimal
        let whose = #""extId":"user-\#(ride % operations.groups)","groupId":"ride-\#(ride)""#
        return Request(call: "events", body: #"{"name":"LiveActivityUpdateToken",\#(whose),"token":"\#(token)"}"#)
    }

    private var activity: String {
        #""platforms":["IOS"],"contentState":\#(content),"liveActAttr":{"category":"ride"},"#
            + #""liveActAttrType":"RideAttributes""#
    }

    var definition: Request {
        let body = #"{"title":"Your ride","message":"A driver is on the way",\#(activity)}"#
        return Request(call: "createNotificationDefinition", body: body)
    }

    var startOfAll: Request {
        let message = #"{"title":"Your ride","text":"A driver is on the way",\#(activity)}"#
        let body = #"{"message":\#(message),"type":"LIVE_ACTIVITY","target":{"sendToAll":true}}"#
        return Request(call: "sendBulkNotification", body: body)
    }

    // MARK: - Sending

    /// What becomes of a request under load.
    func outcome(of request: Request) async -> APNsOutcome {
        do {
            return .answered(APNsAnswer(status: try await send(request).status))
        } catch let error as HTTPClientError where NetmeraWire.timeouts.contains(error) {
            return .timedOut
        } catch {
            return .connectionLost
        }
    }

    private static var timeouts: [HTTPClientError] {
        [.deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .getConnectionFromPoolTimeout]
    }

    /// Sends a request that has to be taken; returns the notification's key, where the answer has one.
    func demand(_ request: Request) async throws -> String? {
        let answer: (status: Int, body: ByteBuffer)
        do {
            answer = try await send(request)
        } catch {
            try Task.checkCancellation()
            throw NetmeraLoadError.refused(call: request.call, status: nil)
        }
        guard answer.status == 200 else {
            throw NetmeraLoadError.refused(call: request.call, status: answer.status)
        }
        return (try? JSONMembers(Array(buffer: answer.body)))?["notificationKey"]?.text
    }

    private func send(_ request: Request) async throws -> (status: Int, body: ByteBuffer) {
        var message = HTTPClientRequest(url: root + request.call)
        message.method = .POST
        message.headers.add(name: "x-netmera-api-key", value: key)
        message.headers.add(name: "content-type", value: "application/json")
        message.body = .bytes(ByteBuffer(string: request.body))
        let response = try await client.execute(message, timeout: timeout)
        return (Int(response.status.code), try await response.body.collect(upTo: 1 << 20))
    }
}
