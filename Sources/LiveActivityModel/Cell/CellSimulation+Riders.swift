import Quantities
import SimulationKernel

/// Riders with several rides: what stays on the phone from one to the next, and cards of earlier rides.
///
/// All rides of a rider are in one cell. An activity whose ride is over is never packed, so a phone's older activities can be
/// used without unpacking them.
extension CellSimulation {
    /// `true` if an activity is linked to the phone of a rider with several rides, so that its events may concern another.
    @inline(__always)
    func isLinked(_ activity: Handle<Activity>) -> Bool {
        rules.ridersReturn && links[activity.number].phone != RiderPhone.none
    }

    // MARK: - The next ride

    /// Handles the end of a ride, after which its rider may book another.
    mutating func rideEndedOnPhone(_ activity: Handle<Activity>) {
        var number = links[activity.number].phone
        if number != RiderPhone.none, phones[number].entity.pointee.rideEnded(of: activity.number) {
            measureOldCards(beside: activity)
        }
        guard let again = world.again, RideNumber.count(before: activity.ride) + 1 < again.most,
            happens(again.share, activity, .booksAgain), let after = own.samplers.againAfter
        else { return }
        let due = loop.now + span(after, activity, .booksAgainAfter)
        guard due < world.arrivalsEnd else { return }
        if number == RiderPhone.none {
            let city = Int(activity.segment) / (world.cohorts.count + 1)
            number = phones.take(RiderPhone(of: activity.number, city: UInt8(city))).number
            phoneStates.begin(number)
            phoneStarts.begin(number)
            phoneTokens.begin(number)
            links[activity.number].phone = number
            if phoneStates.isUsed { phoneStates[number].budget = activity.phone.budget }
        }
        if startTokens.isUsed { updateStartToken(of: activity) }
        phones[number].entity.pointee.booked(RideNumber.next(after: activity.ride))
        schedule(.arrival, subject: number + 1, at: due)
    }

    /// Requests the next ride of a rider.
    mutating func riderReturned(_ number: UInt32) {
        let phone = phones[number]
        let last = phone.current
        let isLastLive = last != RiderPhone.none && activities[last].phone.phase == .live
        if last != RiderPhone.none { keepState(of: activities[last], on: phone) }
        let (ride, older) = (phone.nextRide, phone.newest)
        let activity = place(
            Activity(ride: ride, requestedAt: loop.now, traceRow: -1, segment: segment(ofRide: ride, city: phone.city))
        )
        if phoneStates.isUsed {
            activity.connectivity = phoneStates[number].connectivity
            activity.appAliveUntil = phoneStates[number].appAliveUntil
            activity.entity.pointee.phone.budget = phoneStates[number].budget
        }
        if pushStarts.isUsed { pushStarts[activity.number] = phoneStarts[number] }
        if startTokens.isUsed { startTokens[activity.number] = phoneTokens[number] }
        if older == RiderPhone.none {
            phones.giveBack(phone)
        } else {
            phone.entity.pointee.requested(activity.number, isLastLive: isLastLive)
            links[activity.number] = RiderPhone.Link(phone: number, older: older)
        }
        begin(activity)
    }

    /// Notes that the rider of a ride that is requested has had one before, and has opened the app to book this one.
    mutating func noteReturn(_ activity: Handle<Activity>) {
        count(.ridesBookedAgain, exampleAt: activity)
        let number = links[activity.number].phone
        if number != RiderPhone.none, phones[number].oldCards > 0 { count(.ridesWithOldCard, exampleAt: activity) }
        while activity.connectivity.until <= loop.now {
            activity.connectivity = nextConnectivity(activity.connectivity, activity)
        }
        let connection = activity.connectivity
        let oldCards = oldCards(besides: activity)
        log(
            activity,
            .bookedAgain(
                ride: RideNumber.count(before: activity.ride),
                oldCards: oldCards,
                StoryLine.ConnectionInterval(
                    until: connection.until,
                    index: connection.index,
                    isOnline: connection.isOnline
                )
            )
        )
        // The app posts the phone's push-to-start token when it runs.
        if !isBookedAhead(activity), !FaultTimeline.any(world.faults.tokenPostDown, cover: loop.now) {
            postStartToken(activity)
        }
    }

    // MARK: - The state of the phone

    /// Stores the state that goes on to the next ride.
    private mutating func keepState(of activity: Handle<Activity>, on phone: Handle<RiderPhone>) {
        if phoneStates.isUsed {
            phoneStates[phone.number].connectivity = activity.connectivity
            phoneStates[phone.number].appAliveUntil = activity.appAliveUntil
            if !rules.sharesBudget { phoneStates[phone.number].budget = activity.phone.budget }
        }
        if pushStarts.isUsed { phoneStarts[phone.number] = pushStarts[activity.number] }
        if startTokens.isUsed { phoneTokens[phone.number] = startTokens[activity.number] }
    }

