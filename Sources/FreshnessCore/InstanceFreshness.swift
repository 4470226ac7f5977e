public import Quantities

/// One live instance as the Freshness Monitor knows it: told what happened, it says what to do.
///
/// This is the decision core that simulator and load tester share. It holds no clock, no socket and no source of
/// randomness: the time and the draw are arguments, and the caller performs what is returned.
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
/// *Lapse* is the instant from which the newest confirmed content no longer counts as fresh: its stale date plus the
/// fresh limit. An episode of staleness begins at the lapse, whenever the monitor gets round to noticing it; all other
/// deadlines of the episode count from there.
///
/// The caller keeps an appointment for ``nextDue(policy:)``, then calls ``wake(at:policy:budget:draw:)`` and makes the next
/// appointment, which may be for the same instant: what a push leads to at once comes before the decision after it. To act
/// at scans it rounds appointments up to a ``ScanGrid``. Calling too early does nothing.
///
/// "Confirmed" is what the server can know. A caller that is told of APNs' acceptance reports that, and a 200 then counts
/// as shown, although it only means accepted; theory can report real deliveries instead.
@frozen
public struct InstanceFreshness: Hashable, BitwiseCopyable, Sendable {
    // Not private so that the questions which every event of a simulation asks can be answered in place.

    @usableFromInline
    enum State: Hashable, BitwiseCopyable, Sendable {
        /// Nothing to do before the lapse.
        case fresh(until: Instant)
        case recoverable(Episode)
        case ending(Ending)
        case closed(Closure)
    }

    @usableFromInline
    struct Episode: Hashable, BitwiseCopyable, Sendable {
        @usableFromInline var since: Instant
        /// When the next attempt is due; `never` when none is left.
        @usableFromInline var nextAttempt: Instant
        /// The pause that led to ``nextAttempt``, for decorrelated jitter.
        @usableFromInline var lastPause: TimeSpan
        /// Attempts planned and made or withheld so far.
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
        /// Carries the ending that was under way or has been asked for since, if any.
        case tokenDead(Ending?)
    }

    /// When the newest confirmed content was generated.
    @usableFromInline
    var generatedAt: Instant
    /// When that content lapses.
    @usableFromInline
    var lapse: Instant
    /// No attempt is made before this instant, because APNs has asked for patience.
    @usableFromInline
    var heldUntil = Instant.start
    // Last, for its last bytes are free: a type around this one can use them.
    @usableFromInline
    var state: State

    /// An instance that the monitor begins to watch.
    ///
    /// - Parameters:
    ///   - content: What the instance is believed to show.
    ///   - now: An episode begins no earlier, however old the content is.
    ///   - policy: The same as at every later call.
    public init(content: ContentStamp, at now: Instant, policy: FreshnessPolicy) {
        generatedAt = content.generatedAt
        lapse = policy.lapse(of: content)
        state = .fresh(until: max(now, lapse))
    }

    /// How the instance is to be counted at an instant; nil once it is closed, or ends because its ride is over.
    ///
    /// Staleness counts from the lapse even if no scan has come yet; severity from the decision to end.
    @inlinable
    public func classification(at now: Instant) -> FreshnessClass? {
        switch state {
        case .fresh(let until): now < until ? .fresh : .recoverable
        case .recoverable: .recoverable
        case .ending(let ending): ending.isSevere ? .severe : nil
        case .closed: nil
        }
    }

    /// When the instance becomes recoverable if nothing happens; nil when it is not fresh.
    @inlinable
    public var freshUntil: Instant? {
        if case .fresh(let until) = state { until } else { nil }
    }

    /// When the current episode began, as far as it was noticed; nil outside one.
    public var staleSince: Instant? {
        if case .recoverable(let episode) = state { episode.since } else { nil }
    }

    /// Whether a decision to end was taken, or the instance is closed: no content revives it.
    @inlinable
    public var isOver: Bool {
        switch state {
        case .fresh, .recoverable: false
        case .ending, .closed: true
        }
    }

    /// Whether nothing more will be sent.
    @inlinable
    public var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Whether the token was invalidated after an end that worked.
    public var isTokenInvalidated: Bool { state == .closed(.tokenInvalidated) }

    /// When ``wake(at:policy:budget:draw:)`` next has something to do; `never` if nothing is left.
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

    // MARK: - Waking up

    /// What the caller has to do, one thing at a time.
    public enum Action: Hashable, Sendable {
        /// Nothing is due.
        case nothing
        /// The instance is stale but recoverable now.
        case becameRecoverable
        /// Send fresh content at this priority; attempts count from 0.
        case retry(attempt: Int, priority: PushPriority)
        /// An attempt was due, but the budget of retries is spent; it counts as made.
        case withholdRetry(attempt: Int)
        /// The instance is severely stale now; end events follow.
        case becameSevere
        /// Send an end event; attempts count from 0.
        case sendEnd(attempt: Int)
    }

    /// Does the first thing that is due.
    ///
    /// When an attempt and the end of the recovery window fall on one instant, the attempt comes first. Once the window is
    /// past, as a late scan may find it, attempts that are still due are left out: the instance is beyond them.
    ///
    /// - Parameters:
    ///   - now: The current instant.
    ///   - policy: The same at every call.
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

