import FreshnessCore
import Quantities
import SimulationKernel

/// Estimates of arrival: generated ones, and those from a file.
extension CellSimulation {
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

    /// The change of the estimated arrival [µs] in a step, which is numbered from 1; above 0 if it becomes later.
    @inline(__always)
    private func change(_ eta: ETACourse, ofRide ride: UInt64, inStep number: UInt32) -> Int64 {
        let draws = random.draws(entity: ride, purpose: Purpose.etaChange.rawValue, index: number)
        let change = eta.change(draws.first, own.bank)
        return eta.jumps(draws.second) ? change &+ jump(ofRide: ride, inStep: number) : change
    }

    /// The size of a jump [µs]; jumps are rare.
    @inline(never)
    private func jump(ofRide ride: UInt64, inStep number: UInt32) -> Int64 {
        own.eta?.jump(random.draw(entity: ride, purpose: Purpose.etaJump.rawValue, index: number), own.bank) ?? 0
    }
}
