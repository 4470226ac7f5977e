import FreshnessCore
import Quantities
import SimulationKernel

/// The ETA on screens: the estimate that a screen shows, against the newest that the server has.
///
/// The error is the shown time to arrival minus the newest estimate of it. A card with a timer is wrong by the change of the
/// estimate since its content. A card without one is also wrong by the time that has passed: if the estimate does not
/// change, its error is the age of its content.
extension CellSimulation {
    /// Measures the error of the ETA on a screen over an interval in which it shows the same content.
    ///
    /// Content of an earlier stage has an ETA of something else; such time is not measured here.
    ///
    /// - Complexity: O(*steps* of the estimate in the interval).
    @inline(never)
    mutating func measureETA(_ activity: Handle<Activity>, from: Instant, to: Instant) {
        guard let eta = own.eta, !activity.isRideOver, activity.showsStage else { return }
        guard !eta.isRecorded else { return measureRecordedETA(activity, from: from, to: to, eta) }
        let ride = activity.ride
        let step = eta.step.microseconds
        var view = etas[activity.number]
        var next = activity.requestedAt.microseconds &+ Int64(view.stepCount &+ 1) &* step
        while next <= from.microseconds {
            advance(&view, of: ride, eta)
            next = next &+ step
        }
        let generatedAt = activity.phone.content.generatedAt
        if view.shownSince != generatedAt {
            view.shownSince = generatedAt
            view.shown = view.newest
            var (number, changedAt) = (view.stepCount, next &- step)
            while number > 0, changedAt > generatedAt.microseconds {
                view.shown &-= change(eta, ofRide: ride, inStep: number)
                (number, changedAt) = (number &- 1, changedAt &- step)
            }
        }
        var start = from.microseconds
        var errors = ETAErrors(inSegment: activity.segment)
        var largest: Int64 = 0
        while start < to.microseconds {
            let end = min(next, to.microseconds)
            recordError(of: &view, from: start, to: end, eta, &errors, &largest)
            if next <= to.microseconds { advance(&view, of: ride, eta) }
            next = next &+ step
            start = end
        }
        concludeMeasurement(of: activity, view, from: from, to: to, eta, errors, largest)
    }

    /// Records the error of a view in an interval [µs] without a new estimate.
    @inline(__always)
    mutating func recordError(
        of view: inout ETAView,
        from start: Int64,
        to end: Int64,
        _ eta: ETACourse,
        _ errors: inout ETAErrors,
        _ largest: inout Int64
    ) {
        let moved = view.newest &- view.shown
        let error = (eta.countsDown ? 0 : start &- view.shownSince.microseconds) &- moved
        if eta.countsDown {
            recorder.recordETAError(abs(error), during: end &- start, isTooLong: error >= 0, in: &errors)
        } else {
            recordGrowth(of: error, during: end &- start, &errors)
        }
        if search != nil { largest = max(largest, abs(error), eta.countsDown ? 0 : abs(error &+ end &- start)) }
        if eta.barCountsDown { view.barArea += 2 * Int128(abs(moved)) * Int128(end &- start) }
    }

    /// Adds the errors of an interval, and the area of a bar that moves with updates only.
    @inline(__always)
    mutating func concludeMeasurement(
        of activity: Handle<Activity>,
        _ view: ETAView,
        from: Instant,
        to: Instant,
        _ eta: ETACourse,
        _ errors: ETAErrors,
        _ largest: Int64
    ) {
        recorder.add(errors)
        search?.note(activity, etaError: largest)
        var view = view
        if !eta.barCountsDown {
            let age = (from - view.shownSince).microseconds
            view.barArea += Ramp.doubledArea(from: age, to: age + (to - from).microseconds)
        }
        etas[activity.number] = view
    }

