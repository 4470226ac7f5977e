public import Quantities

/// The Freshness Monitor's state of one live instance: it receives events and returns actions.
///
/// This is the decision core that the simulator and the load tester share. It has no clock, no socket and no random
/// source: the time and the draw are arguments, and the caller performs the returned action.
///
/// ```
///                    contentConfirmed (newer, not lapsed)
///             ┌──────────────────────────────────────────┐
///             ▼                                          │
///   ┌──► fresh ── wake, at the lapse ──► recoverable ────┤ wake: .retry(attempt)
///   │      │                                  │          │
///   │      │ rideOver                         │ wake, recoveryWindow after the lapse
///   │      ▼                                  ▼
///   │   ending(ride over)               ending(severe) ── wake: .sendEnd(attempt)
///   │      └────────────┬─────────────────────┘
///   │                   │ endConfirmed: .invalidateToken
///   │                   ▼
///   └── tokenPublished ─ closed ◄── tokenDied, from everywhere
///        (after tokenDied; back to ending if it was)
/// ```
///
/// The *lapse* is the instant from which the newest confirmed content no longer counts as fresh: its stale date plus
/// the fresh limit. An episode of staleness begins at the lapse, no matter when the monitor notices it; all other
/// deadlines of the episode count from there.
///
/// The caller sets a timer for ``nextDue(policy:)`` and then calls ``wake(at:policy:budget:draw:)``. The next timer may
/// be for the same instant, because the immediate effects of a push come before the next decision. To act at scans, the
/// caller rounds timers up to a ``ScanGrid``. Calling too early has no effect.
///
/// "Confirmed" means confirmed to the caller. A server knows only that APNs accepted a push (200), and reports that as
/// confirmation, although the push may never be shown. A comparison with theory can report actual deliveries instead.
@frozen
public struct InstanceFreshness: Hashable, BitwiseCopyable, Sendable {
    // Not private, so that queries at every event of a simulation can be inlined.

    @usableFromInline
    enum State: Hashable, BitwiseCopyable, Sendable {
        /// No action before the lapse.
        case fresh(until: Instant)
        case recoverable(Episode)
        case ending(Ending)
        case closed(Closure)
    }

    @usableFromInline
    struct Episode: Hashable, BitwiseCopyable, Sendable {
        @usableFromInline var since: Instant
        /// The due time of the next attempt; `never` if none is left.
        @usableFromInline var nextAttempt: Instant
        /// The pause that led to ``nextAttempt``, for decorrelated jitter.
        @usableFromInline var lastPause: TimeSpan
        /// The number of attempts so far, scheduled and made or withheld.
        @usableFromInline var attempts: Int32
    }

    @usableFromInline
    struct Ending: Hashable, BitwiseCopyable, Sendable {
        @usableFromInline var decidedAt: Instant
        @usableFromInline var isSevere: Bool
        @usableFromInline var sent: Int32
    }

    @usableFromInline
    enum Closure: Hashable, BitwiseCopyable, Sendable {
        case tokenInvalidated
        /// Holds the end that was in progress or has been requested since, if any.
        case tokenDead(Ending?)
    }

    /// The generation time of the newest confirmed content.
    @usableFromInline
    var generatedAt: Instant
    /// The lapse of that content.
    @usableFromInline
    var lapse: Instant
    /// The instant before which no attempt is made, because APNs has requested a delay.
    @usableFromInline
    var heldUntil = Instant.start
    // Declared last, so that a type around this one can use its free trailing bytes.
    @usableFromInline
    var state: State

    /// Creates the state of an instance that the monitor begins to watch.
    ///
    /// - Parameters:
    ///   - content: The believed content of the screen.
    ///   - now: The current instant; an episode begins no earlier, however old the content is.
    ///   - policy: The same value in every call.
    public init(content: ContentStamp, at now: Instant, policy: FreshnessPolicy) {
        generatedAt = content.generatedAt
        lapse = policy.lapse(of: content)
        state = .fresh(until: max(now, lapse))
    }

    /// The class of the instance at an instant; nil once it is closed, or is ending because its ride is over.
    ///
    /// It is stale from the lapse even if no scan has come yet, and severe from the decision to end.
    @inlinable
    public func classification(at now: Instant) -> FreshnessClass? {
        switch state {
        case .fresh(let until): now < until ? .fresh : .recoverable
        case .recoverable: .recoverable
        case .ending(let ending): ending.isSevere ? .severe : nil
        case .closed: nil
        }
    }

    /// When the instance becomes recoverable if nothing happens; nil if it is not fresh.
    @inlinable
    public var freshUntil: Instant? {
        if case .fresh(let until) = state { until } else { nil }
    }

    /// The beginning of the current episode, if it was noticed; nil outside one.
    public var staleSince: Instant? {
        if case .recoverable(let episode) = state { episode.since } else { nil }
    }

    /// `true` if the instance is ending or closed; no content revives it.
    @inlinable
    public var isOver: Bool {
        switch state {
        case .fresh, .recoverable: false
        case .ending, .closed: true
        }
    }

