import FreshnessCore
import Quantities
import SimulationKernel

/// Estimates of arrival that come from a file, beside the generated ones.
extension CellSimulation {
    /// Measures the error of the ETA on a screen whose ride has recorded estimates; a ride without any is not measured.
    ///
    /// - Complexity: O(*changes* of the estimate in the interval).
    @inline(never)
    mutating func measureRecordedETA(_ activity: Handle<Activity>, from: Instant, to: Instant, _ eta: ETACourse) {
        guard let source = etaSource(of: activity, eta) else { return }
        var view = etas[activity.number]
        // The estimates of another stage are a series of their own.
        if view.shownSince < source.origin { view = ETAView(barArea: view.barArea) }
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
        concludeMeasurement(of: activity, view, from: from, to: to, eta, errors, largest)
    }

    /// The source of an activity's estimates in its ride's current stage; nil if it has none.
    @inline(__always)
    func etaSource(of activity: Handle<Activity>, _ eta: ETACourse) -> ETASource? {
        eta.isRecorded
            ? recordedSource(of: activity) : ETASource(ride: activity.ride, origin: activity.requestedAt, part: nil)
    }

    @inline(never)
    private func recordedSource(of activity: Handle<Activity>) -> ETASource? {
        guard let estimates = own.estimates else { return nil }
        let number: Int
        if activity.traceRow >= 0 {
            number = Int(world.scenario.rides.trace?.rides[Int(activity.traceRow)].estimates ?? 0) - 1
        } else {
            let count = UInt64(estimates.rideCount)
            number = Int(count.multipliedFullWidth(by: draw(activity, .recordedEstimates)).high)
        }
        guard number >= 0 else { return nil }
        let part = estimates.part(ofRide: number, inStage: activity.stage)
        let origin = estimates.stageCount == 0 ? activity.requestedAt : activity.stageBeganAt
        return part.isEmpty ? nil : ETASource(ride: activity.ride, origin: origin, part: part)
    }

    /// The number of changes of the estimate up to an instant.
    @inline(__always)
    func changeCount(_ source: ETASource, to instant: Instant, _ eta: ETACourse) -> UInt32 {
        guard let part = source.part else { return eta.steps(from: source.origin, to: instant) }
        return own.estimates?.changeCount(in: part, upTo: instant - source.origin) ?? 0
    }

    /// The change of the estimated arrival [µs] with a number, from 1; above 0 if it becomes later.
    @inline(__always)
    func change(_ source: ETASource, inStep number: UInt32, _ eta: ETACourse) -> Int64 {
        guard let part = source.part else { return change(eta, ofRide: source.ride, inStep: number) }
        return own.estimates?.change(number, in: part) ?? 0
    }

    /// The instant of the change with a number, from 1; `never` after the last.
    @inline(__always)
    func instant(_ source: ETASource, ofStep number: UInt32, _ eta: ETACourse) -> Instant {
        guard let part = source.part else {
            return source.origin + TimeSpan(microseconds: Int64(number) &* eta.step.microseconds)
        }
        return own.estimates?.time(ofChange: number, in: part).map { source.origin + $0 } ?? .never
    }
}
