import Experiments
import LiveActivityModel
import Quantities

/// Makes a failing world smaller as long as it fails.
enum Shrinking {
    /// What a violation is about, without its numbers: a smaller world fails alike with others.
    static func kind(of violation: String) -> String {
        violation.filter { !$0.isNumber }
    }

    /// Greedily: times and numbers of rides are halved; whole sections, then single keys, are left out; so are rows of data.
    ///
    /// - Parameters:
    ///   - mostTrials: More worlds than this are not tried.
    ///   - fails: Whether a world still fails.
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
            // First what makes all further trials short.
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
                // Within what has its default by now, less would be another value and not a smaller one.
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

    /// The scenario, where a file may state it; nil where half of something is too little.
    private static func accepted(_ scenario: Scenario) -> Scenario? {
        try? ScenarioReader.read(yaml: ScenarioWriter.resolvedYAML(scenario), named: scenario.name).scenario
    }

    /// Another name or seed is not smaller; nor is a run without its length, whose default is an hour.
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
