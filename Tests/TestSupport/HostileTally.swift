import Synchronization

/// Counts the hostile checks of one class in one test, and prints them for `make hostile`, which adds the lines up.
///
/// The line, `hostile`, class, checks, held, failed and figures between tabs, is printed when the tally goes out of use, so
/// also after a check that has thrown.
public final class HostileTally: Sendable {
    private let name: String
    private let state: Mutex<(checks: Int, counted: Int, held: Int, figures: [String])>

    /// A tally of a class of checks.
    ///
    /// - Parameter checks: How many there will be at least; those that are never counted have failed.
    public init(_ name: String, checks: Int = 0) {
        self.name = name
        state = Mutex((checks, 0, 0, []))
    }

    /// Counts a check, and gives its outcome on.
    @discardableResult
    public func counts(_ holds: Bool = true) -> Bool {
        state.withLock {
            $0.counted += 1
            $0.held += holds ? 1 : 0
        }
        return holds
    }

    /// Says something measured, as "peak 40 MB".
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
