import FreshnessCore
import LiveActivityModel
import LoadGenerator
import NIOConcurrencyHelpers
import NIOCore
import Quantities
import Wire

/// A small notification service in front of the stand-in: it receives Netmera's REST calls and sends pushes of Live
/// Activities.
///
/// It responds as soon as a call is recorded and its pushes are in flight, as services with many recipients do. APNs'
/// answers to them are counted with all other requests at `/metrics`. It sends no push twice, and deletes tokens that
/// APNs reports as invalid.
final class NetmeraGateway: Sendable {
    let configuration: NetmeraConfiguration
    private let phones: PhoneExchange
    private let clock: RunClock
    /// The wall-clock time at the start of the run [UNIX µs].
    private let epoch: Int64
    private let registry = NIOLockedValueBox(NetmeraRegistry())
    private let calls = NIOLockedValueBox<[Call: Int]>([:])

    /// The key of the call counters.
    struct Call: Hashable, Comparable {
        /// The operation; empty for an unknown one.
        let operation: String
        let status: Int

        static func < (left: Call, right: Call) -> Bool {
            (left.operation, left.status) < (right.operation, right.status)
        }
    }

    /// Creates a gateway.
    ///
    /// Payloads carry the scenario's time: that of a clock which started at an epoch [UNIX µs].
    init(configuration: NetmeraConfiguration, phones: PhoneExchange, clock: RunClock, epoch: Int64) {
        self.configuration = configuration
        self.phones = phones
        self.clock = clock
        self.epoch = epoch
    }

    /// Handles a call.
    func answer(_ operation: NetmeraCall.Operation, _ body: [UInt8]) throws(NetmeraRefusal) -> NetmeraAnswer {
        let call = try NetmeraCall.read(operation, body)
        let result = registry.withLockedValue { registry in
            Result { () throws(NetmeraRefusal) in try registry.take(call) }
        }
        switch try result.get() {
        case .noted:
            return NetmeraAnswer()
        case .defined(let key):
            return NetmeraAnswer(notificationKey: key)
        case .push(let push):
            forward(push)
            return NetmeraAnswer(pushes: push.recipients.count)
        }
    }

    /// Counts a response.
    func count(_ operation: NetmeraCall.Operation?, status: Int) {
        calls.withLockedValue { $0[Call(operation: operation?.rawValue ?? "", status: status), default: 0] += 1 }
    }

    /// Returns the numbers of calls, in order.
    func tally() -> [(call: Call, count: Int)] {
        calls.withLockedValue { $0 }.sorted { $0.key < $1.key }.map { (call: $0.key, count: $0.value) }
    }

    private func forward(_ push: NetmeraPush) {
        let now = epoch + clock.instant(at: clock.now).microseconds
        var message = push.payload
        message.timestamp = Double(now / 1_000_000)
        let payload = ByteBuffer(bytes: message.bytes)
        var parts = [[NetmeraRecipient]](repeating: [], count: phones.threads)
        for recipient in push.recipients {
            let ride = TokenDigest(hexadecimal: Substring(recipient.token))?.ride ?? 0
            parts[Int(ride % UInt64(parts.count))].append(recipient)
        }
        for (thread, recipients) in parts.enumerated() where !recipients.isEmpty {
            phones.tell(thread) { shard in
                for recipient in recipients {
                    let delivery = GatewayDelivery(gateway: self, recipient: recipient)
                    shard.submit(payload, priority: push.priority, delivery)
                }
                shard.endTurn()
            }
        }
    }

    /// Handles the rejection of a push by APNs.
    func refused(_ recipient: NetmeraRecipient, _ reason: APNsResponseReason) {
        switch reason {
        case .push(.badDeviceToken), .push(.expiredToken), .push(.unregistered):
            registry.withLockedValue { $0.died(recipient) }
        default:
            break
        }
    }
}

/// A push of the gateway that is in flight to APNs.
final class GatewayDelivery: Sendable {
    fileprivate let gateway: NetmeraGateway
    let recipient: NetmeraRecipient

    init(gateway: NetmeraGateway, recipient: NetmeraRecipient) {
        self.gateway = gateway
        self.recipient = recipient
    }

    /// Handles a rejection by APNs.
    func refused(_ reason: APNsResponseReason) { gateway.refused(recipient, reason) }
}

extension LoopShard {
    /// Submits a push of the gateway: it must satisfy all rules for pushes except those of provider tokens.
    func submit(_ payload: ByteBuffer, priority: UInt8, _ delivery: GatewayDelivery) {
        tally.requests += 1
        tally.bodyBytes += payload.readableBytes
        let headers = [
            (name: "apns-topic", value: delivery.gateway.configuration.topic),
            (name: "apns-push-type", value: PushType.liveActivity.rawValue),
            (name: "apns-priority", value: String(priority)),
        ]
        var fields = RequestFields()
        for (name, value) in headers { fields.take(name: name, value: value) }
        let token = Substring(delivery.recipient.token)
        let push: AcceptedPush
        let id = ResponseID.made(newIDs.next())
        let logged = log?
            .received(
                LoggedRequest(
                    time: WallClock.microseconds,
                    head: LoggedHead([(":method", "POST"), (":path", "/3/device/\(token)")] + headers),
                    id: id,
                    bodyBytes: payload.readableBytes,
                    payload: payload
                )
            )
        switch rules.judge(fields, token: token) {
        case .refused(let reason):
            refuse(delivery, reason, logged)
            return
        case .accepted(let accepted):
            push = accepted
        }
        if let reason = PushRules.judge(bodyBytes: payload.readableBytes, largest: push.kind.type.largestPayload) {
            refuse(delivery, reason, logged)
            return
        }
        submit(
            PendingPush(
                push,
                id: id,
                token: token,
                bytes: payload.readableBytes,
                payload: outbox.wantsPayload(of: push.kind.type) ? payload : nil,
                logged: logged
            ),
            for: .gateway(delivery),
            at: clock.now
        )
    }

    private func refuse(_ delivery: GatewayDelivery, _ reason: APNsResponseReason, _ logged: RequestLog.Number?) {
        if let logged { log?.answered(logged, status: reason.status, reason: reason) }
        tally.count(reason)
        delivery.refused(reason)
    }
}