    /// Removes an activity that leaves the memory from its phone.
    mutating func leavePhone(_ activity: Handle<Activity>) {
        let link = links[activity.number]
        guard link.phone != RiderPhone.none else { return }
        let phone = phones[link.phone]
        if phone.current == activity.number {
            keepState(of: activity, on: phone)
            phone.entity.pointee.currentLeft()
        }
        if phone.newest == activity.number {
            phone.newest = link.older
        } else {
            var next = phone.newest
            while links[next].older != activity.number { next = links[next].older }
            links[next].older = link.older
        }
        links[activity.number] = RiderPhone.Link()
        if phone.isOver { phones.giveBack(phone) }
    }

    /// Gives an activity the budget of its phone, if cards share it.
    mutating func takeSharedBudget(_ activity: Handle<Activity>) {
        let number = links[activity.number].phone
        guard number != RiderPhone.none, phoneStates.isUsed else { return }
        activity.entity.pointee.phone.budget = phoneStates[number].budget
    }

    /// Gives the phone the budget of an activity that has received a push, if cards share it.
    mutating func leaveSharedBudget(_ activity: Handle<Activity>) {
        let number = links[activity.number].phone
        guard number != RiderPhone.none, phoneStates.isUsed else { return }
        phoneStates[number].budget = activity.phone.budget
    }

    /// Removes the pushes that APNs stores for the other activities of a phone, because it stores another.
    mutating func replaceOthers(besides activity: Handle<Activity>) {
        guard links.isUsed else { return }
        let phone = links[activity.number].phone
        guard phone != RiderPhone.none else { return }
        var number = phones[phone].newest
        while number != RiderPhone.none {
            // Nothing is stored for an activity that is packed.
            if number != activity.number, activities[number].isInUse,
                let push = activities[number].entity.pointee.destination.displaced()
            {
                replaced(pushes[push])
            }
            number = links[number].older
        }
    }

    // MARK: - Cards of earlier rides

    /// The number of live cards of earlier rides on the phone.
    func oldCards(besides activity: Handle<Activity>) -> Int {
        guard links.isUsed else { return 0 }
        let number = links[activity.number].phone
        return number == RiderPhone.none ? 0 : Int(phones[number].oldCards)
    }

    /// `true` if iOS refuses another card of the app, because the cards of earlier rides have reached the limit.
    func hasMostCards(besides activity: Handle<Activity>) -> Bool {
        guard let most = own.devices.start.mostCards else { return false }
        return oldCards(besides: activity) >= most
    }

    /// Ends the cards of earlier rides when the app starts one, by comparing the ID of the latest ride with theirs.
    mutating func endOldCards(before activity: Handle<Activity>) {
        guard oldCards(besides: activity) > 0 else { return }
        var number = links[activity.number].older
        while number != RiderPhone.none {
            let old = activities[number]
            number = links[number].older
            guard old.phone.phase == .live else { continue }
            // The end may call off its next event.
            if old.hasUnscheduledTimers { scheduleTimers(of: old) }
            let before = enterCohort(of: old)
            endActivity(old, reason: .leftOver, by: .app)
            log(activity, .endedOldCard(ride: old.ride))
            scheduleRegistration(old)
            enter(before)
        }
    }

    /// Notes the end of a live card.
    mutating func cardEnded(of activity: Handle<Activity>) {
        let number = links[activity.number].phone
        guard number != RiderPhone.none, phones[number].entity.pointee.cardEnded(of: activity.number),
            // The ride goes on, so it may be packed; its next event packs it again.
            let current = activities.wake(phones[number].current)
        else { return }
        measureOldCards(beside: current)
    }

    /// Measures the time of a ride beside cards of earlier rides, at the end of the run.
    mutating func finishPhone(of activity: Handle<Activity>) {
        let number = links[activity.number].phone
        guard number != RiderPhone.none, !activity.isRideOver,
            phones[number].entity.pointee.rideEnded(of: activity.number)
        else { return }
        addOldCardTime(beside: activity)
    }

    /// Measures the time of a ride beside cards of earlier rides, which began with its request and is over.
    private mutating func measureOldCards(beside activity: Handle<Activity>) {
        if isMeasured { recorder.record((loop.now - activity.requestedAt).microseconds, as: .oldCardTime) }
        addOldCardTime(beside: activity)
    }

    private mutating func addOldCardTime(beside activity: Handle<Activity>) {
        let from = max(activity.requestedAt, rules.measuredFrom)
        if from < loop.now { recorder.add((loop.now - from).microseconds, to: .oldCardTime) }
    }
}
