import FreshnessCore
import Quantities
import Testing

/// Tokens that die and are replaced, ends that work, rides that are over: in every situation.
@Suite struct InstanceFreshnessEndingTests {
    private let policy: FreshnessPolicy

    init() throws {
        policy = try .ofTables()
    }

    @Test(arguments: Situation.allCases)
    func tokenDied(situation: Situation) {
        var instance = situation.instance(policy: policy)
        let before = instance
        let isNews = !Situation.closed.contains(situation)
        #expect(instance.tokenDied() == isNews)
        if isNews {
            #expect(instance.view(at: situation.now, policy: policy) == .closed(isTokenInvalidated: false))
        } else {
            #expect(instance == before)
        }
    }

    @Test(arguments: Situation.allCases)
    func endConfirmed(situation: Situation) {
        var instance = situation.instance(policy: policy)
        let before = instance
        let isNews = !Situation.closed.contains(situation)
        #expect(instance.endConfirmed() == (isNews ? .invalidateToken : .alreadyClosed))
        if isNews {
            #expect(instance.view(at: situation.now, policy: policy) == .closed(isTokenInvalidated: true))
        } else {
            #expect(instance == before)
        }
    }

    /// A reason that forbids sending the push again stops the schedule of ends; other reasons leave it unchanged or
    /// close the instance.
    @Test(arguments: APNsReason.allCases)
    func endRefused(reason: APNsReason) {
        var instance = Situation.severe.instance(policy: policy)
        let refusal = instance.endRefused(reason: reason, policy: policy)
        switch reason.verdict {
        case .neverRetry:
            #expect(refusal == .carryOn)
            #expect(instance.nextDue(policy: policy) == .never)
            #expect(!instance.isClosed)
        case .tokenIsDead:
            #expect(refusal == .discardToken)
            #expect(instance.isClosed)
        case .retryLater, .retryAfterRepair:
            #expect(refusal == .carryOn)
            #expect(instance == Situation.severe.instance(policy: policy))
        }
    }

    /// A report of the device is final in every state: a new token revives nothing.
    @Test(arguments: Situation.allCases)
    func endReported(situation: Situation) {
        var instance = situation.instance(policy: policy)
        let isNews = !Situation.closed.contains(situation)
        #expect(instance.endReported() == (isNews ? .invalidateToken : .alreadyClosed))
        #expect(instance.view(at: situation.now, policy: policy) == .closed(isTokenInvalidated: true))
        let cameBack = instance.tokenPublished(at: situation.now)
        #expect(!cameBack)
    }

    @Test(arguments: Situation.allCases)
    func rideOver(situation: Situation) {
        var instance = situation.instance(policy: policy)
        let before = instance.view(at: situation.now, policy: policy)
        let isNews = !Situation.closed.contains(situation) && !Situation.ending.contains(situation)
        #expect(instance.rideOver(at: situation.now) == isNews)
        let after = isNews ? View.ending(nil, nextDue: situation.now) : before
        #expect(instance.view(at: situation.now, policy: policy) == after)
    }

    /// Ends after the ride use the same schedule as the others.
    @Test func rideOverSendsEndsOnSchedule() {
        var instance = Situation.retried.instance(policy: policy)
        #expect(instance.rideOver(at: at(93)) == true)
        var instants: [Instant] = []
        while instance.nextDue(policy: policy) != .never {
            let due = instance.nextDue(policy: policy)
            #expect(instance.wake(at: due, policy: policy) == .sendEnd(attempt: instants.count))
            instants.append(due)
        }
        #expect(instants == [at(93), at(98), at(108)])
    }

    // MARK: - A new token

    /// The seconds at which a new token is published, and the state of the instance then.
    @Test(
        arguments: [
            (.tokenDead, 20, .fresh(until: at(90))),
            // By then the old content has lapsed: the instance is stale from the moment at which a push is possible.
            (.tokenDead, 90, View(classification: .recoverable, freshUntil: at(90), nextDue: at(90))),
            (.tokenDead, 200, View(classification: .recoverable, freshUntil: at(200), nextDue: at(200))),
            (.tokenDeadWhileSevere, 200, .ending(.severe, nextDue: at(200))),
            (.tokenDeadWhileRideOver, 200, .ending(nil, nextDue: at(200))),
        ] as [(Situation, Int64, View)]
    )
    func aNewTokenBringsBackWhatADeadOneClosed(situation: Situation, seconds: Int64, view: View) {
        var instance = situation.instance(policy: policy)
        #expect(instance.tokenPublished(at: at(seconds)) == true)
        #expect(instance.view(at: at(seconds), policy: policy) == view)
    }

    @Test(
        arguments: Situation.allCases.filter {
            ![.tokenDead, .tokenDeadWhileSevere, .tokenDeadWhileRideOver].contains($0)
        }
    )
    func aNewTokenChangesNothingElse(situation: Situation) {
        var instance = situation.instance(policy: policy)
        let before = instance
        #expect(instance.tokenPublished(at: situation.now) == false)
        #expect(instance == before)
    }

    @Test func anInterruptedEndingBeginsItsScheduleAnew() {
        var instance = Situation.severeEndsSent.instance(policy: policy)
        #expect(instance.tokenDied() == true)
        #expect(instance.tokenPublished(at: at(300)) == true)
        var instants: [Instant] = []
        while instance.nextDue(policy: policy) != .never {
            let due = instance.nextDue(policy: policy)
            #expect(instance.wake(at: due, policy: policy) == .sendEnd(attempt: instants.count))
            instants.append(due)
        }
        #expect(instants == [at(300), at(305), at(315)])
        #expect(instance.endConfirmed() == .invalidateToken)
    }

    /// Content that was confirmed before the token died still counts as the newest afterwards.
    @Test func theBeliefOutlivesTheToken() {
        var instance = Situation.fresh.instance(policy: policy)
        let newest = ContentStamp.seconds(generated: 9, stale: 69)
        #expect(instance.contentConfirmed(newest, at: at(10), policy: policy) == .stillFresh)
        #expect(instance.tokenDied() == true)
        #expect(instance.tokenPublished(at: at(20)) == true)
        #expect(instance.view(at: at(20), policy: policy) == .fresh(until: at(99)))
        let older = ContentStamp.seconds(generated: 8, stale: 500)
        #expect(instance.contentConfirmed(older, at: at(21), policy: policy) == .older)
    }

    /// A new token does not resume a ride that is over.
    @Test func aRideThatEndsWhileTheTokenIsDeadStaysOver() {
        var instance = Situation.tokenDead.instance(policy: policy)
        #expect(instance.rideOver(at: at(30)) == false)
        #expect(instance.tokenPublished(at: at(40)) == true)
        #expect(instance.view(at: at(40), policy: policy) == .ending(nil, nextDue: at(40)))
        #expect(instance.wake(at: at(40), policy: policy) == .sendEnd(attempt: 0))
    }

    /// The first reason to end counts.
    @Test func aRideThatEndsWhileASevereTokenIsDeadStaysSevere() {
        var instance = Situation.tokenDeadWhileSevere.instance(policy: policy)
        #expect(instance.rideOver(at: at(160)) == false)
        #expect(instance.tokenPublished(at: at(170)) == true)
        #expect(instance.view(at: at(170), policy: policy) == .ending(.severe, nextDue: at(170)))
    }
}
