import FreshnessCore
import Quantities
import TestSupport
import Testing

/// Any sequence of events: the mock never has to reject an action of the core.
@Suite struct MockRideTests {
    private static let content = ContentStamp.seconds(generated: 0, stale: 20)

    private static func policy(_ stream: inout TestStream) throws -> FreshnessPolicy {
        func ascending(_ count: Int, below limit: Int) -> [TimeSpan] {
            (0..<count).map { _ in .seconds(Int64(stream.next(below: limit))) }.sorted()
        }
        return try FreshnessPolicy(
            freshLimit: .seconds(Int64(stream.next(below: 5))),
            recoveryWindow: .seconds(Int64(stream.next(below: 40))),
            retry: RetryPolicy(
                schedule: ascending(stream.next(below: 5), below: 40),
                jitter: Jitter.allCases[stream.next(below: Jitter.allCases.count)],
                priorities: [.considerate, .immediate],
                obeysFifteenMinutes: stream.next(below: 4) == 0
            ),
            endSchedule: ascending(1 + stream.next(below: 3), below: 20)
        )
    }

    /// Passes an event to the machine and to the mock.
    private static func happen(
        _ stream: inout TestStream,
        to instance: inout InstanceFreshness,
        in ride: inout MockRide,
        at now: Instant
    ) {
        switch stream.next(below: 16) {
        case 0...3:
            let age = TimeSpan.seconds(Int64(stream.next(below: 40)))
            let generatedAt = now + age * -1
            let goodFor = TimeSpan.seconds(Int64(5 + stream.next(below: 30)))
            let content = ContentStamp(generatedAt: generatedAt, staleDate: generatedAt + goodFor)
            _ = instance.contentConfirmed(content, at: now, policy: ride.policy)
            ride.contentConfirmed(content, at: now)
        case 4:
            let reason = APNsReason.allCases[stream.next(below: APNsReason.allCases.count)]
            _ = instance.pushRefused(reason: reason, at: now, policy: ride.policy)
            ride.pushRefused(reason: reason)
        case 5 where stream.next(below: 3) == 0:
            _ = instance.tokenDied()
            ride.tokenDied()
        case 6:
            _ = instance.tokenPublished(at: now)
            ride.tokenPublished(at: now)
        case 7 where stream.next(below: 6) == 0:
            if instance.endConfirmed() == .invalidateToken { ride.endConfirmed() }
        case 8 where stream.next(below: 6) == 0:
            _ = instance.rideOver(at: now)
            ride.rideOver(at: now)
        default:
            break
        }
    }

    @Test(.enabled(if: Loop.isFull), arguments: 0..<10 as Range<UInt64>)
    func theCoreAsksForNothingIllegal(block: UInt64) throws {
        var actionCount = 0
        for seed in block * 500..<(block + 1) * 500 {
            var stream = TestStream(seed: seed)
            let policy = try MockRideTests.policy(&stream)
            var budget: RetryBudget? = try RetryBudget(capacityThousandths: 3000, thousandthsPerSecond: 20)
            var instance = InstanceFreshness(content: MockRideTests.content, at: .start, policy: policy)
            var ride = MockRide(content: MockRideTests.content, policy: policy)
            var now = Instant.start
            for step in 0..<150 {
                now = now + .seconds(Int64(stream.next(below: 4)))
                MockRideTests.happen(&stream, to: &instance, in: &ride, at: now)
                // Not at every step, like a slow scan.
                guard stream.next(below: 2) == 0 else { continue }
                while instance.nextDue(policy: policy) <= now {
                    let action = instance.wake(at: now, policy: policy, budget: &budget, draw: stream.next())
                    let refusal = ride.perform(action, at: now)
                    try #require(refusal == nil, "seed \(seed), step \(step): \(action)")
                    try #require(action != .nothing, "seed \(seed), step \(step): due, but nothing to do")
                    actionCount += 1
                }
                let idle = instance.wake(at: now, policy: policy, budget: &budget, draw: stream.next())
                try #require(idle == .nothing, "seed \(seed), step \(step): \(idle) before it is due")
            }
        }
        #expect(actionCount > 1000)
    }

