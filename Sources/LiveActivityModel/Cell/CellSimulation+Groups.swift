import FreshnessCore
import Quantities
import SimulationKernel

/// Groups: rides with one course and one content, each with a phone of its own.
///
/// The draws of stages, cancellations, refreshes and contents are keyed by the group, all other draws by the member. So each
/// member has the events of a ride, and the events of all members come at the same instants. A member that joins later takes
/// over the present state of the course from the first member (``follow(_:_:)``).
///
/// By tokens, each member gets pushes of its own, as a ride without a group does.
///
/// By channel, the server has a record of the channel: an activity without a phone that has the course as well. Its token is
/// the channel, so the sender, APNs and the monitor handle it as they handle any activity. APNs sends each accepted push on to
/// the phones whose card follows the channel (``sendOn(_:)``). Members have no token and no monitor of their own.
///
/// ```
///   by tokens     member ─► push ─► sender ─► APNs ─► phone          for each member
///   by channel    record ─► push ─► sender ─► APNs ─┬─► phone
///                                                   ├─► phone        each with its own way
///                                                   └─► phone
/// ```
extension CellSimulation {
    // MARK: - Requests

    /// A group is requested: its first member joins at once, the others at their times.
    mutating func groupRequested(_ arrival: ArrivalSequence.Arrival) {
        guard let samplers = world.samplers.groups else { preconditionFailure("a group without a size") }
        let place = groups.open(ride: arrival.ride, at: loop.now)
        groups[place].left = Int(arrival.size)
        count(.groupsRequested)
        let hasChannel = world.scenario.hasChannels && takeChannel()
        // Members that join now must know it.
        if hasChannel { groups[place].channel = openChannel(arrival, in: place) }
        let leader = request(arrival, in: place)
        if hasChannel { publishFrom(activities[groups[place].channel], after: leader) }
        for number in 1..<max(1, UInt64(arrival.size)) {
            let joining = GroupTable.Joining(ride: arrival.ride + number, group: place, city: arrival.city)
            let after = world.bank.timeSpan(samplers.joins, draw(joining.ride, .groupJoins, 0))
            if after == .zero {
                join(joining)
            } else {
                schedule(.joining, subject: joins.take(joining).number, at: loop.now + after)
            }
        }
    }

    mutating func memberJoins(_ joining: Handle<GroupTable.Joining>) {
        let member = joining.entity.pointee
        joins.giveBack(joining)
        let leader = activities[groups[member.group].leader]
        // The group has ended before.
        guard leader.isInUse, leader.ride == groups[member.group].ride, !leader.isRideOver else {
            return groups.left(member.group)
        }
        join(member)
        population.advance(to: loop.now, &recorder)
    }

    private mutating func join(_ member: GroupTable.Joining) {
        let arrival = ArrivalSequence.Arrival(ride: member.ride, at: loop.now, row: nil, city: member.city)
        request(arrival, in: member.group)
    }

    /// Adds an activity to its group.
    ///
    /// - Returns: The activity whose course it follows; nil for the first member, which draws the course.
    mutating func joined(_ activity: Handle<Activity>, group: UInt32) -> Handle<Activity>? {
        groups.memberships[activity.number] = group
        let leader = groups[group].leader
        groups[group].members.append(activity.number)
        if leader == GroupTable.none { groups[group].leader = activity.number }
        return leader == GroupTable.none ? nil : activities[leader]
    }

    /// Adds the group of an activity to its history.
    mutating func logGroup(of activity: Handle<Activity>) {
        let group = groups.memberships[activity.number]
        let (ride, isByChannel) = (groups[group].ride, groups[group].channel != GroupTable.none)
        log(activity, .joinedGroup(ride: ride, isByChannel: isByChannel))
    }

    /// Removes an activity that is over from its group.
    mutating func leftGroup(_ activity: Handle<Activity>) {
        if activity.isChannel {
            groups.openChannels -= 1
            tellChannel(.closed(activity.ride))
        } else {
            closeContents(of: groups.memberships[activity.number])
        }
        groups.left(groups.memberships[activity.number])
    }

