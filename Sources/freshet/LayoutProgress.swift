import Experiments
import Reporting

/// Lays out a design, and tells how many of its points are laid out where there are thousands.
///
/// - Parameter layOut: Does it; is given whom to tell.
func layingOut<Laid>(
    quiet: Bool = false,
    _ layOut: ((Int) -> Void) throws(ScenarioError) -> Laid
) throws(ScenarioError) -> Laid {
    defer { if !quiet { ProgressLine.clear() } }
    return try layOut { count in
        // Where lines stay, one for each thousand would be a page.
        guard !quiet, ProgressLine.isTerminal || count.isMultiple(of: 10_000) else { return }
        ProgressLine.tell("\(ProgressLine.count(count)) design points laid out")
    }
}
