import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Quantities
import Wire

@testable import MonitorServer

/// The APNs of a scenario in virtual time, for the pushes of a monitor: `InProcessAPNs`, and the messages on their way
/// from it.
///
/// The outcome of a push is decided when APNs receives it, the default of scenarios.
struct VirtualAPNs {
    /// The events of a push.
    enum Happening {
        case arrives(PhonePush, of: UInt64)
        case answered(OutgoingPush, PushAnswer)
        /// A connection exists, or none; in that case answers to all requests in flight follow.
        case connected(Bool)

        /// Returns `true` if it is the answer to a request.
        func answers(_ number: UInt64) -> Bool {
            if case .answered(_, let answer) = self { answer.number == number } else { false }
        }
    }

    private var apns: InProcessAPNs
    /// The start of the run on the monitor's clock.
    private let epoch: TimeSpan
    /// The timeout of a request at the connections.
    private let timeout: TimeSpan
    /// The outcome of requests in flight on a lost connection: unknown, or not processed by APNs.
    private let lost: PushOutcome
    private var pushes: [OutgoingRequest.ID: (push: OutgoingPush, request: OutgoingRequest)] = [:]
    /// The future events in order of time; ties in the order of creation.
    private var coming: [(at: Instant, happening: Happening)] = []

    /// - Parameter namesUnprocessed: `true` if a GOAWAY before the loss of a connection names requests in flight as
    ///   unprocessed.
    init(_ world: World, epoch: TimeSpan = .zero, namesUnprocessed: Bool = false) {
        apns = InProcessAPNs(APNsRules(world: world))
        timeout = world.scenario.sender.timeout
        lost = namesUnprocessed ? .notProcessed : .unanswered
        self.epoch = epoch
        for fault in world.scenario.faults where fault.kind == .connectionLost {
            let lostAt = Instant.start + fault.at
            expect(.connected(false), at: lostAt)
            expect(.connected(true), at: lostAt + world.scenario.sender.reconnectAfter)
        }
    }

    mutating func died(ride: UInt64, number: UInt32, since: Instant, at now: Instant) {
        apns.hear(.tokenDied(ride: ride, number: number, since: since), at: now) { _ in }
    }

    /// Handles an incoming request.
    mutating func received(_ push: OutgoingPush, at now: Instant) {
        guard let token = push.token.token else { preconditionFailure("this APNs has no channels") }
        let request = OutgoingRequest(
            id: OutgoingRequest.ID(
                ride: token.ride,
                drawIndex: push.requestID.drawIndex,
                place: UInt32(truncatingIfNeeded: push.number)
            ),
            tokenNumber: token.number,
            kind: push.kind,
            priority: push.decision.priority,
            bytes: 0,
            alerts: ActivityPayload(push.payload)?.alert != nil,
            content: ContentStamp(
                generatedAt: sinceEpoch(push.decision.content.generatedAt),
                staleDate: sinceEpoch(push.decision.content.staleDate)
            ),
            // To the microsecond, as in the simulator's payloads.
            timestamp: (push.kind == .end ? now : sinceEpoch(push.decision.content.generatedAt)).microseconds,
            sentAt: now
        )
        pushes[request.id] = (push, request)
        var items: [LiveInbox.Item] = []
        apns.hear(.request(request), at: now) { items.append($0) }
        for item in items { expect(item) }
        // Connections abandon requests that are not answered in time.
        let answer = coming.firstIndex { $0.happening.answers(push.number) }
        if let answer, coming[answer].at <= now + timeout { return }
        if let answer { coming.remove(at: answer) }
        expect(.answered(push, PushAnswer(number: push.number, outcome: .unanswered)), at: now + timeout)
    }

    /// The time of the next event; `never` if there is none.
    var nextDue: Instant { coming.first?.at ?? .never }

    /// Removes and returns the event at ``nextDue``.
    mutating func takeNext() -> Happening? {
        guard !coming.isEmpty else { return nil }
        let next = coming.removeFirst()
        if case .connected(false) = next.happening { loseRequests(at: next.at) }
        return next.happening
    }

    /// Loses the requests in flight with their connection; they do not arrive, as in the simulator.
    private mutating func loseRequests(at now: Instant) {
        let underWay = coming.compactMap { if case .answered(let push, _) = $0.happening { push } else { nil } }
            .sorted { $0.number < $1.number }
        let numbers = Set(underWay.map(\.number))
        coming.removeAll { item in
            switch item.happening {
            case .arrives(_, let number): numbers.contains(number)
            case .answered: true
            case .connected: false
            }
        }
        for push in underWay { expect(.answered(push, PushAnswer(number: push.number, outcome: lost)), at: now) }
    }

    /// Drops the answers, because the process that waited for them has ended.
    mutating func forgetAnswers() {
        coming.removeAll { if case .answered = $0.happening { true } else { false } }
    }

    private func sinceEpoch(_ instant: Instant) -> Instant {
        instant == .never ? .never : Instant(microseconds: instant.microseconds - epoch.microseconds)
    }

    private mutating func expect(_ item: LiveInbox.Item) {
        let happening: Happening
        switch item.news {
        case .arrived(let id):
            guard let (outgoing, request) = pushes[id] else { return }
            let push = PhonePush(
                ride: id.ride,
                tokenNumber: request.tokenNumber,
                event: request.kind == .end ? .end : .update,
                priority: request.priority,
                content: request.content,
                timestamp: request.timestamp,
                alerts: request.alerts
            )
            happening = .arrives(push, of: outgoing.number)
        case .answered(let id, let response):
            guard let push = pushes[id]?.push else { return }
            let outcome: PushOutcome =
                switch response {
                case .accepted: .accepted
                case .refused(let reason): .refused(reason, deadSince: nil)
                case .connectionLost: .unanswered
                }
            happening = .answered(push, PushAnswer(number: push.number, outcome: outcome))
        case .lost, .refused, .void, .pushed, .sentOn, .copyArrived, .copyLost: return
        }
        expect(happening, at: item.at)
    }

    private mutating func expect(_ happening: Happening, at instant: Instant) {
        let place = coming.firstIndex { $0.at > instant } ?? coming.endIndex
        coming.insert((instant, happening), at: place)
    }
}

extension PushOutcome {
    /// The answer in the words of ``ServiceHistory``.
    var word: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .notProcessed, .unanswered: "unanswered"
        }
    }
}
