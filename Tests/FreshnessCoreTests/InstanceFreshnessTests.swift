import FreshnessCore
import Quantities
import Testing

@Suite struct InstanceFreshnessTests {
    private let policy: FreshnessPolicy

    init() throws {
        policy = try .ofTables()
    }

    static let views: [(Situation, View)] = [
        (.fresh, .fresh(until: at(90))),
        (.lapsed, View(classification: .recoverable, freshUntil: at(90), nextDue: at(90))),
        (.recoverable, .recoverable(since: at(90), nextDue: at(90))),
        (.retried, .recoverable(since: at(90), nextDue: at(100))),
        (.exhausted, .recoverable(since: at(90), nextDue: at(150))),
        (.severe, .ending(.severe, nextDue: at(150))),
        (.severeEndsSent, .ending(.severe, nextDue: .never)),
        (.rideOver, .ending(nil, nextDue: at(10))),
        (.tokenInvalidated, .closed(isTokenInvalidated: true)),
        (.tokenDead, .closed(isTokenInvalidated: false)),
        (.tokenDeadWhileSevere, .closed(isTokenInvalidated: false)),
        (.tokenDeadWhileRideOver, .closed(isTokenInvalidated: false)),
    ]

    @Test(arguments: views)
    func whatIsSeen(situation: Situation, view: View) {
        #expect(situation.instance(policy: policy).view(at: situation.now, policy: policy) == view)
    }

    @Test func theTableHasEverySituation() {
        #expect(InstanceFreshnessTests.views.map(\.0) == Situation.allCases)
    }

    /// Situations in which the next action does not depend on the path to them.
    @Test(
        arguments: [
            (.fresh, at(90), .becameRecoverable),
            (.lapsed, at(90), .becameRecoverable),
            (.recoverable, at(90), .retry(attempt: 0, priority: .considerate)),
            (.retried, at(100), .retry(attempt: 1, priority: .immediate)),
            (.exhausted, at(150), .becameSevere),
            (.severe, at(150), .sendEnd(attempt: 0)),
            (.rideOver, at(10), .sendEnd(attempt: 0)),
            (.severeEndsSent, nil, .nothing),
            (.tokenInvalidated, nil, .nothing),
            (.tokenDead, nil, .nothing),
            (.tokenDeadWhileSevere, nil, .nothing),
            (.tokenDeadWhileRideOver, nil, .nothing),
        ] as [(Situation, Instant?, InstanceFreshness.Action)]
    )
    func wakingDoesTheFirstThingThatIsDue(
        situation: Situation,
        due: Instant?,
        action: InstanceFreshness.Action
    ) {
        var instance = situation.instance(policy: policy)
        let before = instance
        if let due {
            #expect(instance.wake(at: due + TimeSpan(microseconds: -1), policy: policy) == .nothing)
            #expect(instance == before)
            #expect(instance.wake(at: due, policy: policy) == action)
            #expect(instance != before)
        } else {
            #expect(instance.wake(at: at(1_000_000), policy: policy) == .nothing)
            #expect(instance == before)
        }
    }

