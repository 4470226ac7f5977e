import ArgumentParser
import Dispatch
import Foundation
import Synchronization

/// Runs work that Ctrl-C, `kill` and a closed terminal can stop.
///
/// The first signal cancels the work, which then ends in order. A second signal kills it.
///
/// A second signal is one that comes at least half a second after the first. An earlier one counts as a repetition,
/// because `timeout` sends each of its signals twice.
public enum Interruption {
    /// Performs work and turns a signal into the exit code that scripts expect (130, 143).
    ///
    /// - Parameter kept: The sentence to print about results if a signal has stopped the work.
    public static func guarding<Value: Sendable>(
        kept: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await performing(work, until: nil, kept: kept)
    }

    /// Performs work that the first signal ends early, with its results so far; a second signal abandons it at once.
    ///
    /// A signal before there is anything to keep stops the work as in ``guarding(kept:_:)``. For a signal after the
    /// work is over, see ``EarlyEnd``.
    ///
    /// - Parameter kept: The sentence to print about results if the work is abandoned.
    public static func endingEarly<Value: Sendable>(
        kept: String,
        _ work: @escaping @Sendable (EarlyEnd) async throws -> Value
    ) async throws -> Value {
        let end = EarlyEnd()
        return try await performing({ try await work(end) }, until: end, kept: kept)
    }

    /// The time that abandoned work has to notice its cancellation.
    private static let patience = DispatchTimeInterval.seconds(1)

    private static func performing<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        until end: EarlyEnd?,
        kept: String
    ) async throws -> Value {
        let task = Task { try await work() }
        // A queue of its own has a thread of its own; the work may keep all shared threads busy.
        let queue = DispatchQueue(label: "signals")
        // Dispatch sources can be cancelled from any thread, though they are not marked as Sendable.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(
            fileDescriptor: SignalPipe.shared.readEnd,
            queue: queue
        )
        let received = Received()
        source.setEventHandler {
            guard let (number, instant) = SignalPipe.shared.next(),
                received.debouncer.withLock({ $0.isNew(at: instant) })
            else { return }
            received.signal.store(number, ordering: .relaxed)
            switch end?.signalled(number == SIGINT ? .interrupted : .terminated) {
            case .endsEarly:
                ProgressLine.clear()
                printError(
                    "ending early: waiting for requests in flight, then writing the results; "
                        + "press Ctrl-C again to abandon them"
                )
                return
            case .waits(let rest):
                ProgressLine.clear()
                printError("the load is over and \(rest); press Ctrl-C again to abandon them")
                return
            case .stops, nil: break
            }
            guard !task.isCancelled else {
                signal(number, SIG_DFL)
                kill(getpid(), number)
                return
            }
            task.cancel()
            guard end?.hasBegun == true else { return }
            // Each file is written by a single call, which nothing interrupts.
            queue.asyncAfter(deadline: .now() + patience) {
                ProgressLine.clear()
                printError("stopped; \(end?.kept ?? kept)")
                _exit((number == SIGINT ? Failure.interrupted : Failure.terminated).rawValue)
            }
        }
        source.resume()
        // A closed terminal also stops work in order, unless the caller ignores the signal (`nohup`). It stops a load
        // too, instead of ending it early.
        let numbers = [SIGINT, SIGTERM] + (end == nil && !isIgnored(SIGHUP) ? [SIGHUP] : [])
        for number in numbers { signal(number) { SignalPipe.shared.send($0) } }
        let letGo: @Sendable () -> Void = {
            for number in numbers { signal(number, SIG_DFL) }
            source.cancel()
        }
        defer {
            if received.debouncer.withLock(\.isAny) {
                // The process is about to end; a repeated signal must not kill it before that.
                queue.asyncAfter(deadline: .now() + SignalDebouncer.span / .seconds(1), execute: letGo)
            } else {
                letGo()
            }
        }
        do {
            return try await task.value
        } catch is CancellationError {
            // The line may still be on the terminal, with the ^C behind it.
            ProgressLine.clear()
            printError("stopped; \(end?.kept ?? kept)")
            let isTermination = [SIGTERM, SIGHUP].contains(received.signal.load(ordering: .relaxed))
            throw isTermination ? Failure.terminated : Failure.interrupted
        }
    }

    /// Returns true if this process was started with a signal ignored.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        // SIG_IGN is 1 in each system's headers, which Swift cannot import.
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    private final class Received: Sendable {
        let signal = Atomic<Int32>(0)
        let debouncer = Mutex(SignalDebouncer())
    }
}

/// Carries signals from their handler, where few calls are safe, to the queue that waits for them.
///
/// A signal that comes before the queue waits stays in the pipe, so none is lost on a busy machine.
private struct SignalPipe: Sendable {
    static let shared = SignalPipe()

    let readEnd: Int32
    private let writeEnd: Int32

    private init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("the system gives no pipe") }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// The bytes in the pipe for one signal.
    private struct Record {
        var number: Int32 = 0
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
    }

    /// Sends a signal from its handler, where few calls are safe; `clock_gettime` and `write` are.
    ///
    /// The instant is read here, since a busy machine may read the pipe late.
    func send(_ number: Int32) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        var record = Record(number: number, seconds: Int64(now.tv_sec), nanoseconds: Int64(now.tv_nsec))
        _ = write(writeEnd, &record, MemoryLayout<Record>.size)
    }

    /// Returns the first signal and the instant at which it came.
    func next() -> (number: Int32, instant: Duration)? {
        var record = Record()
        // A record is small enough to be written and read in one piece.
        guard read(readEnd, &record, MemoryLayout<Record>.size) == MemoryLayout<Record>.size else { return nil }
        return (record.number, .seconds(record.seconds) + .nanoseconds(record.nanoseconds))
    }
}
