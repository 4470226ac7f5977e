import Experiments
import Foundation
import Reporting
import Verification

/// The report of a swarm: its violations, the commands that reproduce them, and minimized scenarios.
struct SwarmReport {
    let done: SwarmCourse.State
    let finds: [Swarm.Find]
    /// The mean number of events of a world, where they are large.
    let events: Int64?
    /// The scenario files that every second seed mutates.
    let bases: [String]

    /// The text: violations, minimized scenarios that are not kept in files, and the totals.
    var text: String {
        finds.map(text).joined() + summary + "\n"
    }

    private var summary: String {
        let kinds = Format.counted(finds.count, "kind", "kinds")
        let failures = "\(done.failures) \(done.failures == 1 ? "fails" : "fail")"
        let found = finds.isEmpty ? "nothing found" : "\(failures), of \(kinds)"
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

    /// The progress line.
    var progress: String {
        let seconds = max(done.elapsed / .seconds(1), 0.001)
        let pace = ProgressLine.count(Int(Double(done.events) / seconds))
        return "\(ProgressLine.percent(done.share))  \(ProgressLine.count(done.worlds)) worlds  \(pace) events/s"
            + "  \(Format.counted(finds.count, "kind", "kinds")) found"
            + ProgressLine.left(after: seconds, share: done.share)
    }
}