    /// `true` if nothing more will be sent.
    @inlinable
    public var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// `true` if the token was invalidated after an end that worked.
    public var isTokenInvalidated: Bool { state == .closed(.tokenInvalidated) }

    /// The time of the next action of ``wake(at:policy:budget:draw:)``; `never` if nothing is left.
    @inlinable
    public func nextDue(policy: FreshnessPolicy) -> Instant {
        switch state {
        case .fresh(let until):
            until
        case .recoverable(let episode):
            min(max(episode.nextAttempt, heldUntil), episode.since + policy.recoveryWindow)
        case .ending(let ending):
            ending.sent < policy.endSchedule.count
                ? ending.decidedAt + policy.endSchedule[Int(ending.sent)] : .never
        case .closed:
            .never
        }
    }

    // MARK: - Timers

    /// The next action of the caller.
    public enum Action: Hashable, Sendable {
        /// Nothing is due.
        case nothing
        /// The instance is stale but recoverable now.
        case becameRecoverable
        /// Send fresh content at this priority; attempts count from 0.
        case retry(attempt: Int, priority: PushPriority)
        /// An attempt was due, but the retry budget is spent; it counts as made.
        case withholdRetry(attempt: Int)
        /// The instance is severely stale now; end events follow.
        case becameSevere
        /// Send an end event; attempts count from 0.
        case sendEnd(attempt: Int)
    }

    /// Performs the first action that is due.
    ///
    /// If an attempt and the end of the recovery window fall on the same instant, the attempt comes first. Once the
    /// window is past, for example at a late scan, attempts that are still due are skipped.
    ///
    /// - Parameters:
    ///   - now: The current instant.
    ///   - policy: The same value in every call.
    ///   - budget: The budget that retries share; nil for none.
    ///   - draw: Uniform on all 64-bit integers, for the jitter of the next pause.
    /// - Complexity: O(1).
    public mutating func wake(
        at now: Instant,
        policy: FreshnessPolicy,
        budget: inout RetryBudget?,
        draw: UInt64
    ) -> Action {
        guard nextDue(policy: policy) <= now else { return .nothing }
        switch state {
        case .fresh(let until):
            var episode = Episode(since: until, nextAttempt: until, lastPause: policy.retry.base, attempts: 0)
            InstanceFreshness.plan(&episode, from: until, policy: policy, draw: draw)
            state = .recoverable(episode)
            return .becameRecoverable

        case .recoverable(var episode):
            let windowEnd = episode.since + policy.recoveryWindow
            let attemptDue = max(episode.nextAttempt, heldUntil)
            if attemptDue <= now, now <= windowEnd {
                let attempt = Int(episode.attempts)
                episode.attempts += 1
                InstanceFreshness.plan(&episode, from: attemptDue, policy: policy, draw: draw)
                state = .recoverable(episode)
                guard budget?.spend(at: now) ?? true else { return .withholdRetry(attempt: attempt) }
                return .retry(attempt: attempt, priority: policy.retry.priority(ofAttempt: attempt))
            }
            state = .ending(Ending(decidedAt: now, isSevere: true, sent: 0))
            return .becameSevere

        case .ending(var ending):
            let attempt = Int(ending.sent)
            ending.sent += 1
            state = .ending(ending)
            return .sendEnd(attempt: attempt)

        case .closed:
            return .nothing
        }
    }

    /// Schedules the episode's next attempt a pause after the previous one; `never` if none is left.
    private static func plan(_ episode: inout Episode, from origin: Instant, policy: FreshnessPolicy, draw: UInt64) {
        guard policy.retry.hasAttempt(Int(episode.attempts)) else {
            episode.nextAttempt = .never
            return
        }
        let pause = policy.retry.pause(beforeAttempt: Int(episode.attempts), previous: episode.lastPause, draw: draw)
        episode.nextAttempt = origin + pause
        // The first pause precedes the first attempt; it is not a pause between attempts.
        if episode.attempts > 0 {
            episode.lastPause = pause
        }
    }

    // MARK: - Events

    /// The effect of confirmed content.
    public enum Confirmation: Hashable, Sendable {
        /// It is the newest, and the instance was and still is fresh.
        case stillFresh
        /// It is the newest, and has ended an episode that began at the given instant.
        case recovered(staleSince: Instant)
        /// It is the newest, but has itself already lapsed: the episode and its schedule continue unchanged.
        ///
        /// A new episode here would cause endless retries. If there was no episode, one is due now.
        case alreadyStale
        /// Newer content was confirmed before.
        case older
        /// The instance is ending; nothing revives it.
        case late
        /// The instance is closed.
        case closed
    }

