import Foundation
import Quantities
public import Shell
public import Studies

/// Progress of a run, and its numbers.
extension ProgressLine {
    /// Performs work and shows its progress; the line is cleared before the outcome is printed.
    public static func during<Value>(
        _ progress: RunProgress,
        quiet: Bool,
        _ work: () async throws -> Value
    ) async throws -> Value {
        // The task is cancelled and awaited at the end of this scope, even after an error.
        async let _: Void = quiet ? () : follow(progress)
        return try await work()
    }

    /// Shows progress until the task is cancelled.
    private static func follow(_ progress: RunProgress) async {
        let (began, interval) = (ContinuousClock.now, isTerminal ? Duration.milliseconds(250) : .seconds(10))
        while (try? await Task.sleep(for: interval)) != nil {
            show(line(progress.state, after: began.duration(to: .now) / .seconds(1)))
        }
        clear()
    }

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

    /// Returns the line for a state after some seconds.
    static func line(_ state: RunProgress.State, after seconds: Double) -> String {
        let rate = Double(state.events) / max(seconds, 0.001)
        let cells = "\(Format.short(state.finishedTasks)) of \(Format.short(state.tasks)) cells"
        let hours = Format.short(Int(Double(state.simulated.microseconds) / 3.6e9))
        return percent(state.share) + "  \(Format.short(Int(rate))) events/s  \(cells)  \(hours) cell h"
            + left(after: seconds, share: state.shareOfNewTasks)
    }
}
