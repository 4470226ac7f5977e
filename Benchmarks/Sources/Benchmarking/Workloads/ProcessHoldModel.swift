import CMemoryHints
import Quantities
import SimulationKernel

/// PHOLD: the hold model of logical processes that send each other messages.
///
/// R. M. Fujimoto, "Performance of Time Warp under synthetic workloads", SCS Multiconference on Distributed Simulation,
/// 1990: the standard benchmark of parallel simulators, here on a single thread. One message per process is in flight.
/// A process that receives a message sends another, which takes an exponential time (mean 20 s) to any process, each
/// with the same probability. Unlike in the hold model, an event's subject says nothing about the next one's, so state
/// is accessed at random.
public struct ProcessHoldModel: Workload, ~Copyable {
    /// The state of a process: its sequence of draws and its count of messages.
    private struct Process {
        var draws: DrawSequence
        var received: UInt64
    }

    private static var mean: UInt64 { 20_000_000 }

    private var loop = EventLoop()
    private let table = ExponentialTable()
    private let processes: UnsafeMutablePointer<Process>
    private let count: Int

    /// The hash of the instants and receivers of all messages so far.
    public private(set) var trajectoryHash: UInt64 = 0

    /// Creates processes, each of which has sent its first message.
    ///
    /// - Parameter count: The number of processes.
    /// - Precondition: `processes` is within 1...2^26.
    public init(processes count: Int) {
        precondition((1...EventWord.subjectLimit).contains(count), "more subjects than an event word can name")
        self.count = count
        processes = .allocate(capacity: count)
        for process in 0..<count {
            (processes + process).initialize(to: Process(draws: DrawSequence(seed: UInt64(process) << 32), received: 0))
        }
        for process in 0..<count {
            send(from: process, at: 0)
        }
    }

    deinit {
        processes.deallocate()
    }

    /// Delivers a number of messages.
    ///
    /// - Complexity: O(`units`), times the cost of the event list.
    @inline(never)
    public mutating func run(units: Int) {
        for _ in 0..<units {
            if let upcoming = loop.upcoming(HoldModel.lookAhead) {
                prefetch_line(processes + Int(upcoming.subject))
            }
            guard let event = loop.next(through: .never) else {
                preconditionFailure("an event was lost")
            }
            let now = loop.now.microseconds
            let process = Int(event.subject)
            processes[process].received &+= 1
            let seen = UInt64(bitPattern: now) ^ UInt64(event.subject) << 38 ^ processes[process].received << 58
            trajectoryHash = HoldModel.combined(trajectoryHash, seen)
            send(from: process, at: now)
        }
    }

    @inline(__always)
    private mutating func send(from process: Int, at now: Int64) {
        let draw = processes[process].draws.next()
        let receiver = ((draw & 0xFFFF_FFFF) &* UInt64(count)) &>> 32
        let span = (table.value(for: draw) &* ProcessHoldModel.mean) &>> ExponentialTable.places
        loop.schedule(
            EventWord(kind: 0, subject: UInt32(truncatingIfNeeded: receiver)),
            at: Instant(microseconds: now &+ Int64(bitPattern: span)),
            priority: EventPriority(rank: 0)
        )
    }
}
