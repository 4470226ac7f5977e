// Runs the steady state of one workload on the main thread, with no signal handler, no other thread and no output
// meanwhile, so that tools which count instructions see it alone.
//
//     steady-state hold|mm1|phold|model SIZE UNITS
//
// SIZE is the number of pending events, processes or live activities (mm1 has none), UNITS of operations, customers or
// simulated seconds. What is to be counted happens inside one function:
// valgrind --tool=callgrind --collect-atstart=no '--toggle-collect=*measuredSteadyState*' steady-state model 1000 600

import Benchmarking
import CAllocationCount
import Foundation
import Quantities

/// What `--toggle-collect` is given; never inlined, or there would be nothing to toggle at.
@inline(never)
func measuredSteadyState() {
    measuredWork()
}

nonisolated(unsafe) var measuredWork: () -> Void = {}

func usage() -> Never {
    FileHandle.standardError.write(Data("usage: steady-state hold|mm1|phold|model SIZE UNITS\n".utf8))
    exit(64)
}

/// Runs what is to be measured and prints how often it asked for memory.
///
/// - Parameter work: Returns how many events it had.
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
/// A model without copies, in a box that closures can share.
final class Box<Model: ~Copyable> {
    var model: Model

    init(_ model: consuming Model) {
        self.model = model
    }
}

/// Warms a workload up and measures as many of its units as asked for.
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
case "model":
    let span = TimeSpan.seconds(Int64(units))
    let model = try ModelWorkload(activities: size, cells: 1, longest: ModelWorkload.warmUp + span + .minutes(75))
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
