import FreshnessCore
import Quantities

/// A mock of the world around one instance: it performs actions and rejects invalid ones.
///
/// It knows the events of the instance, not the machine's state, and follows rules that hold for every sequence of
/// events.
struct MockRide {
    /// The reason for which an action is invalid.
    enum Refusal: Hashable {
        case instanceIsClosed
        case instanceIsEnding
        case instanceIsNotEnding
        case contentHasNotLapsed
        case episodeIsUnderWay
        case noEpisode
        case windowIsOpen
        case windowIsOver
        case attemptOutOfTurn
        case moreAttemptsThanPlanned
        case wrongPriority
        case attemptsAreHopeless
        case endOutOfTurn
        case moreEndsThanScheduled
        case endTooEarly
    }

    private enum Phase: Hashable {
        case live
        case ending(since: Instant)
        case closed
    }

    let policy: FreshnessPolicy
    private var phase = Phase.live
    private var newest: ContentStamp
    /// The beginning of the next episode.
    private var lapse: Instant
    private var episodeBegan: Instant?
    private var attemptCount = 0
    private var isHopeless = false
    private var endCount = 0
    /// The phase before the token died, if a new token can reopen the instance.
    private var beforeDeath: Phase?

    init(content: ContentStamp, policy: FreshnessPolicy) {
        self.policy = policy
        newest = content
        lapse = policy.lapse(of: content)
    }

    // MARK: - Actions

    /// Performs an action; returns the reason for a rejection, or nil if it is valid.
    mutating func perform(_ action: InstanceFreshness.Action, at now: Instant) -> Refusal? {
        if action == .nothing { return nil }
        if phase == .closed { return .instanceIsClosed }
        return switch action {
        case .nothing: nil
        case .becameRecoverable: beginEpisode(at: now)
        case .retry(let attempt, let priority): makeAttempt(attempt, priority: priority, at: now)
        case .withholdRetry(let attempt): makeAttempt(attempt, priority: nil, at: now)
        case .becameSevere: giveUp(at: now)
        case .sendEnd(let attempt): sendEnd(attempt, at: now)
        }
    }

    private mutating func beginEpisode(at now: Instant) -> Refusal? {
        guard phase == .live else { return .instanceIsEnding }
        guard episodeBegan == nil else { return .episodeIsUnderWay }
        guard lapse <= now else { return .contentHasNotLapsed }
        episodeBegan = lapse
        attemptCount = 0
        isHopeless = false
        return nil
    }

    private mutating func makeAttempt(_ attempt: Int, priority: PushPriority?, at now: Instant) -> Refusal? {
        guard phase == .live else { return .instanceIsEnding }
        guard let episodeBegan else { return .noEpisode }
        guard now <= episodeBegan + policy.recoveryWindow else { return .windowIsOver }
        guard !isHopeless else { return .attemptsAreHopeless }
        guard attempt == attemptCount else { return .attemptOutOfTurn }
        guard policy.retry.hasAttempt(attempt) else { return .moreAttemptsThanPlanned }
        if let priority, priority != policy.retry.priority(ofAttempt: attempt) { return .wrongPriority }
        attemptCount += 1
        return nil
    }

    private mutating func giveUp(at now: Instant) -> Refusal? {
        guard phase == .live else { return .instanceIsEnding }
        guard let episodeBegan else { return .noEpisode }
        guard now >= episodeBegan + policy.recoveryWindow else { return .windowIsOpen }
        end(at: now)
        return nil
    }

    private mutating func sendEnd(_ attempt: Int, at now: Instant) -> Refusal? {
        guard case .ending(let since) = phase else { return .instanceIsNotEnding }
        guard attempt == endCount else { return .endOutOfTurn }
        guard attempt < policy.endSchedule.count else { return .moreEndsThanScheduled }
        guard now >= since + policy.endSchedule[attempt] else { return .endTooEarly }
        endCount += 1
        return nil
    }

    // MARK: - Events

    mutating func contentConfirmed(_ content: ContentStamp, at now: Instant) {
        guard phase == .live, content.generatedAt > newest.generatedAt else { return }
        newest = content
        if now < policy.lapse(of: content) {
            lapse = policy.lapse(of: content)
            episodeBegan = nil
        } else {
            // The beginning of an open episode does not change, noticed or not.
            lapse = min(lapse, now)
        }
    }

    mutating func pushRefused(reason: APNsReason) {
        if reason.verdict == .neverRetry { isHopeless = true }
        if reason.verdict == .tokenIsDead { tokenDied() }
    }

    mutating func tokenDied() {
        guard phase != .closed else { return }
        beforeDeath = phase
        phase = .closed
        episodeBegan = nil
    }

    mutating func tokenPublished(at now: Instant) {
        guard let phaseBefore = beforeDeath else { return }
        beforeDeath = nil
        if phaseBefore == .live {
            phase = .live
            lapse = max(now, policy.lapse(of: newest))
        } else {
            end(at: now)
        }
    }

    mutating func endConfirmed() {
        phase = .closed
    }

    mutating func rideOver(at now: Instant) {
        if phase == .live { end(at: now) }
        if beforeDeath == .live { beforeDeath = .ending(since: now) }
    }

    private mutating func end(at now: Instant) {
        phase = .ending(since: now)
        episodeBegan = nil
        endCount = 0
    }
}
