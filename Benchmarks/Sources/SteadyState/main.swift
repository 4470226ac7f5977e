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
import Workloads

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
func measure(_ work: @escaping () -> Void, events: () -> UInt64) {
    measuredWork = work
    let (eventsBefore, allocationsBefore) = (events(), allocation_count())
    let began = threadCPUNanoseconds()
    measuredSteadyState()
    let nanoseconds = threadCPUNanoseconds() - began
    let (allocated, happened) = (allocation_count() - allocationsBefore, events() - eventsBefore)
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
    /// How much was done, as the benchmark counts it.
    var done: UInt64 = 0

    init(_ model: consuming Model) {
        self.model = model
    }
}

switch arguments[1] {
case "hold":
    let box = Box(HoldModel(pending: size, profile: .exponential))
    box.model.run(operations: max(size, units))
    measure {
        box.model.run(operations: units)
        box.done = UInt64(units)
    } events: {
        box.done
    }
case "mm1":
    let box = Box(SingleServerQueue())
    box.model.run(customers: units)
    measure {
        box.model.run(customers: units)
        box.done = UInt64(units)
    } events: {
        box.done
    }
case "phold":
    let box = Box(ProcessHoldModel(processes: size))
    box.model.run(events: max(size, units))
    measure {
        box.model.run(events: units)
        box.done = UInt64(units)
    } events: {
        box.done
    }
case "model":
    let span = TimeSpan.seconds(Int64(units))
    let model = try ModelWorkload(activities: size, cells: 1, longest: ModelWorkload.warmUp + span + .minutes(1))
    model.run(for: ModelWorkload.warmUp)
    measure {
        model.run(for: span)
    } events: {
        model.eventCount
    }
    print("activities \(model.activityCount)")
    print("fingerprint \(String(model.fingerprint, radix: 16))")
default:
    usage()
}
