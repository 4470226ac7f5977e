import Experiments
import LiveActivityModel
import Quantities

/// Makes a failing scenario smaller as long as it fails.
enum Shrinking {
    /// More scenarios than this are not tried.
    private static let mostTrials = 1000

    /// What a violation is about, without its numbers: a smaller scenario fails alike with others.
    static func kind(of violation: String) -> String {
        violation.filter { !$0.isNumber }
    }

    /// Greedily: whole sections, then single keys, are left out; lists, times and numbers of rides are halved.
    ///
    /// - Parameter fails: Whether a scenario still fails.
    static func smallest(_ scenario: Scenario, while fails: (Scenario) -> Bool) -> Scenario {
        var smallest = scenario
        var trials = 0
        func tryOut(_ makeCandidate: @autoclosure () -> Scenario?) -> Bool {
            guard trials < mostTrials else { return false }
            trials += 1
            guard let candidate = makeCandidate(), candidate != smallest, fails(candidate) else { return false }
            smallest = candidate
            return true
        }
        var hasShrunk = true
        while hasShrunk {
            hasShrunk = false
            for path in ScenarioReduction.paths(of: smallest) where !isAboutTheRun(path) {
                if tryOut(ScenarioReduction.scenario(smallest, without: path)) { hasShrunk = true }
            }
            for halve in halvings {
                var candidate = smallest
                halve(&candidate)
                while tryOut(candidate) {
                    hasShrunk = true
                    halve(&candidate)
                }
            }
        }
        return smallest
    }

    /// Another name or seed is not smaller; nor is a run without its length, whose default is an hour.
    private static func isAboutTheRun(_ path: String) -> Bool {
        ["name", "seed", "description", "clock", "clock.duration", "rides.arrivals", "rides.arrivals.process"].contains(path)
    }

    private static let halvings: [@Sendable (inout Scenario) -> Void] = [
        { $0.clock.duration = half($0.clock.duration) },
        { $0.clock.drain = half($0.clock.drain) },
        { $0.rides.arrivals.count /= 2 },
        { $0.rides.arrivals.ratesPerHour = $0.rides.arrivals.ratesPerHour.map { ($0 / 2).rounded(.down) } },
    ]

    /// Half of a time, in whole seconds.
    private static func half(_ span: TimeSpan) -> TimeSpan { .seconds(span.microseconds / 2_000_000) }
}
