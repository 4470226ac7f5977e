import FreshnessCore
import Quantities
import SimulationKernel

/// Tracks the location of each activity's newest content, so that stale time can be attributed to a cause.
///
/// Content is identified by the index of the push that carries it, which its retries share.
extension CellSimulation {
    /// Newer content exists, in a push that is about to be offered to the sender.
    @inline(__always)
    mutating func contentArose(_ activity: Handle<Activity>, inPush index: UInt32) {
        // Once the monitor has given up on an activity, only ends are sent.
        activity.newestPush = index
    }

    /// Newer content of an activity exists, and of all members if it is the record of a channel.
    @inline(__always)
    mutating func contentAroseForAll(_ activity: Handle<Activity>, inPush index: UInt32) {
        contentArose(activity, inPush: index)
        if activity.isChannel { contentAroseForMembers(of: activity, inPush: index) }
    }

    /// Newer content exists, in a place that it never leaves.
    mutating func contentArose(_ activity: Handle<Activity>, at place: Whereabouts) {
        guard !activity.isGivenUp else { return }
        activity.newestPush = Activity.noPush
        move(activity, to: place)
        if activity.isChannel { contentAroseForMembers(of: activity, at: place) }
    }

    /// Handles a push that has changed its place or ended; this counts if the push carries the newest content.
    @inline(__always)
    mutating func pushCame(_ push: Handle<Push>, to place: Whereabouts) {
        guard push.kind != .start, isCurrent(push) else { return }
        let activity = activities[push.activity]
        guard push.index == activity.newestPush, push.life == activity.life else { return }
        contentCame(push.payload.content, of: activity, to: place)
        if activity.isChannel { contentCameToMembers(of: activity, in: push, at: place) }
    }

    /// Handles the newest content of an activity that has changed its place or ended.
    @inline(__always)
    mutating func contentCame(_ content: ContentStamp, of activity: Handle<Activity>, to place: Whereabouts) {
        // Once it is on the screen, the fate of its retries does not matter.
        move(activity, to: activity.phone.content.generatedAt >= content.generatedAt ? .onScreen : place)
    }

    /// The sender has received no response in time; the push may have been delivered all the same, or may still be in
    /// flight.
    mutating func noAnswerCame(_ push: Handle<Push>) {
        guard push.isConcluded, isCurrent(push), activities[push.activity].whereabouts == .inFlight else { return }
        pushCame(push, to: .noAnswer)
    }

    /// Without a token, content does not leave the server; after the monitor has given up, no content is generated.
    mutating func contentHasNoWay(_ activity: Handle<Activity>) {
        guard activity.serverToken == 0 || activity.instance == nil else { return }
        contentArose(activity, at: .noToken)
    }

    /// Begins the account of an activity that appears on the screen.
    mutating func beginWhereabouts(_ activity: Handle<Activity>) {
        activity.newestPush = Activity.noPush
        // Later stage changes cannot reach the phone before there is a token.
        activity.whereabouts = activity.showsStage ? .onScreen : .noToken
    }

    /// The ride is over; from now on the screen lacks its end.
    ///
    /// If the monitor gave up on the activity, its end was sent long ago.
    mutating func endOfRideArose(_ activity: Handle<Activity>) {
        contentArose(activity, at: activity.serverToken == 0 ? .noToken : .onScreen)
    }

    /// The monitor gives up on an activity; from then on its end is tracked.
    mutating func giveUp(_ activity: Handle<Activity>) {
        move(activity, to: .givenUp)
        activity.newestPush = Activity.noPush
        activity.isGivenUp = true
        if activity.isChannel { giveUpMembers(of: activity) }
    }

    private mutating func move(_ activity: Handle<Activity>, to place: Whereabouts) {
        guard activity.whereabouts != place else { return }
        // While the screen is fresh and shows the right stage, the location of newer content does not matter.
        let isFresh = loop.now <= activity.phone.content.staleDate && activity.showsStage
        if !isFresh, activity.phone.phase == .live { addTimes(activity) }
        activity.whereabouts = place
    }
}

extension Activity {
    /// The cause of what the screen shows, as a part of a measure that is divided by cause.
    ///
    /// While the ride goes on, a screen that the monitor has given up on is stale because of that, regardless
    /// of where its end is.
    @inline(__always)
    var cause: Int {
        let place = isGivenUp && !isRideOver ? Whereabouts.givenUp : whereabouts
        return place.part(isAfterRide: isRideOver)
    }
}

extension StoryLine.Fate {
    /// The counter of the fate, and the location of content that ended in it; nil if the fate does not affect the
    /// screen.
    var end: (counter: Counter, place: Whereabouts?) {
        switch self {
        case .shown: (.fateShown, .onScreen)
        case .ended: (.fateEnded, nil)
        case .started: (.fateStarted, nil)
        case .older: (.fateOlder, .outdated)
        case .throttled: (.fateThrottled, .throttled)
        case .undecodable: (.fateUndecodable, .undecodable)
        case .lost: (.fateLost, .lost)
        case .deadToken: (.fateDeadToken, .deadToken)
        case .afterEnd: (.fateAfterEnd, nil)
        case .replacedInStore: (.fateReplacedInStore, .replaced)
        case .expired: (.fateExpired, .expired)
        case .notStored: (.fateNotStored, .notStored)
        case .startIgnored: (.fateStartIgnored, nil)
        case .wokeApp: (.fateWokeApp, .undrawn)
        }
    }
}
