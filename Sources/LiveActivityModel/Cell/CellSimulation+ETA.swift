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
    mutating func measureETA(_ activity: Handle<Activity>, from: Instant, to: Instant, _ eta: ETACourse) {
        guard !activity.isRideOver, activity.showsStage else { return }
        var view = etas[activity.number]
        let (ride, requestedAt) = (activity.ride, activity.requestedAt)
        advance(&view, of: activity, to: from, eta)
        let generatedAt = activity.phone.content.generatedAt
        if view.shownSince != generatedAt {
            view.shownSince = generatedAt
            view.shown = view.newest
            var number = eta.steps(from: requestedAt, to: generatedAt) &+ 1
            while number <= view.stepCount {
                view.shown -= eta.change(ofRide: ride, inStep: number, random, world.bank)
                number += 1
            }
        }
        var start = from.microseconds
        var next = requestedAt.microseconds &+ Int64(view.stepCount &+ 1) &* eta.step.microseconds
        var errors = ETAErrors()
        var largest: Int64 = 0
        while start < to.microseconds {
            let end = min(next, to.microseconds)
            let passed = eta.countsDown ? 0 : start &- generatedAt.microseconds
            let error = passed &- (view.newest &- view.shown)
            recordETAError(error, during: end &- start, eta, &errors)
            if search != nil { largest = max(largest, abs(error), eta.countsDown ? 0 : abs(error &+ end &- start)) }
            if next <= to.microseconds { step(&view, of: ride, eta) }
            next = next &+ eta.step.microseconds
            start = end
        }
        recorder.add(errors)
        search?.note(activity, etaError: largest)
        let age = (from - generatedAt).microseconds
        view.barArea += Ramp.doubledArea(from: age, to: age + (to - from).microseconds)
        etas[activity.number] = view
    }

    /// Logs by how much newer content changes the ETA on a screen, whose error was measured up to now.
    @inline(never)
    mutating func logCorrection(_ activity: Handle<Activity>) {
        guard let eta = world.eta, isMeasured, !activity.isRideOver else { return }
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
        if stage > 0 { recorder.add(Int64(area / Int128(2 * stage)), to: .barError) }
    }

    /// Records an error that stays the same for a time [µs] or, without a countdown, grows with it.
    @inline(__always)
    private func recordETAError(_ error: Int64, during time: Int64, _ eta: ETACourse, _ errors: inout ETAErrors) {
        guard time > 0 else { return }
        if eta.countsDown {
            recorder.recordETAError(abs(error), during: time, isTooLong: error >= 0, in: &errors)
        } else if error >= 0 {
            recorder.recordETAError(from: error, to: error &+ time, isTooLong: true, in: &errors)
        } else {
            // The absolute error falls to 0, and rises again.
            let falling = min(-error, time)
            recorder.recordETAError(from: -error &- falling, to: -error, isTooLong: false, in: &errors)
            if falling < time { recorder.recordETAError(from: 0, to: time &- falling, isTooLong: true, in: &errors) }
        }
    }

    @inline(__always)
    private func step(_ view: inout ETAView, of ride: UInt64, _ eta: ETACourse) {
        view.stepCount &+= 1
        view.newest &+= eta.change(ofRide: ride, inStep: view.stepCount, random, world.bank)
    }

    @inline(__always)
    private func advance(_ view: inout ETAView, of activity: Handle<Activity>, to instant: Instant, _ eta: ETACourse) {
        let count = eta.steps(from: activity.requestedAt, to: instant)
        while view.stepCount < count { step(&view, of: activity.ride, eta) }
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
        var number = eta.steps(from: activity.requestedAt, to: loop.now)
        let latest = policy.atLeastEvery.map { loop.now + $0 } ?? .never
        let end = min(latest, activity.movesOnAt, rules.horizon)
        var due = loop.now + policy.atMostEvery
        var moved: Int64 = 0
        while due < end {
            let count = eta.steps(from: activity.requestedAt, to: due)
            while number < count {
                number += 1
                moved += eta.change(ofRide: activity.ride, inStep: number, random, world.bank)
            }
            if abs(moved) >= policy.whenMoved.microseconds { return due }
            due = activity.requestedAt + TimeSpan(microseconds: Int64(number + 1) * eta.step.microseconds)
        }
        return latest
    }
}
