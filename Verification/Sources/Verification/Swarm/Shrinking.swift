import LiveActivityModel
import Quantities
import ScenarioLanguage

/// Reduces a failing world while it still fails.
enum Shrinking {
    /// The kind of a violation: its text without numbers, which differ in a reduced world.
    static func kind(of violation: String) -> String {
        violation.filter { !$0.isNumber }
    }

    /// Reduces a world greedily: halves times and numbers of rides, and omits whole sections, single keys, and rows of
    /// data.
    ///
    /// - Parameters:
    ///   - mostTrials: The maximum number of worlds that are tried.
    ///   - fails: Returns `true` if a world still fails.
    static func smallest(_ world: SwarmWorld, mostTrials: Int = 1000, while fails: (SwarmWorld) -> Bool) -> SwarmWorld {
        var smallest = world
        var trials = 0
        func tryOut(_ candidate: SwarmWorld?) -> Bool {
            guard trials < mostTrials, let candidate, candidate != smallest else { return false }
            trials += 1
            guard fails(candidate) else { return false }
            smallest = candidate
            return true
        }
        func tryOut(_ scenario: Scenario?) -> Bool { tryOut(scenario.map { SwarmWorld($0, files: smallest.files) }) }
        var hasShrunk = true
        while hasShrunk {
            hasShrunk = false
            // First the reductions that shorten all further trials.
            for halve in halvings {
                var candidate = smallest.scenario
                halve(&candidate)
                while tryOut(accepted(candidate)) {
                    hasShrunk = true
                    halve(&candidate)
                }
            }
            var leftOut: [String] = []
            for path in ScenarioReduction.paths(of: smallest.scenario) where !isAboutTheRun(path) {
                // In a section that already has its default, omitting a key would change a value without reducing
                // anything.
                guard !leftOut.contains(where: { path.hasPrefix("\($0).") }) else { continue }
                if tryOut(ScenarioReduction.scenario(smallest.scenario, without: path)) {
                    hasShrunk = true
                    leftOut.append(path)
                }
            }
            smallest = smallest.withoutUnusedFiles()
            for index in smallest.files.indices {
                var length = smallest.files[index].lines.count / 2
                while length > 0 {
                    // From the end; the header stays.
                    var end = smallest.files[index].lines.count
                    while end > 1 {
                        let rows = max(1, end - length)..<end
                        var candidate = smallest
                        candidate.files[index].lines.removeSubrange(rows)
                        if tryOut(candidate) { hasShrunk = true }
                        end = rows.lowerBound
                    }
                    length /= 2
                }
            }
        }
        return smallest
    }

    /// The scenario, if a file can state it; nil if half of a value is too small.
    private static func accepted(_ scenario: Scenario) -> Scenario? {
        try? ScenarioReader.read(yaml: ScenarioWriter.resolvedYAML(scenario), named: scenario.name).scenario
    }

    /// Another name or seed is not smaller, and neither is a run without a length, whose default is an hour.
    private static func isAboutTheRun(_ path: String) -> Bool {
        ["name", "seed", "description", "clock", "clock.duration", "rides.arrivals", "rides.arrivals.process"]
            .contains(path)
    }

    private static let halvings: [@Sendable (inout Scenario) -> Void] = [
        { $0.clock.duration = half($0.clock.duration) },
        { $0.clock.drain = half($0.clock.drain) },
        { $0.rides.arrivals.count /= 2 },
        { $0.rides.arrivals.ratesPerHour = $0.rides.arrivals.ratesPerHour.map { ($0 / 2).rounded(.down) } },
        { $0.sender.streams /= 2 },
    ]

    /// Half of a time, in whole seconds.
    private static func half(_ span: TimeSpan) -> TimeSpan { .seconds(span.microseconds / 2_000_000) }
}
