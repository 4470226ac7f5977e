import Experiments
import Verification

/// What a swarm has found, for people: what is wrong, how to see it again, and for the first seed a smaller scenario.
struct SwarmReport: Sendable {
    let swarm: Swarm
    let failures: [Swarm.Failure]

    /// The lines, the last of which are the smaller scenario as a file.
    var text: String {
        var lines = failures.flatMap { failure in
            ["seed \(failure.seed):"] + failure.violations.map { "  \($0)" }
                + ["  again: freshet verify --swarm 1 --swarm-seed \(failure.seed)"]
        }
        guard let first = failures.first else { return "" }
        let smaller = swarm.smaller(first)
        lines += ["", "A smaller scenario than that of seed \(first.seed):"] + smaller.violations.map { "  \($0)" }
        return lines.map { "\($0)\n" }.joined() + "\n" + ScenarioWriter.resolvedYAML(smaller.scenario)
    }
}
