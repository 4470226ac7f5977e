import FreshnessCore
package import LiveActivityModel
package import NIOCore
import Quantities
import Wire

/// An APNs endpoint under a load, over the connections of one lane of a pool.
package final class PushTarget: LoadTarget {
    private let load: PushLoad
    private let lane: APNsLane
    private let tokens: [DeviceToken]
    private var unixSecondsAtBegin: Int64 = 0
    private var stamps: PushStamps
    /// Timestamps of pushes without a final outcome, by the number of their arrival; empty without retries.
    private var openStamps: [Int: Int64] = [:]
    private var payload = ByteBuffer()
    private var payloadStamp: Int64 = -1
    /// The pushes of a log; nil without a replay.
    private var replayed: ReplayCursor?
    /// The pushes of a log in flight, by the number of their request; empty without an event log to write.
    private var openPushes: [UInt64: (push: ReplayPush, bytes: Int)] = [:]
    /// The rows of the event log since they were last taken.
    private var rows: [ServerEvent] = []

    package let notesAll: Bool

    init(_ load: PushLoad, tokens: [DeviceToken], over lane: APNsLane) {
        self.load = load
        self.lane = lane
        self.tokens = tokens
        stamps = PushStamps(tokens: tokens.count)
        notesAll = load.outrunsSeconds
        replayed = load.schedule.replay.map { ReplayCursor($0) }
    }

    package var waiting: Int { lane.waiting }
    package var connections: APNsPoolNotes? { lane.noted }

    package func begin(_ lane: LoadLane<PushTarget>, at begin: NIODeadline, unixMicroseconds: Int64) {
        unixSecondsAtBegin = unixMicroseconds / 1_000_000
        self.lane.handler = lane
    }

    package func note(_ arrival: Int, due: Int64) { stamps.note(arrival, due: due) }

    package func submit(_ request: LoadRequest, for _: LoadLane<PushTarget>) {
        if replayed != nil { return submitPushOfLog(request) }
        let stamp = stamp(of: request)
        if stamp != payloadStamp {
            payloadStamp = stamp
            payload = load.payload.payload(unixSeconds: stamp)
        }
        lane.submit(
            APNsRequest(
                number: request.number,
                id: Self.requestID(of: request, tokens: tokens),
                target: .device(tokens[request.arrival % tokens.count]),
                topic: load.topic,
                priority: load.priority,
                payload: payload,
                due: request.due
            ),
            now: request.now
        )
    }

    /// Sends a push of the log, to the one token of its ride.
    private func submitPushOfLog(_ request: LoadRequest) {
        // A retry is sent among later pushes, so it is read on its own.
        let push = request.attempt == 0 ? replayed?.push(request.arrival) : replayed?.replay.push(request.arrival)
        // The lane has read it, so it is missing only if the file has become unreadable; `failure` then states the reason.
        guard let push else {
            return lane.refuse(request.number, due: request.due, now: request.now)
        }
        let payload = load.payload.payload(of: push, unixSeconds: unixSecondsAtBegin + Int64(push.stamp))
        if load.isLogged { openPushes[request.number] = (push, payload.readableBytes) }
        lane.submit(
            APNsRequest(
                number: request.number,
                id: Self.requestID(of: request, ride: push.ride, round: request.arrival),
                target: .device(DeviceToken(ride: push.ride, number: 0)),
                topic: load.topic,
                priority: Int(push.priority),
                payload: payload,
                due: request.due
            ),
            now: request.now
        )
    }

    package func dispatch() { lane.dispatch() }

    package func isWorthRetrying(_ outcome: APNsOutcome) -> Bool {
        switch outcome {
        case .answered(let answer):
            guard !answer.isAccepted else { return false }
            return APNsReason(status: answer.status, reason: answer.reason).verdict == .retryLater
        case .timedOut, .notSent, .connectionLost, .notProcessed:
            return true
        }
    }

    package func concluded(_ arrival: Int) { if load.schedule.retries != nil { openStamps[arrival] = nil } }

    package func end() { lane.handler = UnheardCompletions() }

    /// The timestamp of a push [UNIX s], which its retries keep.
    private func stamp(of request: LoadRequest) -> Int64 {
        if request.attempt > 0, let stamp = openStamps[request.arrival] { return stamp }
        let stamp = unixSecondsAtBegin + stamps.stamp(request.arrival)
        if load.schedule.retries != nil { openStamps[request.arrival] = stamp }
        return stamp
    }

    /// The id of a request.
    ///
    /// A retry has its own id, and with it its own draws.
    static func requestID(of request: LoadRequest, tokens: [DeviceToken]) -> RequestID {
        let arrival = request.arrival
        return requestID(of: request, ride: UInt64(arrival % tokens.count), round: arrival / tokens.count)
    }

    /// The id of a request for a ride.
    ///
    /// - Parameter round: A number that no other push of the ride has.
    private static func requestID(of request: LoadRequest, ride: UInt64, round: Int) -> RequestID {
        let attempt = UInt32(request.attempt)
        let index = PushIndex.request(UInt32(truncatingIfNeeded: round), attempt: attempt)
        return RequestID(ride: ride, drawIndex: index, suffix: attempt)
    }

    /// Adds the rows of a request that was sent: the push, and its answer or the end of the wait for it.
    package func log(_ completion: APNsCompletion, since begin: NIODeadline) {
        guard load.isLogged else { return }
        let known = replayed == nil ? nil : openPushes.removeValue(forKey: completion.number)
        guard let sent = completion.sent else { return }
        let request = LoadRequest(number: completion.number, due: completion.due, now: completion.done)
        let id =
            known.map { Self.requestID(of: request, ride: $0.push.ride, round: request.arrival) }
            ?? Self.requestID(of: request, tokens: tokens)
        func instant(_ deadline: NIODeadline) -> Instant {
            Instant(microseconds: (deadline - begin).nanoseconds / 1000)
        }
        var push = ServerEvent(.push, at: instant(sent), ride: id.ride)
        push.push = id.drawIndex
        push.pushKind = known?.push.kind ?? .update
        push.priority = known?.push.priority ?? UInt8(clamping: load.priority)
        // Apart from a replay, all payloads of a load have one length.
        push.payloadBytes = UInt32(clamping: known?.bytes ?? payload.readableBytes)
        push.attempt = UInt8(request.attempt)
        var answer = ServerEvent(.answer, at: instant(completion.done), ride: id.ride)
        (answer.push, answer.pushKind, answer.order) = (push.push, push.pushKind, 1)
        if case .answered(let answered) = completion.outcome {
            answer.status = UInt16(clamping: answered.status)
            let index = answered.reason.flatMap { APNsReason(rawValue: $0) }
                .flatMap { APNsReason.allCases.firstIndex(of: $0) }
            if let index { answer.reason = UInt8(index) }
        }
        rows.append(push)
        rows.append(answer)
    }

    package func takeRows() -> [ServerEvent] {
        defer { rows = [] }
        return rows
    }
}

extension LoadLane: APNsCompletionHandler where Target == PushTarget {}

extension LoadRun where Target == PushTarget {
    /// Prepares a load over a pool, whose only user it must be.
    package init(_ load: PushLoad, over pool: APNsPool) {
        let tokens =
            load.ownTokens.isEmpty
            ? (0..<load.tokenCount).map { DeviceToken(ride: UInt64($0), number: 0) } : load.ownTokens
        self.init(load.schedule, on: pool.lanes.map(\.loop)) { PushTarget(load, tokens: tokens, over: pool.lanes[$0]) }
    }
}
