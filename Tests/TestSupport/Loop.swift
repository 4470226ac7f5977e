import Foundation

/// Which of the project's loops runs the tests; scripts/loop says what each of them is for.
public enum Loop {
    /// Whether tests run that take more than 0.4 s alone, as they do everywhere but in `make check`.
    ///
    /// A trait of such a test is `.enabled(if: Loop.isFull)`.
    public static let isFull = asked != "quick"

    /// Whether hostile tests do all that they can, as `make hostile` asks: more seeds, more kills.
    public static let isHostile = asked == "hostile"

    private static let asked = ProcessInfo.processInfo.environment["FRESHET_TESTS"]
}