    /// A life without confirmations, with each action at its instant to the microsecond.
    @Test func theWholeWayToTheLastEnd() {
        var instance = Situation.fresh.instance(policy: policy)
        var log: [(Instant, InstanceFreshness.Action)] = []
        while instance.nextDue(policy: policy) != .never {
            let due = instance.nextDue(policy: policy)
            log.append((due, instance.wake(at: due, policy: policy)))
        }
        #expect(log.map(\.0) == [90, 90, 100, 120, 150, 150, 155, 165].map(at))
        #expect(
            log.map(\.1) == [
                .becameRecoverable,
                .retry(attempt: 0, priority: .considerate),
                .retry(attempt: 1, priority: .immediate),
                .retry(attempt: 2, priority: .immediate),
                .becameSevere,
                .sendEnd(attempt: 0),
                .sendEnd(attempt: 1),
                .sendEnd(attempt: 2),
            ]
        )
    }

    // MARK: - Boundaries

    @Test func theLapseItselfIsStale() {
        let instance = Situation.fresh.instance(policy: policy)
        #expect(instance.classification(at: Instant(microseconds: 89_999_999)) == .fresh)
        #expect(instance.classification(at: Instant(microseconds: 90_000_000)) == .recoverable)
    }

    @Test func theEndOfTheWindowIsSevere() {
        var instance = Situation.exhausted.instance(policy: policy)
        #expect(instance.wake(at: Instant(microseconds: 149_999_999), policy: policy) == .nothing)
        #expect(instance.classification(at: Instant(microseconds: 149_999_999)) == .recoverable)
        #expect(instance.wake(at: Instant(microseconds: 150_000_000), policy: policy) == .becameSevere)
        #expect(instance.classification(at: Instant(microseconds: 150_000_000)) == .severe)
    }

    @Test func contentWithoutAStaleDateNeverLapses() {
        let content = ContentStamp(generatedAt: .start, staleDate: .never)
        var instance = InstanceFreshness(content: content, at: .start, policy: policy)
        #expect(instance.nextDue(policy: policy) == .never)
        #expect(instance.classification(at: Instant(microseconds: .max - 1)) == .fresh)
        #expect(instance.wake(at: Instant(microseconds: .max - 1), policy: policy) == .nothing)
    }

    /// Content may be old when the monitor begins to watch; an episode begins no earlier than that.
    @Test(arguments: [(0, 90), (89, 90), (90, 90), (91, 91), (500, 500)] as [(Int64, Int64)])
    func noEpisodeBeginsBeforeTheMonitorWatches(began: Int64, stale: Int64) {
        let content = ContentStamp.seconds(generated: 0, stale: 60)
        var instance = InstanceFreshness(content: content, at: at(began), policy: policy)
        #expect(instance.nextDue(policy: policy) == at(stale))
        #expect(instance.wake(at: at(stale), policy: policy) == .becameRecoverable)
        #expect(instance.staleSince == at(stale))
    }

    /// An attempt planned `offset` after the lapse, and the actions at a scan `look` after the lapse [µs].
    @Test(
        arguments: [
            // At the end of the window both are due, and the attempt goes first.
            (60_000_000, 60_000_000, [.retry(attempt: 0, priority: .immediate), .becameSevere]),
            (59_999_999, 60_000_000, [.retry(attempt: 0, priority: .immediate), .becameSevere]),
            (59_999_999, 59_999_999, [.retry(attempt: 0, priority: .immediate)]),
            // One microsecond late, attempts are skipped, however long they have been due.
            (60_000_000, 60_000_001, [.becameSevere]),
            (0, 60_000_001, [.becameSevere]),
            // An attempt beyond the window is never made.
            (60_000_001, 60_000_000, [.becameSevere]),
            (60_000_001, 60_000_001, [.becameSevere]),
        ] as [(Int64, Int64, [InstanceFreshness.Action])]
    )
    func attemptsAtTheEndOfTheWindow(
        offset: Int64,
        look: Int64,
        expected: [InstanceFreshness.Action]
    ) throws {
        let policy = try FreshnessPolicy(
            freshLimit: .seconds(30),
            recoveryWindow: .seconds(60),
            retry: RetryPolicy(schedule: [TimeSpan(microseconds: offset)]),
            endSchedule: [.seconds(1)]
        )
        var instance = Situation.fresh.instance(policy: policy)
        let now = at(90) + TimeSpan(microseconds: look)
        var actions: [InstanceFreshness.Action] = []
        while instance.nextDue(policy: policy) <= now {
            actions.append(instance.wake(at: now, policy: policy))
        }
        #expect(actions == [.becameRecoverable] + expected)
    }

    @Test func aWindowOfNoLengthLeavesRoomForTheAttemptAtItsOnlyInstant() throws {
        let policy = try FreshnessPolicy(
            freshLimit: .zero,
            recoveryWindow: .zero,
            retry: RetryPolicy(schedule: [.zero, .zero]),
            endSchedule: [.zero]
        )
        var instance = Situation.fresh.instance(policy: policy)
        #expect(
            (0..<6).map { _ in instance.wake(at: at(60), policy: policy) } == [
                .becameRecoverable, .retry(attempt: 0, priority: .immediate), .retry(attempt: 1, priority: .immediate),
                .becameSevere, .sendEnd(attempt: 0), .nothing,
            ]
        )
    }

    /// Ends count from the decision, which is late at a late scan; the episode still counts from the lapse.
    @Test func aLateScanDelaysTheEndsButNotTheEpisode() {
        var instance = Situation.fresh.instance(policy: policy)
        #expect(instance.wake(at: at(97), policy: policy) == .becameRecoverable)
        #expect(instance.staleSince == at(90))
        #expect(instance.wake(at: at(107), policy: policy) == .retry(attempt: 0, priority: .considerate))
        #expect(instance.wake(at: at(107), policy: policy) == .retry(attempt: 1, priority: .immediate))
        #expect(instance.nextDue(policy: policy) == at(120))
        #expect(instance.wake(at: at(157), policy: policy) == .becameSevere)
        #expect(instance.wake(at: at(157), policy: policy) == .sendEnd(attempt: 0))
        #expect(instance.nextDue(policy: policy) == at(162))
    }
}