    /// Records content that is known, or believed, to be on the screen.
    @inlinable
    @inline(__always)
    public mutating func contentConfirmed(
        _ content: ContentStamp,
        at now: Instant,
        policy: FreshnessPolicy
    ) -> Confirmation {
        let staleSince: Instant?
        switch state {
        case .closed: return .closed
        case .ending: return .late
        // Content that is confirmed exactly at the lapse comes before the monitor: no stale time has passed.
        case .fresh(let until): staleSince = now > until ? until : nil
        case .recoverable(let episode): staleSince = episode.since
        }
        guard isOlder(than: content) else { return .older }
        generatedAt = content.generatedAt
        lapse = policy.lapse(of: content)
        guard now < lapse else {
            if case .fresh(let until) = state {
                // It may have an earlier stale date than the content that it replaces.
                state = .fresh(until: min(now, until))
            }
            return .alreadyStale
        }
        state = .fresh(until: lapse)
        return staleSince.map { .recovered(staleSince: $0) } ?? .stillFresh
    }

    /// Returns `true` if the instance will behave like one whose watch began with this content, before its lapse.
    @inlinable
    package func isUndisturbed(since content: ContentStamp, at now: Instant, policy: FreshnessPolicy) -> Bool {
        generatedAt == content.generatedAt && lapse == policy.lapse(of: content) && heldUntil <= now
            && freshUntil == lapse
    }

    /// Returns `true` if content would be the newest confirmed content.
    @inlinable
    package func isOlder(than content: ContentStamp) -> Bool { content.generatedAt > generatedAt }

    /// The effect of a rejected push on the caller.
    public enum Refusal: Hashable, Sendable {
        /// Continue as planned.
        case carryOn
        /// Discard the token; the instance is closed.
        case discardToken
    }

    /// Handles an update or a retry that APNs has rejected.
    public mutating func pushRefused(reason: APNsReason, at now: Instant, policy: FreshnessPolicy) -> Refusal {
        switch reason.verdict {
        case .tokenIsDead:
            return tokenDied() ? .discardToken : .carryOn
        case .neverRetry:
            if case .recoverable(var episode) = state {
                episode.nextAttempt = .never
                state = .recoverable(episode)
            }
            return .carryOn
        case .retryLater:
            if policy.retry.obeysFifteenMinutes {
                // A rejection that is reported late does not move attempts to an earlier time.
                heldUntil = max(heldUntil, now + .minutes(15))
            }
            return .carryOn
        case .retryAfterRepair:
            return .carryOn
        }
    }

    /// Handles an end event that APNs has rejected.
    ///
    /// A reason that forbids sending the push again applies to every end, so the schedule stops.
    public mutating func endRefused(reason: APNsReason, policy: FreshnessPolicy) -> Refusal {
        switch reason.verdict {
        case .tokenIsDead:
            return tokenDied() ? .discardToken : .carryOn
        case .neverRetry:
            if case .ending(var ending) = state {
                ending.sent = Int32(clamping: policy.endSchedule.count)
                state = .ending(ending)
            }
            return .carryOn
        case .retryLater, .retryAfterRepair:
            return .carryOn
        }
    }

    /// Closes the instance, because the token is no longer valid.
    ///
    /// - Returns: `false` if the instance was already closed.
    public mutating func tokenDied() -> Bool {
        guard !isClosed else { return false }
        if case .ending(let ending) = state {
            state = .closed(.tokenDead(ending))
        } else {
            state = .closed(.tokenDead(nil))
        }
        return true
    }

    /// Handles a new token that the device has published.
    ///
    /// An instance that was closed because its old token had died resumes with its previous belief. If it was ending,
    /// it ends again, with the schedule from its beginning.
    ///
    /// - Returns: `true` if the instance resumed.
    public mutating func tokenPublished(at now: Instant) -> Bool {
        guard case .closed(.tokenDead(let interrupted)) = state else { return false }
        if let interrupted {
            state = .ending(Ending(decidedAt: now, isSevere: interrupted.isSevere, sent: 0))
        } else {
            state = .fresh(until: max(now, lapse))
        }
        return true
    }

    /// The effect of a confirmed end event on the caller.
    public enum EndConfirmation: Hashable, Sendable {
        /// Invalidate the token and send nothing more.
        case invalidateToken
        /// None: the instance was already closed.
        case alreadyClosed
    }

    /// Records that an end event is known, or believed, to have worked.
    public mutating func endConfirmed() -> EndConfirmation {
        guard !isClosed else { return .alreadyClosed }
        return endReported()
    }

    /// Records that the device has reported the end of its activity.
    ///
    /// This closes the instance for good, even if its token was already dead: no new token revives it.
    public mutating func endReported() -> EndConfirmation {
        let isNews = !isClosed
        state = .closed(.tokenInvalidated)
        return isNews ? .invalidateToken : .alreadyClosed
    }

    /// Records that the ride is over: end events are due from now on, on the schedule of the policy.
    ///
    /// An instance whose token is dead remembers it: if a new token revives the instance, it ends.
    ///
    /// - Returns: `false` if the instance was already ending or closed.
    public mutating func rideOver(at now: Instant) -> Bool {
        let ending = Ending(decidedAt: now, isSevere: false, sent: 0)
        if case .closed(.tokenDead(nil)) = state {
            state = .closed(.tokenDead(ending))
        }
        guard !isOver else { return false }
        state = .ending(ending)
        return true
    }
}
