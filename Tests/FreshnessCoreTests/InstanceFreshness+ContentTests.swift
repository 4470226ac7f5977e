import FreshnessCore
import Quantities
import Testing

/// The effect of confirmed content in every situation.
@Suite struct InstanceFreshnessContentTests {
    private let policy: FreshnessPolicy

    init() throws {
        policy = try .ofTables()
    }

    @Test(
        arguments: [
            (.fresh, .stillFresh),
            (.lapsed, .recovered(staleSince: at(90))),
            (.recoverable, .recovered(staleSince: at(90))),
            (.retried, .recovered(staleSince: at(90))),
            (.exhausted, .recovered(staleSince: at(90))),
            (.severe, .late),
            (.severeEndsSent, .late),
            (.rideOver, .late),
            (.tokenInvalidated, .closed),
            (.tokenDead, .closed),
            (.tokenDeadWhileSevere, .closed),
            (.tokenDeadWhileRideOver, .closed),
        ] as [(Situation, InstanceFreshness.Confirmation)]
    )
    func newerContentThatIsGood(situation: Situation, expected: InstanceFreshness.Confirmation) {
        var instance = situation.instance(policy: policy)
        let before = instance
        let content = ContentStamp.seconds(generated: 5, stale: 200)
        #expect(instance.contentConfirmed(content, at: situation.now, policy: policy) == expected)
        switch expected {
        case .stillFresh, .recovered:
            #expect(instance.view(at: situation.now, policy: policy) == .fresh(until: at(230)))
        default:
            #expect(instance == before)
        }
    }

    /// The episode and its schedule continue unchanged, but the content is now the newest.
    @Test(arguments: [.lapsed] + Situation.inEpisode)
    func newerContentThatHasLapsedItself(situation: Situation) {
        var instance = situation.instance(policy: policy)
        let before = instance.view(at: situation.now, policy: policy)
        let content = ContentStamp.seconds(generated: 5, stale: 60)
        #expect(instance.contentConfirmed(content, at: situation.now, policy: policy) == .alreadyStale)
        #expect(instance.view(at: situation.now, policy: policy) == before)
        let older = ContentStamp.seconds(generated: 4, stale: 500)
        #expect(instance.contentConfirmed(older, at: situation.now, policy: policy) == .older)
        #expect(instance.view(at: situation.now, policy: policy) == before)
    }

    /// Content with an earlier stale date than the previous content: the newest still counts.
    @Test func newerContentMayBringTheLapseForward() {
        var instance = Situation.fresh.instance(policy: policy)
        let content = ContentStamp.seconds(generated: 5, stale: 20)
        #expect(instance.contentConfirmed(content, at: at(10), policy: policy) == .stillFresh)
        #expect(instance.view(at: at(10), policy: policy) == .fresh(until: at(50)))
    }

    /// The newest content is on the screen: if it has lapsed, the instance is stale from now on, although the previous
    /// content would have been valid for longer.
    @Test func newerContentThatHasLapsedBeginsAnEpisode() {
        var instance = Situation.fresh.instance(policy: policy)
        let content = ContentStamp(generatedAt: at(5), staleDate: at(-25))
        #expect(instance.contentConfirmed(content, at: at(10), policy: policy) == .alreadyStale)
        #expect(instance.classification(at: at(10)) == .recoverable)
        #expect(instance.wake(at: at(10), policy: policy) == .becameRecoverable)
        #expect(instance.staleSince == at(10))
    }

    @Test(arguments: [.fresh, .lapsed] + Situation.inEpisode, [0, -1] as [Int64])
    func contentThatIsNotNewer(situation: Situation, generated: Int64) {
        var instance = situation.instance(policy: policy)
        let before = instance
        let content = ContentStamp(generatedAt: Instant(microseconds: generated), staleDate: at(500))
        #expect(instance.contentConfirmed(content, at: situation.now, policy: policy) == .older)
        #expect(instance == before)
    }

    @Test func newerByOneMicrosecondIsNewer() {
        var instance = Situation.recoverable.instance(policy: policy)
        let content = ContentStamp(generatedAt: Instant(microseconds: 1), staleDate: at(500))
        #expect(instance.contentConfirmed(content, at: at(95), policy: policy) == .recovered(staleSince: at(90)))
    }

    @Test(
        arguments: [
            // Content that lapses at 100 s, confirmed at this instant [µs]
            (99_999_999, .recovered(staleSince: at(90))),
            (100_000_000, .alreadyStale),
            (100_000_001, .alreadyStale),
        ] as [(Int64, InstanceFreshness.Confirmation)]
    )
    func theLapseOfTheNewContentIsItselfStale(microseconds: Int64, expected: InstanceFreshness.Confirmation) {
        var instance = Situation.recoverable.instance(policy: policy)
        let content = ContentStamp.seconds(generated: 5, stale: 70)
        let now = Instant(microseconds: microseconds)
        #expect(instance.contentConfirmed(content, at: now, policy: policy) == expected)
    }

    @Test(
        arguments: [
            // Confirmed around the lapse of the old content at 90 s, before the monitor has noticed it [µs]
            (89_999_999, .stillFresh),
            // Confirmed exactly at the lapse: it comes before the monitor, and no stale time has passed.
            (90_000_000, .stillFresh),
            (90_000_001, .recovered(staleSince: at(90))),
        ] as [(Int64, InstanceFreshness.Confirmation)]
    )
    func anEpisodeBeginsAtTheLapseNoticedOrNot(microseconds: Int64, expected: InstanceFreshness.Confirmation) {
        var instance = Situation.fresh.instance(policy: policy)
        let content = ContentStamp.seconds(generated: 5, stale: 200)
        let now = Instant(microseconds: microseconds)
        #expect(instance.contentConfirmed(content, at: now, policy: policy) == expected)
        #expect(instance.view(at: now, policy: policy) == .fresh(until: at(230)))
    }

    /// A new episode begins with attempt 0 and at its own lapse.
    @Test func eachEpisodeHasItsOwnAttempts() {
        var instance = Situation.exhausted.instance(policy: policy)
        let content = ContentStamp.seconds(generated: 110, stale: 170)
        let confirmation = instance.contentConfirmed(content, at: at(121), policy: policy)
        #expect(confirmation == .recovered(staleSince: at(90)))
        #expect(instance.wake(at: at(200), policy: policy) == .becameRecoverable)
        #expect(instance.view(at: at(200), policy: policy) == .recoverable(since: at(200), nextDue: at(200)))
        #expect(instance.wake(at: at(200), policy: policy) == .retry(attempt: 0, priority: .considerate))
        #expect(instance.wake(at: at(210), policy: policy) == .retry(attempt: 1, priority: .immediate))
    }
}
