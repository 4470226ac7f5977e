// Runs the steady state of one workload on the main thread, without signal handlers, other threads or output meanwhile,
// so that tools which count instructions measure it alone.
//
//     steady-state hold|mm1|phold|model|card|fleet|endpoint SIZE UNITS
//
// SIZE is the number of pending events, processes or live activities (mm1 has none), UNITS the number of operations,
// customers or simulated seconds. The measured work runs inside one function:
// valgrind --tool=callgrind --collect-atstart=no '--toggle-collect=*measuredSteadyState*' steady-state model 1000 600

import Benchmarking
import CAllocationCount
import Foundation
import Quantities

/// The function for `--toggle-collect`; never inlined, so that it exists in the binary.
@inline(never)
func measuredSteadyState() {
    measuredWork()
}

nonisolated(unsafe) var measuredWork: () -> Void = {}

func usage() -> Never {
    FileHandle.standardError.write(
        Data("usage: steady-state hold|mm1|phold|model|card|fleet|endpoint SIZE UNITS\n".utf8)
    )
    exit(64)
}

/// Runs the measured work and prints its number of allocations.
///
/// - Parameter work: Returns the number of its events.
func measure(_ work: @escaping () -> UInt64) {
    var happened: UInt64 = 0
    measuredWork = { happened = work() }
    let allocationsBefore = allocation_count()
    let began = threadCPUNanoseconds()
    measuredSteadyState()
    let nanoseconds = threadCPUNanoseconds() - began
    let allocated = allocation_count() - allocationsBefore
    print("events \(happened)")
    print("allocations \(allocated)")
    print("nanoseconds \(nanoseconds)")
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let size = Int(arguments[2]), let units = Int(arguments[3]), size > 0, units > 0 else {
    usage()
}
/// A noncopyable model in a box that closures can share.
final class Box<Model: ~Copyable> {
    var model: Model

    init(_ model: consuming Model) {
        self.model = model
    }
}

/// Warms a workload up and measures the requested number of its units.
func measure<Model: Workload & ~Copyable>(_ model: consuming Model, warmUp: Int) {
    let box = Box(model)
    box.model.run(units: warmUp)
    measure {
        box.model.run(units: units)
        return UInt64(units)
    }
}

switch arguments[1] {
case "hold":
    measure(HoldModel(pending: size, profile: .exponential), warmUp: max(size, units))
case "mm1":
    measure(SingleServerQueue(), warmUp: units)
case "phold":
    measure(ProcessHoldModel(processes: size), warmUp: max(size, units))
case let name where ModelWorkload.Mechanisms(rawValue: name) != nil:
    let span = TimeSpan.seconds(Int64(units))
    let model = try ModelWorkload(
        activities: size,
        cells: 1,
        longest: ModelWorkload.warmUp + span + .minutes(75),
        mechanisms: ModelWorkload.Mechanisms(rawValue: name) ?? .none
    )
    model.run(for: ModelWorkload.warmUp)
    let (eventsBefore, pushesBefore) = (model.eventCount, model.pushCount)
    measure {
        model.run(for: span)
        return model.eventCount - eventsBefore
    }
    print("pushes \(model.pushCount - pushesBefore)")
    print("activities \(model.activityCount)")
    print("fingerprint \(String(model.fingerprint, radix: 16))")
default:
    usage()
}
