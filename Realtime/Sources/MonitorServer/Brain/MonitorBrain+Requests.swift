package import FreshnessCore
import LiveActivityModel
package import Quantities

/// What the app's server says; each is told after its change is durable, but for the first word of a withdrawal.
extension MonitorBrain {
    /// A token was published, or has taken the place of another.
    ///
    /// - Parameters:
    ///   - shown: What the activity shows, if the app has said so.
    ///   - now: The instant.
    package mutating func tokenPublished(
        _ token: PublishedToken,
        for id: InstanceID,
        shown: ContentStamp?,
        at now: Instant
    ) {
        let row = rowMaking(id, at: now)
        // Whoever was slower to tell of it than a later change to be told.
        guard token.revision > instances[row].revision else { return }
        counts.published += 1
        instances[row].changedAt = now
        instances[row].revision = token.revision
        watch(row, token: token, shown: shown, at: now)
    }

    /// Begins or resumes the watch over an instance that has a token.
    mutating func watch(_ row: Int, token: PublishedToken, shown: ContentStamp?, at now: Instant) {
        instances[row].token = token
        instances[row].tokenState = .active
        if let shown { instances[row].confirmed = shown }
        instances[row].tokenCount &+= 1
        let publication = instances[row].station
            .tokenPublished(instances[row].tokenCount, showing: believed(row, at: now), at: now, rules)
        if publication == .watched, let announced = instances[row].announced, isNews(announced.stamp, for: row) {
            sendUpdate(row, at: now)
        }
        settle(row, at: now)
    }

    /// What a screen is believed to show.
    ///
    /// What the app has not told the screen shows is out of date from the moment on at which there is something newer.
    private func believed(_ row: Int, at now: Instant) -> ContentStamp {
        let unknown = ContentStamp(generatedAt: .start, staleDate: instances[row].announced == nil ? .never : now)
        return instances[row].confirmed ?? unknown
    }

    private func isNews(_ stamp: ContentStamp, for row: Int) -> Bool {
        instances[row].confirmed.map { stamp.generatedAt > $0.generatedAt } ?? true
    }

    // MARK: - Withdrawal

    /// The app withdraws the token; the change is not durable yet, but nothing more is sent.
    ///
    /// - Returns: The pushes to the token that are not answered.
    package mutating func tokenWithdrawn(from id: InstanceID, at now: Instant) -> [UInt64] {
        guard let row = row(of: id) else { return [] }
        return withdraw(row, at: now)
    }

    /// The withdrawal is durable, and it was this change of the token: what was published before is withdrawn too.
    ///
    /// - Returns: The pushes to such tokens that are not answered.
    package mutating func tokenWithdrawn(from id: InstanceID, revision: Int64, at now: Instant) -> [UInt64] {
        guard let row = row(of: id) else { return [] }
        // A token that was published after the withdrawal stays.
        guard revision > instances[row].revision else { return instances[row].inFlight }
        instances[row].revision = revision
        return withdraw(row, at: now)
    }

    private mutating func withdraw(_ row: Int, at now: Instant) -> [UInt64] {
        if instances[row].token != nil { counts.invalidated += 1 }
        instances[row].changedAt = now
        instances[row].token = nil
        instances[row].tokenState = .invalidated
        _ = instances[row].station.withdrawn()
        settle(row, at: now)
        return instances[row].inFlight
    }

    // MARK: - Content

    /// What an announcement meets.
    package enum Reception: Hashable, Sendable {
        /// It is the newest.
        case new
        /// It was announced before.
        case repeated
        /// Newer content was announced before.
        case older(thanGeneratedAt: Instant)
        /// The instance ends, and nothing revives it.
        case ended
    }

    /// What an announcement would meet.
    package func reception(of stamp: ContentStamp, for id: InstanceID) -> Reception {
        guard let row = row(of: id) else { return .new }
        if instances[row].station.isEndDecided { return .ended }
        guard let known = instances[row].announced?.stamp else { return .new }
        if stamp.generatedAt == known.generatedAt { return .repeated }
        return stamp.generatedAt > known.generatedAt ? .new : .older(thanGeneratedAt: known.generatedAt)
    }

    /// Content is to be shown.
    package mutating func contentAnnounced(_ content: AnnouncedContent, for id: InstanceID, at now: Instant) {
        let row = rowMaking(id, at: now)
        guard reception(of: content.stamp, for: id) == .new else { return }
        counts.announced += 1
        instances[row].changedAt = now
        let isFirst = instances[row].announced == nil
        instances[row].announced = content
        instances[row].pushNumbers.contentArose()
        if isFirst, instances[row].isUnknown, instances[row].station.takesContent {
            // Until now there was nothing newer than what the screen shows.
            instances[row].station.watchAnew(showing: believed(row, at: now), at: now, rules)
        }
        sendUpdate(row, at: now)
        settle(row, at: now)
    }

    // MARK: - End

    /// The ride is over; that is durable.
    package mutating func rideOver(_ id: InstanceID, dismissalDate: Int64?, at now: Instant) {
        guard let row = row(of: id) else { return }
        if let dismissalDate { instances[row].dismissalDate = dismissalDate }
        guard !instances[row].station.isRideOver else { return }
        instances[row].changedAt = now
        if !instances[row].station.isGivenUp { counts.ridesOver += 1 }
        if instances[row].station.rideOver(at: now) { settle(row, at: now) }
    }

    /// The monitor's own decision to end an instance is durable: ends may be sent.
    ///
    /// At once, between scans too: only the disk has kept them back.
    package mutating func endRecorded(_ id: InstanceID, at now: Instant) {
        guard let row = row(of: id), instances[row].station.decisionRecorded() else { return }
        look(row, at: now)
    }

    // MARK: - Restart

    /// An instance as the registry has it, before anything else happens.
    ///
    /// What was under way when the last process ended is not known. Content that was announced and not confirmed is sent
    /// (again): a phone shows the same content twice without harm.
    package mutating func restore(_ stored: StoredInstance, at now: Instant) {
        let row = rowMaking(stored.id, at: now)
        instances[row].revision = stored.revision
        instances[row].tokenState = stored.tokenState
        instances[row].confirmed = stored.confirmed
        instances[row].announced = stored.announced
        instances[row].station = MonitorStation(
            isRideOver: stored.end == .rideOver,
            isGivenUp: stored.end == .severe
        )
        instances[row].pushNumbers = PushNumbers(from: firstPushNumber)
        if let token = stored.token {
            watch(row, token: token, shown: nil, at: now)
        }
    }
}