    // MARK: - The course

    /// The number that keys the draws of a ride's course and content: that of its group, if it has one.
    @inline(__always)
    func course(of activity: Handle<Activity>) -> UInt64 {
        groups.isUsed ? groups[groups.memberships[activity.number]].ride : activity.ride
    }

    /// The instant at which a ride, or its group, was requested.
    @inline(__always)
    func courseBegan(_ activity: Handle<Activity>) -> Instant {
        groups.isUsed ? groups[groups.memberships[activity.number]].requestedAt : activity.requestedAt
    }

    // MARK: - Channels

    /// Creates a channel at APNs, unless the app has as many as APNs allows.
    private mutating func takeChannel() -> Bool {
        guard groups.openChannels < groups.mostChannels else {
            count(.channelsRefused)
            return false
        }
        groups.openChannels += 1
        return true
    }

    /// Adds the server's record of a new channel; returns its slot.
    private mutating func openChannel(_ arrival: ArrivalSequence.Arrival, in place: UInt32) -> UInt32 {
        let record = self.place(
            Activity(
                ride: arrival.ride | WorldEntity.channel,
                requestedAt: loop.now,
                traceRow: -1,
                // Of the rides of its city that belong to no cohort.
                segment: arrival.city &* UInt8(world.cohorts.count + 1)
            )
        )
        groups.memberships[record.number] = place
        groups[place].left += 1
        record.entity.pointee.phone.ended()
        tellChannel(.created(record.ride))
        return record.number
    }

    /// Begins the first stage of a channel's record, and the monitor's watch of it.
    private mutating func publishFrom(_ record: Handle<Activity>, after leader: Handle<Activity>) {
        enter(0)
        log(record, .channelCreated)
        follow(leader, record)
        record.firstContent = currentContent()
        record.tokenNumber = 1
        if let groups = world.scenario.groups, happens(groups.channel.deleted, course(of: record), .channelDeleted),
            let samplers = world.samplers.groups
        {
            let after = span(samplers.deletedAfter, course(of: record), .channelDeletedAfter)
            record.tokenDeadSince = loop.now + after
            tellChannel(.vanishes(record.ride, at: record.tokenDeadSince))
        }
        _ = record.monitor.tokenPublished(
            1,
            showing: record.firstContent,
            newest: .confirmed,
            at: loop.now,
            own.monitor
        )
        remindMonitor(record)
    }

    /// The record of the channel that reaches an activity; nil if none does.
    func channel(of activity: Handle<Activity>) -> Handle<Activity>? {
        let place = groups.memberships[activity.number]
        let (number, ride) = (groups[place].channel, groups[place].ride)
        guard number != GroupTable.none else { return nil }
        let record = activities[number]
        return record.isInUse && record.ride == ride | WorldEntity.channel ? record : nil
    }

    /// The number of the channel that a card follows; nil for a card with an update token.
    func channelNumber(of activity: Handle<Activity>) -> UInt64? {
        followsChannel(activity) ? groups[groups.memberships[activity.number]].ride | WorldEntity.channel : nil
    }

    /// `true` if a card follows a channel, and has no update token.
    func followsChannel(_ activity: Handle<Activity>) -> Bool {
        !activity.isChannel && groups[groups.memberships[activity.number]].channel != GroupTable.none
    }

    /// Gives up a channel after its ride if no end can follow: APNs has deleted it, or the last end was in vain.
    ///
    /// A phone would report its own end; a channel has none that does.
    ///
    /// - Returns: `true` if it was given up now.
    @discardableResult
    mutating func closeLostChannel(_ record: Handle<Activity>) -> Bool {
        guard record.isRideOver, let instance = record.instance, !instance.isClosed else { return false }
        let isOver = record.pushCount == 0 && record.monitor.nextCheck(at: loop.now, own.monitor) == .never
        guard record.serverToken == 0 || isOver else { return false }
        endReported(record)
        return true
    }

