import FreshnessCore
package import NIOCore
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

    package let notesAll: Bool

    init(_ load: PushLoad, tokens: [DeviceToken], over lane: APNsLane) {
        self.load = load
        self.lane = lane
        self.tokens = tokens
        stamps = PushStamps(tokens: tokens.count)
        notesAll = load.outrunsSeconds
    }

    package var waiting: Int { lane.waiting }
    package var connections: APNsPoolNotes? { lane.noted }

    package func begin(_ lane: LoadLane<PushTarget>, at begin: NIODeadline, unixMicroseconds: Int64) {
        unixSecondsAtBegin = unixMicroseconds / 1_000_000
        self.lane.handler = lane
    }

    package func note(_ arrival: Int, due: Int64) { stamps.note(arrival, due: due) }

    package func submit(_ request: LoadRequest, for _: LoadLane<PushTarget>) {
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
        let (arrival, attempt) = (request.arrival, UInt32(request.attempt))
        return RequestID(
            ride: UInt64(arrival % tokens.count),
            drawIndex: PushIndex.request(UInt32(truncatingIfNeeded: arrival / tokens.count), attempt: attempt),
            suffix: attempt
        )
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