    // MARK: - Rejections by the mock

    /// A ride at 30 s whose content lapsed at 20 s and, after the given events, an invalid action.
    @Test(
        arguments: [
            ([], .retry(attempt: 0, priority: .considerate), .noEpisode),
            ([], .withholdRetry(attempt: 0), .noEpisode),
            ([], .becameSevere, .noEpisode),
            ([], .sendEnd(attempt: 0), .instanceIsNotEnding),
            ([.stale], .becameRecoverable, .episodeIsUnderWay),
            ([.stale], .retry(attempt: 1, priority: .immediate), .attemptOutOfTurn),
            ([.stale], .retry(attempt: 0, priority: .immediate), .wrongPriority),
            ([.stale], .becameSevere, .windowIsOpen),
            ([.stale, .hopeless], .retry(attempt: 0, priority: .considerate), .attemptsAreHopeless),
            ([.stale, .attempt0], .retry(attempt: 0, priority: .considerate), .attemptOutOfTurn),
            ([.stale, .attempt0, .attempt1], .retry(attempt: 2, priority: .immediate), .moreAttemptsThanPlanned),
            ([.stale, .later], .retry(attempt: 0, priority: .considerate), .windowIsOver),
            ([.fresh], .becameRecoverable, .contentHasNotLapsed),
            ([.stale, .fresh], .retry(attempt: 0, priority: .considerate), .noEpisode),
            ([.stale, .later, .severe], .retry(attempt: 0, priority: .considerate), .instanceIsEnding),
            ([.stale, .later, .severe], .becameRecoverable, .instanceIsEnding),
            ([.stale, .later, .severe], .becameSevere, .instanceIsEnding),
            ([.rideOver], .becameRecoverable, .instanceIsEnding),
            ([.rideOver], .sendEnd(attempt: 1), .endOutOfTurn),
            ([.rideOver, .end0], .sendEnd(attempt: 1), .endTooEarly),
            ([.rideOver, .end0, .later, .end1], .sendEnd(attempt: 2), .moreEndsThanScheduled),
            ([.dead], .becameRecoverable, .instanceIsClosed),
            ([.rideOver, .endWorked], .sendEnd(attempt: 0), .instanceIsClosed),
        ] as [([Event], InstanceFreshness.Action, MockRide.Refusal)]
    )
    func theWorldRefuses(events: [Event], action: InstanceFreshness.Action, refusal: MockRide.Refusal) throws {
        let policy = try FreshnessPolicy(
            freshLimit: .zero,
            recoveryWindow: .seconds(40),
            retry: RetryPolicy(schedule: [.zero, .zero], priorities: [.considerate, .immediate]),
            endSchedule: [.zero, .seconds(10)]
        )
        var ride = MockRide(content: MockRideTests.content, policy: policy)
        var now = at(30)
        for event in events {
            #expect(event.happen(to: &ride, at: &now) == nil)
        }
        #expect(ride.perform(action, at: now) == refusal)
    }

    enum Event {
        case stale
        case attempt0
        case attempt1
        case hopeless
        case later
        case fresh
        case severe
        case rideOver
        case end0
        case end1
        case dead
        case endWorked

        func happen(to ride: inout MockRide, at now: inout Instant) -> MockRide.Refusal? {
            switch self {
            case .stale: return ride.perform(.becameRecoverable, at: now)
            case .attempt0: return ride.perform(.retry(attempt: 0, priority: .considerate), at: now)
            case .attempt1: return ride.perform(.withholdRetry(attempt: 1), at: now)
            case .severe: return ride.perform(.becameSevere, at: now)
            case .end0: return ride.perform(.sendEnd(attempt: 0), at: now)
            case .end1: return ride.perform(.sendEnd(attempt: 1), at: now)
            case .hopeless: ride.pushRefused(reason: .payloadTooLarge)
            case .later: now = now + .seconds(100)
            case .fresh: ride.contentConfirmed(.seconds(generated: 25, stale: 45), at: now)
            case .rideOver: ride.rideOver(at: now)
            case .dead: ride.tokenDied()
            case .endWorked: ride.endConfirmed()
            }
            return nil
        }
    }
}