    /// Nothing more happens to a push; after the last one of a ride that is over, its channel may be given up.
    mutating func channelPushEnds(_ push: Handle<Push>) {
        guard push.isToChannel, isCurrent(push) else { return }
        let record = activities[push.activity]
        // As an event of its own, because the caller may go on with the record.
        if record.isRideOver, record.pushCount == 0 { remindMonitor(record, at: loop.now) }
    }

    /// Calls a function for each member of a channel's group.
    ///
    /// - Complexity: O(*n*) for *n* members.
    mutating func forEachMember(of record: Handle<Activity>, _ body: (inout CellSimulation, Handle<Activity>) -> Void) {
        let place = groups.memberships[record.number]
        for index in groups[place].members.indices {
            let number = groups[place].members[index]
            let member = activities[number]
            guard member.isInUse, groups.memberships[number] == place else { continue }
            body(&self, member)
        }
    }

    // MARK: - Changes of a channel for its members

    // Not inlined, because a function that calls itself is not, and those that call these are on the path of every push.

    /// Adds the times of the members, whose screens are judged by the belief about the channel.
    @inline(never)
    mutating func addTimesOfMembers(of record: Handle<Activity>) { forEachMember(of: record) { $0.addTimes($1) } }

    @inline(never)
    mutating func contentAroseForMembers(of record: Handle<Activity>, inPush index: UInt32) {
        forEachMember(of: record) { $1.newestPush = index }
    }

    @inline(never)
    mutating func contentAroseForMembers(of record: Handle<Activity>, at place: Whereabouts) {
        forEachMember(of: record) { $0.contentArose($1, at: place) }
    }

    @inline(never)
    mutating func contentCameToMembers(of record: Handle<Activity>, in push: Handle<Push>, at place: Whereabouts) {
        let (index, content) = (push.index, push.payload.content)
        forEachMember(of: record) { cell, member in
            if member.newestPush == index { cell.contentCame(content, of: member, to: place) }
        }
    }

    @inline(never)
    mutating func giveUpMembers(of record: Handle<Activity>) { forEachMember(of: record) { $0.giveUp($1) } }

    // MARK: - Sending on

    /// Sends an accepted push on from a channel to the phones whose card follows it.
    ///
    /// A phone without a card does not follow the channel. Each phone has draws of its own, with the index of the push.
    mutating func sendOn(_ push: Handle<Push>) {
        conclude(push, .sentOn)
        guard isCurrent(push) else { return }
        let before = cohort
        forEachMember(of: activities[push.activity]) { cell, member in
            guard member.phone.phase == .live else { return }
            cell.enterCohort(of: member)
            cell.send(push, onTo: member)
        }
        enter(before)
    }

    /// Sends a push on from a channel at a remote APNs, which reports the fate of each copy.
    ///
    /// A card that is over by now, or that APNs does not know yet, gets no copy.
    mutating func sendOn(_ push: Handle<Push>, throughPortTo rides: [UInt64]) {
        conclude(push, .sentOn)
        guard isCurrent(push) else { return }
        let (before, followers) = (cohort, Set(rides))
        forEachMember(of: activities[push.activity]) { cell, member in
            guard member.phone.phase == .live, followers.contains(member.ride) else { return }
            cell.enterCohort(of: member)
            let copy = cell.placeCopy(of: push, for: member)
            copy.service = .remote
            cell.ports.copyPlaced(ride: copy.ride, drawIndex: copy.drawIndex, at: copy.number)
        }
        enter(before)
    }

    private mutating func send(_ push: Handle<Push>, onTo member: Handle<Activity>) {
        let copy = placeCopy(of: push, for: member)
        switch apns.passage(of: request(push).copy(toRide: member.ride), apnsRules, at: loop.now) {
        case .deadToken, .lost:
            conclude(copy, .onDevice(.lost))
            releaseIfDone(copy)
        case .arrives(let span):
            deliverCopy(copy, at: loop.now + span)
        }
    }

