public import Experiments
import Foundation
import Quantities

/// Shows on standard error how far a run has come: one changing line on a terminal, a plain line now and then elsewhere.
public struct ProgressLine: Sendable {
    /// Whether standard error is a terminal.
    public static let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    private let began = ContinuousClock.now

    /// Does work and shows how far it has come; the line is gone before it is told how the work ended.
    public static func during<Value>(
        _ progress: RunProgress,
        quiet: Bool,
        _ work: () async throws -> Value
    ) async throws -> Value {
        // Cancelled and waited for where this ends, however it does.
        async let _: Void = quiet ? () : ProgressLine().show(progress)
        return try await work()
    }

    /// Shows progress until the task is cancelled.
    private func show(_ progress: RunProgress) async {
        let interval: Duration = Self.isTerminal ? .milliseconds(250) : .seconds(10)
        while (try? await Task.sleep(for: interval)) != nil { Self.tell(line(progress.state)) }
        Self.clear()
    }

    /// Shows a line in place of the last one on a terminal, after it elsewhere.
    public static func tell(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n").utf8))
    }

    /// Takes the line away on a terminal.
    public static func clear() {
        if isTerminal { try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8)) }
    }

    private func line(_ state: RunProgress.State) -> String {
        let seconds = began.duration(to: .now) / .seconds(1)
        let rate = Double(state.events) / max(seconds, 0.001) / 1e6
        let left = state.share > 0.01 ? seconds / state.share * (1 - state.share) : nil
        let simulated = Double(state.simulated.microseconds) / 3.6e9
        return String(
            format: "%5.1f %%  %.2f M events/s  %.1f cell hours simulated  %d of %d cells done  %@",
            locale: Locale(identifier: "en_US_POSIX"),
            state.share * 100,
            rate,
            simulated,
            state.finishedTasks,
            state.tasks,
            left.map { String(format: "%.0f s left", $0) } ?? ""
        )
    }
}
