import Synchronization

/// Counts the hostile checks of one class in one test and prints them for `make hostile`, which adds up the lines.
///
/// The line consists of `hostile`, class, checks, held, failed and figures, separated by tabs. It is printed when the
/// tally is deallocated, and so also after a check that throws.
public final class HostileTally: Sendable {
    private let name: String
    private let state: Mutex<(checks: Int, counted: Int, held: Int, figures: [String])>

    /// A tally of a class of checks.
    ///
    /// - Parameter checks: The minimum number of checks; missing ones count as failed.
    public init(_ name: String, checks: Int = 0) {
        self.name = name
        state = Mutex((checks, 0, 0, []))
    }

    /// Counts a check and returns its outcome.
    @discardableResult
    public func counts(_ holds: Bool = true) -> Bool {
        state.withLock {
            $0.counted += 1
            $0.held += holds ? 1 : 0
        }
        return holds
    }

    /// Adds a measured figure, such as "peak 40 MB".
    public func tells(_ figure: String) {
        state.withLock { $0.figures.append(figure) }
    }

    deinit {
        guard Loop.isHostile else { return }
        let (checks, counted, held, figures) = state.withLock { $0 }
        let all = max(checks, counted)
        let fields = ["hostile", name, "\(all)", "\(held)", "\(all - held)", figures.joined(separator: "; ")]
        print(fields.joined(separator: "\t"))
    }
}
