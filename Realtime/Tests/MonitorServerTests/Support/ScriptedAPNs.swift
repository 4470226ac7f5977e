import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

@testable import MonitorServer

/// An APNs in virtual time whose ways are all of the same length, and which is silent for a while.
struct ScriptedAPNs {
    /// What comes of a push.
    enum Happening {
        case arrives(PhonePush)
        case answered(OutgoingPush.Kind, PushAnswer)
    }

    /// From a request to the phone.
    private let transit: TimeSpan
    /// From a request to its answer.
    private let roundTrip: TimeSpan
    /// How long APNs accepts pushes to a token that is dead.
    private let lag: TimeSpan
    private let silence: Range<Instant>
    /// When the run begins by the monitor's clock.
    private let epoch: TimeSpan
    private var tokens: [DeviceToken: (ride: UInt64, number: UInt32)] = [:]
    /// Since when tokens are dead.
    private var deaths: [DeviceToken: Instant] = [:]
    /// What is to come, in the order of time; equals in the order in which they were made.
    private var coming: [(at: Instant, happening: Happening)] = []

    /// - Precondition: The scenario has no fault but a silence of APNs.
    init(_ world: World, transit: TimeSpan, roundTrip: TimeSpan, lag: TimeSpan, epoch: TimeSpan = .zero) {
        self.transit = transit
        self.roundTrip = roundTrip
        self.lag = lag
        self.epoch = epoch
        let fault = world.scenario.faults.first
        silence = fault.map { .start + $0.at..<(.start + $0.at + $0.duration) } ?? .start..<Instant.start
    }

    mutating func published(ride: UInt64, number: UInt32) -> DeviceToken {
        let token = DeviceToken(ride: ride, number: number)
        tokens[token] = (ride, number)
        return token
    }

    /// What is told first of a token holds.
    mutating func died(ride: UInt64, number: UInt32, since: Instant) {
        let token = DeviceToken(ride: ride, number: number)
        if deaths[token] == nil { deaths[token] = since }
    }

    /// A request has come in; where APNs is silent, nothing comes of it.
    mutating func received(_ push: OutgoingPush, at now: Instant) {
        guard !silence.contains(now), let token = tokens[push.token.token] else { return }
        var outcome = PushOutcome.accepted
        if let death = deaths[push.token.token], death <= now {
            if now >= death + lag { outcome = .refused(.unregistered, deadSince: nil) }
        } else {
            let content = push.content
            let arrival = PhonePush(
                ride: token.ride,
                tokenNumber: token.number,
                isEnd: push.kind == .end,
                priority: push.priority,
                content: ContentStamp(
                    generatedAt: sinceEpoch(content.generatedAt),
                    staleDate: sinceEpoch(content.staleDate)
                ),
                timestamp: now.microseconds
            )
            expect(.arrives(arrival), at: now + transit)
        }
        expect(.answered(push.kind, PushAnswer(number: push.number, outcome: outcome)), at: now + roundTrip)
    }

    private func sinceEpoch(_ instant: Instant) -> Instant {
        instant == .never ? .never : Instant(microseconds: instant.microseconds - epoch.microseconds)
    }

    /// When the next thing happens; `never` where none is to come.
    var nextDue: Instant { coming.first?.at ?? .never }

    /// Takes what happens at ``nextDue``.
    mutating func takeNext() -> Happening? {
        coming.isEmpty ? nil : coming.removeFirst().happening
    }

    /// The process that waited for answers is gone.
    mutating func forgetAnswers() {
        coming.removeAll { if case .answered = $0.happening { true } else { false } }
    }

    private mutating func expect(_ happening: Happening, at due: Instant) {
        let place = coming.firstIndex { $0.at > due } ?? coming.endIndex
        coming.insert((due, happening), at: place)
    }
}