    /// Sets the episode's next attempt a pause after the one before; `never` when none is left.
    private static func plan(_ episode: inout Episode, from origin: Instant, policy: FreshnessPolicy, draw: UInt64) {
        guard policy.retry.hasAttempt(Int(episode.attempts)) else {
            episode.nextAttempt = .never
            return
        }
        let pause = policy.retry.pause(beforeAttempt: Int(episode.attempts), previous: episode.lastPause, draw: draw)
        episode.nextAttempt = origin + pause
        // The first pause is the way to the first attempt, not a pause between attempts.
        if episode.attempts > 0 {
            episode.lastPause = pause
        }
    }

    // MARK: - What happened

    /// What confirmed content meant.
    public enum Confirmation: Hashable, Sendable {
        /// It is the newest, and the instance was and is fresh.
        case stillFresh
        /// It is the newest and ended an episode that began at the given instant.
        case recovered(staleSince: Instant)
        /// It is the newest but itself already lapsed: the episode, and its schedule, go on unchanged. To begin a new one
        /// here would make a storm that never ends. Where there was no episode, one is due now.
        case alreadyStale
        /// Newer content was confirmed before.
        case older
        /// The decision to end has been taken; nothing revives the instance.
        case late
        /// The instance is closed.
        case closed
    }

    /// Content is known, or believed, to be on the screen.
    @inlinable
    public mutating func contentConfirmed(
        _ content: ContentStamp,
        at now: Instant,
        policy: FreshnessPolicy
    ) -> Confirmation {
        let staleSince: Instant?
        switch state {
        case .closed: return .closed
        case .ending: return .late
        // What is confirmed at the very lapse comes before the monitor: no time was spent stale.
        case .fresh(let until): staleSince = now > until ? until : nil
        case .recoverable(let episode): staleSince = episode.since
        }
        guard isOlder(than: content) else { return .older }
        generatedAt = content.generatedAt
        lapse = policy.lapse(of: content)
        guard now < lapse else {
            if case .fresh(let until) = state {
                // It may carry an earlier stale date than the content that it replaces.
                state = .fresh(until: min(now, until))
            }
            return .alreadyStale
        }
        state = .fresh(until: lapse)
        return staleSince.map { .recovered(staleSince: $0) } ?? .stillFresh
    }

    /// Whether it does from now on what one would do that had begun with some content, before that lapsed.
    @inlinable
    package func isUndisturbed(since content: ContentStamp, at now: Instant, policy: FreshnessPolicy) -> Bool {
        generatedAt == content.generatedAt && lapse == policy.lapse(of: content) && heldUntil <= now
            && freshUntil == lapse
    }

    /// Whether content would be the newest to be confirmed.
    @inlinable
    package func isOlder(than content: ContentStamp) -> Bool { content.generatedAt > generatedAt }

    /// The same as ``contentConfirmed(_:at:policy:)`` of a fresh instance, for newer content that has not lapsed.
    @inlinable
    @inline(__always)
    package mutating func renewed(by content: ContentStamp, policy: FreshnessPolicy) {
        generatedAt = content.generatedAt
        lapse = policy.lapse(of: content)
        state = .fresh(until: lapse)
    }

    /// What a refused push asks of the caller.
    public enum Refusal: Hashable, Sendable {
        /// Go on as planned.
        case carryOn
        /// Discard the token; the instance is closed.
        case discardToken
    }

    /// APNs refused an update or a retry for this instance.
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
                // A refusal that is reported late does not draw attempts forward.
                heldUntil = max(heldUntil, now + .minutes(15))
            }
            return .carryOn
        case .retryAfterRepair:
            return .carryOn
        }
    }

    /// APNs refused an end event.
    ///
    /// A reason that forbids sending the push again holds for every end: the schedule stops.
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

    /// The token is of no use any more.
    ///
    /// - Returns: Whether that was news: false when the instance was closed already.
    public mutating func tokenDied() -> Bool {
        guard !isClosed else { return false }
        if case .ending(let ending) = state {
            state = .closed(.tokenDead(ending))
        } else {
            state = .closed(.tokenDead(nil))
        }
        return true
    }

    /// The device has published a new token.
    ///
    /// An instance that was closed because its old token had died comes back with the belief that it had; one that was
    /// being ended goes on being ended, by the schedule from its beginning.
    ///
    /// - Returns: Whether the instance came back.
    public mutating func tokenPublished(at now: Instant) -> Bool {
        guard case .closed(.tokenDead(let interrupted)) = state else { return false }
        if let interrupted {
            state = .ending(Ending(decidedAt: now, isSevere: interrupted.isSevere, sent: 0))
        } else {
            state = .fresh(until: max(now, lapse))
        }
        return true
    }

    /// What the confirmation of an end event asks of the caller.
    public enum EndConfirmation: Hashable, Sendable {
        /// Invalidate the token; nothing more is to be sent.
        case invalidateToken
        /// It was done already.
        case alreadyClosed
    }

    /// An end event is known, or believed, to have worked.
    public mutating func endConfirmed() -> EndConfirmation {
        guard !isClosed else { return .alreadyClosed }
        return endReported()
    }

    /// The device has reported that its activity is over.
    ///
    /// That closes the instance for good, also when its token was dead already: no new token revives it.
    public mutating func endReported() -> EndConfirmation {
        let isNews = !isClosed
        state = .closed(.tokenInvalidated)
        return isNews ? .invalidateToken : .alreadyClosed
    }

    /// The ride is over: end events are due from now on, on the schedule of the policy.
    ///
    /// An instance whose token is dead takes note: should a new token bring it back, it ends rather than lives on.
    ///
    /// - Returns: Whether that was news: false when the instance was ending or closed already.
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
