import Reporting
import ScenarioLanguage
import Shell

/// Lays out a design and shows progress if it has thousands of points.
///
/// - Parameter layOut: Lays out the design; its argument is a callback for the number of points so far.
func layingOut<Laid>(
    quiet: Bool = false,
    _ layOut: ((Int) -> Void) throws(ScenarioError) -> Laid
) throws(ScenarioError) -> Laid {
    defer { if !quiet { ProgressLine.clear() } }
    return try layOut { count in
        // Without a terminal each report is a line of its own, so print fewer.
        guard !quiet, ProgressLine.isTerminal || count.isMultiple(of: 10_000) else { return }
        ProgressLine.show("\(ProgressLine.count(count)) design points laid out")
    }
}
