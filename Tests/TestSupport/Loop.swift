import Foundation

/// The test loop that runs the tests; scripts/loop describes the loops.
public enum Loop {
    /// `true` if tests that take more than 0.4 s alone run, which is the case everywhere except in `make check`.
    ///
    /// Such a test has the trait `.enabled(if: Loop.isFull)`.
    public static let isFull = asked != "quick"

    /// `true` if hostile tests run in full, with more seeds and more kills, as in `make hostile`.
    public static let isHostile = asked == "hostile"

    private static let asked = ProcessInfo.processInfo.environment["FRESHET_TESTS"]
}
