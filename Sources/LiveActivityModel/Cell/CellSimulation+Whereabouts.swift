import FreshnessCore
import Quantities
import SimulationKernel

/// Follows the newest content of each activity, so that stale time has a cause.
///
/// Content is known by the index of the push that carries it, which its repeats share.
extension CellSimulation {
    /// There is newer content than before, in a push that is about to be offered to the sender.
    @inline(__always)
    mutating func contentArose(_ activity: Handle<Activity>, inPush index: UInt32) {
        // Of an activity that was given up only ends are sent.
        activity.newestPush = index
    }

    /// There is newer content than before, in a place that it never leaves.
    mutating func contentArose(_ activity: Handle<Activity>, at place: Whereabouts) {
        guard !activity.isGivenUp else { return }
        activity.newestPush = Activity.noPush
        move(activity, to: place)
    }

    /// A push has come to another place, or to its end; counts where it carries the newest content.
    @inline(__always)
    mutating func pushCame(_ push: Handle<Push>, to place: Whereabouts) {
        guard push.kind != .start, isCurrent(push) else { return }
        let activity = activities[push.activity]
        guard push.index == activity.newestPush, push.life == activity.life else { return }
        contentCame(push.payload.content, of: activity, to: place)
    }

    /// The newest content of an activity has come to another place, or to its end.
    @inline(__always)
    mutating func contentCame(_ content: ContentStamp, of activity: Handle<Activity>, to place: Whereabouts) {
        // Once it is on the screen, what becomes of its repeats does not matter.
        move(activity, to: activity.phone.content.generatedAt >= content.generatedAt ? .onScreen : place)
    }

    /// The sender has waited in vain for an answer; the push may have come through all the same, or may be on its way.
    mutating func noAnswerCame(_ push: Handle<Push>) {
        guard push.isConcluded, isCurrent(push), activities[push.activity].whereabouts == .inFlight else { return }
        pushCame(push, to: .noAnswer)
    }

    /// Without a token content does not leave the server; where the monitor has given up, none is made any more.
    mutating func contentHasNoWay(_ activity: Handle<Activity>) {
        guard activity.serverToken == 0 || activity.instance == nil else { return }
        contentArose(activity, at: .noToken)
    }

    /// Begins the account of an activity that appears on the screen.
    mutating func beginWhereabouts(_ activity: Handle<Activity>) {
        activity.newestPush = Activity.noPush
        // What the ride has come to since has no way to the phone before there is a token.
        activity.whereabouts = activity.showsStage ? .onScreen : .noToken
    }

    /// The ride is over: from now on its end is what the screen lacks.
    ///
    /// That of an activity which was given up has long been where it is.
    mutating func endOfRideArose(_ activity: Handle<Activity>) {
        contentArose(activity, at: activity.serverToken == 0 ? .noToken : .onScreen)
    }

    /// The monitor gives an activity up: its end is what will be followed.
    mutating func giveUp(_ activity: Handle<Activity>) {
        move(activity, to: .givenUp)
        activity.newestPush = Activity.noPush
        activity.isGivenUp = true
    }

    private mutating func move(_ activity: Handle<Activity>, to place: Whereabouts) {
        guard activity.whereabouts != place else { return }
        // While the screen is fresh and right it does not matter where newer content is.
        let isFresh = loop.now <= activity.phone.content.staleDate && activity.showsStage
        if !isFresh, activity.phone.phase == .live { addTimes(activity) }
        activity.whereabouts = place
    }
}

extension Activity {
    /// Why the screen shows what it does, as a part of a measure that is divided by cause.
    ///
    /// As long as the ride goes on, a screen that was given up is stale because of that, wherever its end may be.
    @inline(__always)
    var cause: Int {
        let place = isGivenUp && !isRideOver ? Whereabouts.givenUp : whereabouts
        return place.part(isAfterRide: isRideOver)
    }
}

extension StoryLine.Fate {
    /// How it is counted, and where content is that ended so; nil where that says nothing about the screen.
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
        }
    }
}
