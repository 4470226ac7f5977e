import FreshnessCore
import Quantities
import SimulationKernel

/// Cards that stay on screens after the end of their activity.
extension CellSimulation {
    /// Leaves the card of an activity that ends now, if its dismissal policy does not remove it at once.
    ///
    /// - Parameter content: The content that the card shows from now on.
    mutating func leaveCard(_ activity: Handle<Activity>, endedBy ender: EndedCard.Ender, showing content: ContentStamp)
    {
        guard rules.leavesCards else { return }
        var until = EndedCard.removal(endedBy: ender, at: loop.now, own.devices.dismissal)
        if let sampler = own.samplers.cardRemovedAfter {
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

    /// Measures the time of a card that was just left, up to the end of the run; its length only if it ended after the
    /// warm-up.
    private mutating func measureEndedCard(_ activity: Handle<Activity>) {
        let (now, end) = (loop.now.microseconds, rules.horizon.microseconds)
        let card = endedCards[activity.number]
        if isMeasured { recorder.record(card.time(from: now, to: end), as: .endedCardTime) }
        let from = max(now, rules.measuredFrom.microseconds)
        recorder.add(card.time(from: from, to: end), to: .leftCardTime)
        let wrongTime = card.wrongTime(from: from, to: end)
        recorder.add(wrongTime, to: .leftCardWrongTime)
        search?.note(activity, leftoverWrong: wrongTime)
    }

    /// Adds the part of an interval [µs] of a ride in which the card of its ended activity was on the screen.
    @inline(never)
    mutating func addEndedCardTime(_ activity: Handle<Activity>, from: Int64, to: Int64) {
        let card = endedCards[activity.number]
        recorder.add(card.time(from: from, to: to), to: .rideEndedCardTime)
        recorder.add(card.wrongTime(from: from, to: to), to: .rideEndedCardWrongTime)
    }
}
