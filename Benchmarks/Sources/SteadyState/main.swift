// Runs the steady state of one workload on the main thread, with no signal handler, no other thread and no output
// meanwhile, so that tools which count instructions see it alone.
//
//     steady-state hold|model SIZE UNITS
//
// SIZE is the number of pending events or of live activities, UNITS of operations or of simulated seconds. What is to
// be counted happens inside the function `measured_steady_state`:
// valgrind --tool=callgrind --collect-atstart=no --toggle-collect=measured_steady_state steady-state model 1000 600

import Benchmarking
import CAllocationCount
import Foundation
import Quantities
import Workloads

/// The name that `--toggle-collect` is given; never inlined, or there would be nothing to toggle at.
@inline(never)
@_cdecl("measured_steady_state")
func measuredSteadyState() {
    measuredWork()
}

nonisolated(unsafe) var measuredWork: () -> Void = {}

func usage() -> Never {
    FileHandle.standardError.write(Data("usage: steady-state hold|model SIZE UNITS\n".utf8))
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
switch arguments[1] {
case "hold":
    // Captured by reference, for a value without copies.
    final class Box {
        var hold: HoldModel
        init(pending: Int) { hold = HoldModel(pending: pending, profile: .exponential) }
    }
    let box = Box(pending: size)
    box.hold.run(operations: max(size, units))
    var done: UInt64 = 0
    measure {
        box.hold.run(operations: units)
        done = UInt64(units)
    } events: {
        done
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
