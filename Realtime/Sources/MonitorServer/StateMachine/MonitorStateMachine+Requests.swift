import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// Requests of the app's server.
///
/// Each is applied after its change is durable, except for the first step of a withdrawal.
extension MonitorStateMachine {
    /// The effect of a published token.
    enum Publication: Hashable {
        /// It is the instance's only one.
        case only
        /// It replaces an earlier one, or a later change was applied first.
        case replaced
        /// The instance ends, and so does the card behind the token.
        case ends
        /// None: the instance has ended or its token was withdrawn, and that is final.
        case refused
    }

    /// Records that a token was published or has replaced another; the app may have reported what the activity shows.
    @discardableResult
    mutating func tokenPublished(
        _ token: PublishedToken,
        for id: InstanceID,
        shown: ContentStamp?,
        at now: Instant
    ) -> Publication {
        let row = rowMaking(id, at: now)
        guard token.revision > instances[row].revision else { return .replaced }
        let isFirst = instances[row].tokenState != .active
        counts.published += 1
        instances[row].changedAt = now
        instances[row].revision = token.revision
        log(.tokenPosted, row, at: now)
        switch watch(row, token: token, shown: shown, at: now) {
        case .watched: return isFirst ? .only : .replaced
        case .ends: return .ends
        case .over: return .refused
        }
    }

    /// Starts or resumes monitoring of an instance that has a token.
    @discardableResult
    mutating func watch(
        _ row: Int,
        token: PublishedToken,
        shown: ContentStamp?,
        at now: Instant
    ) -> MonitorStation.Publication {
        instances[row].token = token
        instances[row].tokenState = .active
        let publication = instances[row].station
            .tokenPublished(publishedAt: token.publishedAt, shown: shown, at: now, rules)
        if case .watched(sendsContent: true) = publication { sendUpdate(row, at: now) }
        settle(row, at: now)
        return publication
    }

    /// Returns `true` if a token of the instance would have no effect, because its end or the withdrawal is final.
    func isOver(_ id: InstanceID) -> Bool { row(of: id).map { instances[$0].station.monitor.isOver(rules) } ?? false }

    // MARK: - Withdrawal

    /// Starts a withdrawal that is not durable yet: no more pushes are sent.
    ///
    /// Returns the pushes to the token that are in flight.
    mutating func tokenWithdrawn(from id: InstanceID, at now: Instant) -> [UInt64] {
        guard let row = row(of: id) else { return [] }
        return withdraw(row, at: now)
    }

    /// Completes a durable withdrawal, by its revision: earlier publications are also withdrawn, later ones are not.
    mutating func tokenWithdrawn(from id: InstanceID, revision: Int64, at now: Instant) -> [UInt64] {
        guard let row = row(of: id) else { return [] }
        // A token that was published after the withdrawal is kept.
        guard revision > instances[row].revision else { return instances[row].inFlight }
        instances[row].revision = revision
        return withdraw(row, at: now)
    }

    private mutating func withdraw(_ row: Int, at now: Instant) -> [UInt64] {
        if instances[row].token != nil {
            counts.invalidated += 1
            log(.tokenInvalidated, row, at: now)
        }
        instances[row].changedAt = now
        instances[row].token = nil
        instances[row].tokenState = .invalidated
        instances[row].station.withdrawn()
        settle(row, at: now)
        return instances[row].inFlight
    }

    // MARK: - Content

    /// Returns how an announcement would be received.
    func reception(of content: AnnouncedContent, for id: InstanceID) -> RemoteMonitorStation.Reception {
        guard let row = row(of: id) else { return RemoteMonitorStation().reception(of: content.announcement) }
        let isSameState = instances[row].content == content.parts
        return instances[row].station.reception(of: content.announcement, isSameState: isSameState)
    }

    /// Records announced content; returns how the announcement was received.
    @discardableResult
    mutating func contentAnnounced(
        _ content: AnnouncedContent,
        for id: InstanceID,
        at now: Instant
    ) -> RemoteMonitorStation.Reception {
        let row = rowMaking(id, at: now)
        let isSameState = instances[row].content == content.parts
        let reception = instances[row].station
            .contentAnnounced(content.announcement, isSameState: isSameState, at: now, rules)
        guard case .new(let isSent) = reception else { return reception }
        counts.announced += 1
        instances[row].changedAt = now
        instances[row].content = content.parts
        instances[row].isAlertDue = content.parts.alert != nil
        if isSent { sendUpdate(row, at: now) }
        settle(row, at: now)
        return reception
    }

    // MARK: - End

    /// Records that the ride is over; this is durable.
    mutating func rideOver(_ id: InstanceID, dismissalDate: Int64?, at now: Instant) {
        guard let row = row(of: id) else { return }
        if let dismissalDate { instances[row].dismissalDate = dismissalDate }
        guard !instances[row].station.monitor.isRideOver else { return }
        instances[row].changedAt = now
        log(.rideEnded, row, at: now)
        if !instances[row].station.monitor.isGivenUp { counts.ridesOver += 1 }
        if instances[row].station.rideOver(at: now) { settle(row, at: now) }
    }

    /// Records that the monitor's own decision to end an instance is durable, so ends may be sent.
    ///
    /// They are sent at once, also between scans, because only the disk has delayed them.
    mutating func endRecorded(_ id: InstanceID, at now: Instant) {
        guard let row = row(of: id), instances[row].station.decisionRecorded() else { return }
        look(row, at: now)
    }

    // MARK: - Restart

    /// Restores an instance from the registry, before anything else happens.
    mutating func restore(_ stored: StoredInstance, at now: Instant) {
        let row = rowMaking(stored.id, at: now)
        instances[row].revision = stored.revision
        instances[row].tokenState = stored.tokenState
        instances[row].content = stored.announced?.parts
        // With a token its push may have been sent. A lost alert is better than a second one.
        instances[row].isAlertDue = stored.tokenState == .none && stored.announced?.parts.alert != nil
        instances[row].dismissalDate = stored.dismissalDate
        instances[row].station = RemoteMonitorStation(
            isRideOver: stored.end == .rideOver,
            isGivenUp: stored.end == .severe,
            announced: stored.announced?.announcement,
            confirmed: stored.confirmed,
            life: boot,
            // With a clock that went back, pushes would have lower numbers than those that phones have seen.
            at: max(now, stored.changedAt, stored.announced?.stamp.generatedAt ?? .start)
        )
        if let token = stored.token { watch(row, token: token, shown: nil, at: now) }
    }
}
