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
    /// Content of an earlier stage has an ETA of something else; such time is not measured here. Nor is a ride that has no
    /// recorded estimates where others have some.
    ///
    /// - Complexity: O(*changes* of the estimate in the interval).
    @inline(never)
    mutating func measureETA(_ activity: Handle<Activity>, from: Instant, to: Instant) {
        guard let eta = own.eta, !activity.isRideOver, activity.showsStage,
            let source = etaSource(of: activity, eta)
        else { return }
        var view = etas[activity.number]
        // The recorded estimates of another stage are a series of their own.
        if source.part != nil, view.shownSince < source.origin { view = ETAView(barArea: view.barArea) }
        func advance() {
            view.stepCount &+= 1
            view.newest &+= change(source, inStep: view.stepCount, eta)
        }
        let count = changeCount(source, to: from, eta)
        while view.stepCount < count { advance() }
        let generatedAt = activity.phone.content.generatedAt
        if view.shownSince != generatedAt {
            view.shownSince = generatedAt
            view.shown = view.newest
            var number = view.stepCount
            let countAtGeneration = changeCount(source, to: generatedAt, eta)
            while number > countAtGeneration {
                view.shown &-= change(source, inStep: number, eta)
                number &-= 1
            }
        }
        var start = from.microseconds
        var errors = ETAErrors(inSegment: activity.segment)
        var largest: Int64 = 0
        while start < to.microseconds {
            let next = instant(source, ofStep: view.stepCount &+ 1, eta).microseconds
            let end = min(next, to.microseconds)
            if start < end { recordError(of: &view, from: start, to: end, eta, &errors, &largest) }
            if next <= to.microseconds { advance() }
            start = end
        }
        if !eta.barCountsDown {
            // The bar moves with updates only.
            let age = (from - view.shownSince).microseconds
            view.barArea += Ramp.doubledArea(from: age, to: age + (to - from).microseconds)
        }
        etas[activity.number] = view
        recorder.add(errors)
        search?.note(activity, etaError: largest)
    }

    /// Records the error of a view in an interval [µs] without a new estimate.
    @inline(__always)
    private mutating func recordError(
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
