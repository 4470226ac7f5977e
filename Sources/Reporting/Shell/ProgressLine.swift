public import Experiments
import Foundation
import Quantities

/// Shows the progress of a run on standard error: one changing line on a terminal, a plain line now and then elsewhere.
public struct ProgressLine: Sendable {
    /// `true` if standard error is a terminal.
    public static let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
    private let began = ContinuousClock.now

    /// Performs work and shows its progress; the line is cleared before the outcome is printed.
    public static func during<Value>(
        _ progress: RunProgress,
        quiet: Bool,
        _ work: () async throws -> Value
    ) async throws -> Value {
        // The task is cancelled and awaited at the end of this scope, even after an error.
        async let _: Void = quiet ? () : ProgressLine().show(progress)
        return try await work()
    }

    /// Shows progress until the task is cancelled.
    private func show(_ progress: RunProgress) async {
        let interval: Duration = Self.isTerminal ? .milliseconds(250) : .seconds(10)
        while (try? await Task.sleep(for: interval)) != nil { Self.tell(line(progress.state)) }
        Self.clear()
    }

    /// Replaces the last line on a terminal; appends a line elsewhere.
    ///
    /// A line that is wider than the terminal is cut, because the next line could not replace its rest.
    public static func tell(_ line: String) {
        let shown = isTerminal ? "\r\u{1B}[K\(line.prefix(max(20, terminalWidth - 1)))" : "\(line)\n"
        try? FileHandle.standardError.write(contentsOf: Data(shown.utf8))
    }

    /// The columns of the terminal, or the usual number if it does not report them.
    private static var terminalWidth: Int {
        var size = winsize()
        let isKnown = ioctl(FileHandle.standardError.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0
        return isKnown && size.ws_col > 0 ? Int(size.ws_col) : width
    }

    /// The maximum width of a line of progress [columns].
    public static let width = 80

    /// A count in at most six characters.
    public static func count(_ number: Int) -> String { Format.short(number) }

    /// A rate in at most six characters.
    public static func rate(_ rate: Double) -> String { rate < 10 ? Format.rate(rate) : count(Int(rate)) }

    /// A duration [µs], formatted as in reports.
    public static func span(_ microseconds: Int64) -> String { Format.span(microseconds) }

    /// A share in percent, with one decimal place.
    public static func percent(_ share: Double) -> String {
        String(format: "%5.1f %%", share * 100)
    }

    /// Returns an estimate of the time left, as the end of a line; empty near the beginning, where an estimate is too
    /// uncertain.
    ///
    /// - Parameter share: The share of the work that is done, 0...1.
    public static func left(after seconds: Double, share: Double) -> String {
        guard share > 0.01, share <= 1 else { return "" }
        let left = (seconds / share * (1 - share)).rounded()
        return "  \(Format.span(left * 1e6)) left"
    }

    /// Clears the line on a terminal.
    public static func clear() {
        if isTerminal { try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8)) }
    }

    private func line(_ state: RunProgress.State) -> String {
        Self.line(state, after: began.duration(to: .now) / .seconds(1))
    }

    /// Returns the line for a state after some seconds.
    static func line(_ state: RunProgress.State, after seconds: Double) -> String {
        let rate = Double(state.events) / max(seconds, 0.001)
        let cells = "\(Format.short(state.finishedTasks)) of \(Format.short(state.tasks)) cells"
        let hours = Format.short(Int(Double(state.simulated.microseconds) / 3.6e9))
        return percent(state.share) + "  \(Format.short(Int(rate))) events/s  \(cells)  \(hours) cell h"
            + left(after: seconds, share: state.shareOfNewTasks)
    }
}
