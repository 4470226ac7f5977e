import ArgumentParser
import Dispatch
import Foundation
import Synchronization

/// Runs work that Ctrl-C and `kill` may stop: they cancel it, so that it can end in order; a second signal kills.
enum Interruption {
    /// Performs work and turns a signal into the exit code that scripts expect (130, 143).
    ///
    /// - Parameter kept: What to tell the user about results when a signal has stopped the work.
    static func guarding<Value: Sendable>(
        kept: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let received = Received()
        let task = Task { try await work() }
        // A queue of its own has a thread of its own; the shared ones may all be busy with the work.
        let queue = DispatchQueue(label: "signals")
        let sources = [SIGINT, SIGTERM]
            .map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler {
                    received.signal.store(number, ordering: .relaxed)
                    task.cancel()
                    signal(number, SIG_DFL)
                }
                source.resume()
                return source
            }
        defer {
            for source in sources {
                source.cancel()
            }
        }
        do {
            return try await task.value
        } catch is CancellationError {
            printError("stopped; \(kept)")
            throw received.signal.load(ordering: .relaxed) == SIGTERM ? Failure.terminated : Failure.interrupted
        }
    }

    private final class Received: Sendable {
        let signal = Atomic<Int32>(0)
    }
}