    /// Logs by how much newer content changes the ETA on a screen, whose error was measured up to now.
    @inline(never)
    mutating func logCorrection(_ activity: Handle<Activity>) {
        guard let eta = own.eta, isMeasured, !activity.isRideOver, etaSource(of: activity, eta) != nil
        else { return }
        let view = etas[activity.number]
        let passed = eta.countsDown ? 0 : (loop.now - activity.phone.content.generatedAt).microseconds
        let error = passed - (view.newest - view.shown)
        if error != 0 { log(activity, .etaCorrected(by: TimeSpan(microseconds: -error))) }
    }

    /// Adds the error of the progress bar in a stage whose time on the screen ends now.
    ///
    /// The area is divided once, because a quotient for each interval would depend on where intervals are split.
    mutating func closeBar(_ activity: Handle<Activity>) {
        guard etas.isUsed, etas[activity.number].barArea > 0 else { return }
        let stage = (activity.movesOnAt - activity.stageBeganAt).microseconds
        let area = etas[activity.number].barArea
        etas[activity.number].barArea = 0
        if stage > 0 { recorder.add(Int64(area / Int128(2 * stage)), to: .barError, part: segmentPart(of: activity)) }
    }

    /// Records an error that grows with the time [µs] that passes.
    @inline(__always)
    private func recordGrowth(of error: Int64, during time: Int64, _ errors: inout ETAErrors) {
        // If it is below 0, its absolute value falls to 0, and rises again.
        let falling = min(max(0, 0 &- error), time)
        if falling > 0 {
            recorder.recordETAError(from: 0 &- error &- falling, to: 0 &- error, isTooLong: false, in: &errors)
        }
        if falling < time {
            recorder.recordETAError(
                from: max(0, error),
                to: error &+ time,
                isTooLong: true,
                in: &errors
            )
        }
    }

    /// The change of the estimated arrival [µs] in a step, which is numbered from 1; above 0 if it becomes later.
    @inline(__always)
    func change(_ eta: ETACourse, ofRide ride: UInt64, inStep number: UInt32) -> Int64 {
        let draws = random.draws(entity: ride, purpose: Purpose.etaChange.rawValue, index: number)
        let change = eta.change(draws.first, own.bank)
        return eta.jumps(draws.second) ? change &+ jump(ofRide: ride, inStep: number) : change
    }

    /// The size of a jump [µs]; jumps are rare.
    @inline(never)
    private func jump(ofRide ride: UInt64, inStep number: UInt32) -> Int64 {
        own.eta?.jump(random.draw(entity: ride, purpose: Purpose.etaJump.rawValue, index: number), own.bank) ?? 0
    }

    /// Adds the next step to the newest estimate.
    @inline(__always)
    private func advance(_ view: inout ETAView, of ride: UInt64, _ eta: ETACourse) {
        view.stepCount &+= 1
        view.newest &+= change(eta, ofRide: ride, inStep: view.stepCount)
    }

    // MARK: - Refreshes

    /// When the next refresh is due by the policy for an ETA that moves, for content that is generated now; `never` if the
    /// stage ends first.
    ///
    /// - Complexity: O(*steps* of the estimate until then).
    func refreshWhenMoved(
        _ activity: Handle<Activity>,
        _ policy: Scenario.RefreshWhenMoved,
        _ eta: ETACourse
    ) -> Instant {
        let latest = policy.atLeastEvery.map { loop.now + $0 } ?? .never
        guard let source = etaSource(of: activity, eta) else { return latest }
        var number = changeCount(source, to: loop.now, eta)
        let end = min(latest, activity.movesOnAt, rules.horizon)
        var due = loop.now + policy.atMostEvery
        var moved: Int64 = 0
        while due < end {
            let count = changeCount(source, to: due, eta)
            while number < count {
                number += 1
                moved += change(source, inStep: number, eta)
            }
            if abs(moved) >= policy.whenMoved.microseconds { return due }
            due = instant(source, ofStep: number + 1, eta)
        }
        return latest
    }
}
