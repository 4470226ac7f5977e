import Experiments
import Foundation
import Reporting
import Verification

/// What a swarm has done and found, for people: what is wrong, how to see it again, and a smaller scenario.
struct SwarmReport {
    let done: SwarmCourse.State
    let finds: [Swarm.Find]
    /// The mean number of events of a world, where they are large.
    let events: Int64?
    /// The scenario files of which every second seed draws a mutant.
    let bases: [String]

    /// The lines; after what is wrong, the smaller scenarios that are kept nowhere.
    var text: String {
        finds.map(text).joined() + summary + "\n"
    }

    private var summary: String {
        let found = finds.isEmpty ? "nothing found" : "\(done.failures) fail, of \(finds.count) kinds"
        return "\(done.worlds) scenarios of seeds \(seeds), \(millions(done.events)) M events, \(found)"
    }

    private var seeds: String {
        done.seeds.isEmpty ? "–" : "\(done.seeds.lowerBound)...\(done.seeds.upperBound - 1)"
    }

    private func text(of find: Swarm.Find) -> String {
        var lines = ["seed \(find.seed):"] + find.violations.map { "  \($0)" }
        lines.append("  again: \(find.command(events: events, bases: bases))")
        if let file = find.file {
            lines.append("  a smaller scenario: \(file)")
        } else if let smaller = find.smaller {
            lines += ["", "A smaller scenario than that of seed \(find.seed):"]
            lines += find.smallerViolations.map { "  \($0)" } + [smaller.text]
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private func millions(_ events: Int64) -> String {
        String(format: "%.1f", Double(events) / 1e6)
    }

    /// How far the swarm has come, in a line.
    var progress: String {
        let seconds = max(done.elapsed / .seconds(1), 0.001)
        let pace = ProgressLine.count(Int(Double(done.events) / seconds))
        return "\(ProgressLine.percent(done.share))  \(ProgressLine.count(done.worlds)) worlds  \(pace) events/s"
            + "  \(finds.count) kinds found" + ProgressLine.left(after: seconds, share: done.share)
    }
}