    /// Schedules the delivery of a copy at an instant, or later if it must not overtake another push.
    mutating func deliverCopy(_ copy: Handle<Push>, at instant: Instant) {
        var due = instant
        if apnsRules.channelsKeepOrder, isCurrent(copy) {
            due = activities[copy.activity].entity.pointee.destination.arrival(notBefore: instant)
        }
        copy.deliveryDue = due
        schedule(.delivery, of: copy, at: due)
    }

    /// Adds the copy of a channel's push for a member.
    private mutating func placeCopy(of push: Handle<Push>, for member: Handle<Activity>) -> Handle<Push> {
        var copy = Push(
            activity: member.number,
            ride: member.ride,
            life: member.life,
            kind: push.kind,
            priority: push.priority,
            index: push.index,
            rank: push.rank,
            passage: push.entity.pointee.passage,
            payload: push.payload
        )
        copy.passage.ends()
        copy.sentAt = push.sentAt
        copy.isCounted = push.isCounted
        copy.isFromChannel = true
        let placed = place(copy)
        contentBegins(placed)
        if placed.isCounted { recorder.count(.pushesSentOn) }
        log(member, .sentOn(placed.kind))
        return placed
    }

    // MARK: - Contents on their way

    /// Follows an update with regular content, which begins to be offered or sent on.
    ///
    /// An update that announces content again, to a token that came later, is not part of the content's way to the group.
    mutating func contentBegins(_ push: Handle<Push>) {
        guard push.kind == .update else { return }
        let place = groups.memberships[push.activity]
        let link = GroupTable.Link(group: place, ride: groups[place].ride, index: push.index)
        if groups.content(of: link) == nil {
            guard groups[place].newestContent.map({ $0 < push.index }) ?? true else { return }
            closeContents(of: place)
            groups[place].newestContent = push.index
            let content = GroupTable.Content(index: push.index, generatedAt: push.payload.content.generatedAt)
            groups[place].contents.append(content)
            count(.groupContents)
        }
        guard let content = groups.content(of: link) else { return }
        groups[place].contents[content].left += 1
        groups.links[push.number] = link
    }

    /// Follows a waiting push that carries newer content from now on.
    mutating func contentReplaced(_ push: Handle<Push>) {
        contentEnds(push)
        contentBegins(push)
    }

    /// A screen shows the content of a push.
    mutating func contentShown(_ push: Handle<Push>) {
        let link = groups.links[push.number]
        guard let content = groups.content(of: link) else { return }
        groups[link.group].contents[content].shownCount += 1
        if groups[link.group].contents[content].firstAt == .never {
            groups[link.group].contents[content].firstAt = loop.now
        }
        groups[link.group].contents[content].lastAt = loop.now
    }

    /// Nothing more happens to a push; after the last one with its content, that is measured.
    mutating func contentEnds(_ push: Handle<Push>) {
        let link = groups.links[push.number]
        groups.links[push.number] = GroupTable.Link()
        guard let content = groups.content(of: link) else { return }
        groups[link.group].contents[content].left -= 1
        // Other pushes with content of this instant may follow.
        if groups[link.group].contents[content].generatedAt < loop.now { closeContents(of: link.group) }
    }

    /// Measures the contents of a group that have no push left.
    private mutating func closeContents(of place: UInt32) {
        var index = 0
        while index < groups[place].contents.count {
            guard groups[place].contents[index].left == 0 else {
                index += 1
                continue
            }
            measure(groups[place].contents.remove(at: index))
        }
    }

    private mutating func measure(_ content: GroupTable.Content) {
        guard content.generatedAt >= rules.measuredFrom, content.shownCount > 0 else { return }
        recorder.record((content.lastAt - content.generatedAt).microseconds, as: .lastPhone)
        guard content.shownCount > 1 else { return }
        recorder.record((content.lastAt - content.firstAt).microseconds, as: .fanOut)
    }

    /// Measures the contents that have no push left at the end of the run.
    mutating func closeContents() {
        for place in groups.rows.indices { closeContents(of: UInt32(place)) }
    }
}
