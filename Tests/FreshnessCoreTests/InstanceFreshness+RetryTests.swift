import FreshnessCore
import Quantities
import Testing

/// Attempts within an episode: jitter, budget and rejections.
@Suite struct InstanceFreshnessRetryTests {
    private func policy(retry: RetryPolicy) throws -> FreshnessPolicy {
        try FreshnessPolicy(freshLimit: .zero, recoveryWindow: .hours(1), retry: retry, endSchedule: [.zero])
    }

    /// The due times of attempts after a lapse at second 0, if each wake gets the draw.
    private func attemptInstants(policy: FreshnessPolicy, draw: UInt64) -> [Int64] {
        let content = ContentStamp(generatedAt: Instant(microseconds: -1), staleDate: .start)
        var instance = InstanceFreshness(content: content, at: .start, policy: policy)
        var instants: [Int64] = []
        while true {
            let due = instance.nextDue(policy: policy)
            switch instance.wake(at: due, policy: policy, draw: draw) {
            case .becameRecoverable: continue
            case .retry: instants.append(due.microseconds)
            default: return instants
            }
        }
    }

    @Test(
        arguments: [
            // jitter, draw, instants of the attempts [µs]; pauses without jitter are 0, 1, 4, 16, 20 s
            (.none, 0, [0, 1_000_000, 5_000_000, 21_000_000, 41_000_000]),
            (.none, .max, [0, 1_000_000, 5_000_000, 21_000_000, 41_000_000]),
            (.full, 0, [0, 0, 0, 0, 0]),
            (.full, 1 << 63, [0, 500_000, 2_500_000, 10_500_000, 20_500_000]),
            (.full, .max, [0, 1_000_000, 5_000_000, 21_000_000, 41_000_000]),
            (.equal, 0, [0, 500_000, 2_500_000, 10_500_000, 20_500_000]),
            (.equal, 1 << 63, [0, 750_000, 3_750_000, 15_750_000, 30_750_000]),
            (.equal, .max, [0, 1_000_000, 5_000_000, 21_000_000, 41_000_000]),
            (.decorrelated, 0, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]),
            // Pauses 1+1, 1+2.5, 1+4.75, 1+8.125 s: the middle between the base and three times the previous one.
            (.decorrelated, 1 << 63, [0, 2_000_000, 5_500_000, 11_250_000, 20_375_000]),
            // Pauses 3, 9 s, then the cap.
            (.decorrelated, .max, [0, 3_000_000, 12_000_000, 32_000_000, 52_000_000]),
        ] as [(Jitter, UInt64, [Int64])]
    )
    func pausesFormAChain(jitter: Jitter, draw: UInt64, instants: [Int64]) throws {
        let retry = try RetryPolicy(
            maxAttempts: 5,
            base: .seconds(1),
            factorThousandths: 4000,
            cap: .seconds(20),
            jitter: jitter
        )
        #expect(try attemptInstants(policy: policy(retry: retry), draw: draw) == instants)
    }

    @Test func attemptsWithoutLimitEndWithTheWindow() throws {
        let retry = try RetryPolicy(maxAttempts: nil, base: .minutes(10), factorThousandths: 1500, cap: .minutes(14))
        let policy = try policy(retry: retry)
        let minutes = attemptInstants(policy: policy, draw: 0).map { $0 / 60_000_000 }
        // Pauses of 0, 10, 14, 14 and 14 minutes; the next attempt would come after the window of one hour.
        #expect(minutes == [0, 10, 24, 38, 52])
    }

    @Test func aPolicyWithoutAttemptsWaitsForTheWindow() throws {
        let policy = try policy(retry: RetryPolicy(schedule: []))
        var instance = Situation.fresh.instance(policy: policy)
        #expect(instance.wake(at: at(60), policy: policy) == .becameRecoverable)
        #expect(instance.nextDue(policy: policy) == at(3660))
        #expect(instance.wake(at: at(3660), policy: policy) == .becameSevere)
    }

    /// A withheld attempt counts as made, and the next one may be made.
    @Test func aSpentBudgetWithholdsAttempts() throws {
        let policy = try FreshnessPolicy.ofTables()
        // One token in 20 s: the first attempt takes it, the second comes too early, the third gets the next one.
        var budget: RetryBudget? = try RetryBudget(capacityThousandths: 1000, thousandthsPerSecond: 50)
        var instance = Situation.fresh.instance(policy: policy)
        var actions: [InstanceFreshness.Action] = []
        for seconds in [90, 90, 100, 120, 150] as [Int64] {
            actions.append(instance.wake(at: at(seconds), policy: policy, budget: &budget, draw: 0))
        }
        #expect(
            actions == [
                .becameRecoverable,
                .retry(attempt: 0, priority: .considerate),
                .withholdRetry(attempt: 1),
                .retry(attempt: 2, priority: .immediate),
                .becameSevere,
            ]
        )
    }

    @Test func onlyAttemptsSpendTheBudget() throws {
        let policy = try FreshnessPolicy.ofTables()
        let full = try RetryBudget(capacityThousandths: 1000, thousandthsPerSecond: 0)
        for situation in Situation.allCases where situation != .recoverable && situation != .retried {
            var budget: RetryBudget? = full
            var instance = situation.instance(policy: policy)
            let now = max(situation.now, at(150))
            _ = instance.wake(at: now, policy: policy, budget: &budget, draw: 0)
            #expect(budget == full, "\(situation)")
        }
    }

    // MARK: - Rejections

    /// A reason that invalidates the token closes the instance in every situation.
    @Test(arguments: Situation.allCases, APNsReason.allCases.filter { $0.verdict == .tokenIsDead })
    func aDeadTokenIsDiscardedOnce(situation: Situation, reason: APNsReason) throws {
        let policy = try FreshnessPolicy.ofTables()
        var instance = situation.instance(policy: policy)
        let before = instance
        let refusal = instance.pushRefused(reason: reason, at: situation.now, policy: policy)
        if Situation.closed.contains(situation) {
            #expect(refusal == .carryOn)
            #expect(instance == before)
        } else {
            #expect(refusal == .discardToken)
            #expect(instance.view(at: situation.now, policy: policy) == .closed(isTokenInvalidated: false))
        }
    }

    @Test(arguments: Situation.allCases, APNsReason.allCases.filter { $0.verdict == .neverRetry })
    func aHopelessPushEndsTheAttemptsOfItsEpisode(situation: Situation, reason: APNsReason) throws {
        let policy = try FreshnessPolicy.ofTables()
        var instance = situation.instance(policy: policy)
        let before = instance
        #expect(instance.pushRefused(reason: reason, at: situation.now, policy: policy) == .carryOn)
        if Situation.inEpisode.contains(situation) {
            let expected = View.recoverable(since: at(90), nextDue: at(150))
            #expect(instance.view(at: situation.now, policy: policy) == expected)
            #expect(instance.wake(at: at(150), policy: policy) == .becameSevere)
        } else {
            #expect(instance == before)
        }
    }

    @Test(arguments: Situation.allCases, APNsReason.allCases.filter { $0.verdict == .retryLater })
    func aBusyServiceDelaysAttemptsByFifteenMinutesOnlyIfObeyed(situation: Situation, reason: APNsReason) throws {
        let defiant = try FreshnessPolicy.ofTables()
        let obedient = try FreshnessPolicy.ofTables(obeysFifteenMinutes: true)
        for policy in [defiant, obedient] {
            var instance = situation.instance(policy: policy)
            let before = instance
            #expect(instance.pushRefused(reason: reason, at: situation.now, policy: policy) == .carryOn)
            if policy == obedient, situation == .recoverable || situation == .retried {
                #expect(instance.nextDue(policy: policy) == at(150))
            } else {
                #expect(
                    instance.view(at: situation.now, policy: policy) == before.view(at: situation.now, policy: policy)
                )
            }
        }
    }

    @Test(arguments: Situation.allCases, APNsReason.allCases.filter { $0.verdict == .retryAfterRepair })
    func aReasonToRepairChangesNothing(situation: Situation, reason: APNsReason) throws {
        let policy = try FreshnessPolicy.ofTables(obeysFifteenMinutes: true)
        var instance = situation.instance(policy: policy)
        let before = instance
        #expect(instance.pushRefused(reason: reason, at: situation.now, policy: policy) == .carryOn)
        #expect(instance == before)
    }

    /// In a window that is long enough, the attempt comes exactly 15 minutes after the rejection, or as planned if that
    /// is later, and the chain continues from there.
    @Test func fifteenMinutesCountFromTheRefusal() throws {
        let schedule: [TimeSpan] = [.zero, .seconds(10), .seconds(40)]
        let policy = try policy(retry: RetryPolicy(schedule: schedule, obeysFifteenMinutes: true))
        var instance = Situation.fresh.instance(policy: policy)
        _ = instance.wake(at: at(60), policy: policy)
        _ = instance.wake(at: at(60), policy: policy)
        _ = instance.pushRefused(reason: .serviceUnavailable, at: Instant(microseconds: 60_300_000), policy: policy)
        #expect(instance.nextDue(policy: policy) == Instant(microseconds: 960_300_000))
        // An earlier rejection that is reported late does not move the attempt to an earlier time.
        _ = instance.pushRefused(reason: .shutdown, at: Instant(microseconds: 60_100_000), policy: policy)
        #expect(instance.nextDue(policy: policy) == Instant(microseconds: 960_300_000))
        let action = instance.wake(at: Instant(microseconds: 960_300_000), policy: policy)
        #expect(action == .retry(attempt: 1, priority: .immediate))
        #expect(instance.nextDue(policy: policy) == Instant(microseconds: 990_300_000))
    }

    /// After an overloaded service has rejected a regular update, the first attempt of a following episode waits, too.
    @Test func fifteenMinutesHoldTheFirstAttempt() throws {
        let policy = try policy(retry: RetryPolicy(schedule: [.zero, .seconds(10)], obeysFifteenMinutes: true))
        var instance = Situation.fresh.instance(policy: policy)
        _ = instance.pushRefused(reason: .tooManyRequests, at: at(55), policy: policy)
        #expect(instance.wake(at: at(60), policy: policy) == .becameRecoverable)
        #expect(instance.nextDue(policy: policy) == at(55 + 900))
        #expect(instance.wake(at: at(955), policy: policy) == .retry(attempt: 0, priority: .immediate))
        #expect(instance.nextDue(policy: policy) == at(965))
    }

    /// An overloaded service does not restore attempts that a final rejection has stopped.
    @Test func hopelessStaysHopeless() throws {
        let policy = try FreshnessPolicy.ofTables(obeysFifteenMinutes: true)
        var instance = Situation.retried.instance(policy: policy)
        _ = instance.pushRefused(reason: .payloadTooLarge, at: at(91), policy: policy)
        let hopeless = instance.view(at: at(92), policy: policy)
        _ = instance.pushRefused(reason: .tooManyRequests, at: at(92), policy: policy)
        #expect(instance.view(at: at(92), policy: policy) == hopeless)
    }
}
