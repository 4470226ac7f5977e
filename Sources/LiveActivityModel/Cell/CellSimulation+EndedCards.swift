import FreshnessCore
import Quantities
import SimulationKernel

/// Cards that stay on screens after the end of their activity.
extension CellSimulation {
    /// The party that ended an activity, which decides how long its card stays.
    enum Ender {
        case app
        case push
        case limit
        case rider
    }

    /// Leaves the card of an activity that ends now, if its dismissal policy does not remove it at once.
    ///
    /// - Parameter content: The content that the card shows from now on.
    mutating func leaveCard(_ activity: Handle<Activity>, endedBy ender: Ender, showing content: ContentStamp) {
        guard rules.leavesCards else { return }
        let dismissal = world.scenario.devices.dismissal
        let stay: TimeSpan =
            switch ender {
            case .app: dismissal.byApp
            case .push: dismissal.byPush
            case .limit: dismissal.atLimit
            case .rider: .zero
            }
        var until = PhoneStation.dismissal(askedFor: loop.now + stay, endedAt: loop.now)
        if let sampler = world.samplers.cardRemovedAfter {
            until = min(until, loop.now + span(sampler, activity, .cardRemovedAfter, UInt32(activity.life)))
        }
        let card = endedCards[activity.number]
        let isRight = content.generatedAt >= (activity.isRideOver ? card.rideEndedAt : activity.stageBeganAt)
        let wrongFrom = isRight ? activity.movesOnAt : loop.now
        endedCards[activity.number].stays(until: until, wrongFrom: wrongFrom)
        guard loop.now < until else { return }
        measureEndedCard(activity)
        log(activity, .cardStays(until: until, wrongFrom: wrongFrom < until ? wrongFrom : .never))
    }

    /// Measures the whole time of a card that was just left, up to the end of the run.
    private mutating func measureEndedCard(_ activity: Handle<Activity>) {
        let (from, to) = (max(loop.now, rules.measuredFrom).microseconds, rules.horizon.microseconds)
        guard from < to else { return }
        let card = endedCards[activity.number]
        recorder.record(card.time(from: from, to: to), as: .endedCardTime)
        recorder.add(card.wrongTime(from: from, to: to), to: .endedCardWrongTime)
    }

    /// Adds the part of an interval [µs] of a ride in which the card of its ended activity was on the screen.
    @inline(never)
    mutating func addEndedCardTime(_ activity: Handle<Activity>, from: Int64, to: Int64) {
        let card = endedCards[activity.number]
        recorder.add(card.time(from: from, to: to), to: .rideEndedCardTime)
        recorder.add(card.wrongTime(from: from, to: to), to: .rideEndedCardWrongTime)
    }
}
