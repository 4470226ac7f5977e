import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet worst`: the activities with the worst values.
@Suite("freshet worst", .enabled(if: Loop.isFull))
struct WorstCommandTests {
    private let scratch = Scratch()

    @Test("Lists the activities with the most time, the same for any number of jobs; explain reports the same time")
    func names() throws {
        let file = try scratch.write(RunCommandTests.scenario, to: "town.yaml")
        _ = try Command.run("run \(file) --quiet --set apns.loss=20% --replications 2 --output \(scratch)/run")
        func worst(_ options: String...) throws -> Command.Outcome {
            try Command.run("worst \(scratch)/run --format csv \(options)")
        }
        let list = try worst("--top", "4", "--jobs", "1")
        #expect(list.status == 0, "\(list.errors)")
        #expect(try worst("--top", "4", "--jobs", "3").output == list.output)
        let rows = list.output.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows.count == 5)
        let times = rows.dropFirst().compactMap { Int64($0[3]) }
        #expect(times == times.sorted(by: >))
        // The scenario has no ETA.
        let missing = try worst("--by", "eta_error")
        #expect(missing.status == 65)
        #expect(missing.errors.contains("--by eta_error needs a scenario with content.eta: this one has none"))
        let leftovers = try worst("--by", "leftover_wrong_time", "--top", "1")
        #expect(leftovers.output.split(separator: "\n")[0].hasSuffix(",main_cause,leftover_wrong_time_us"))
        let story = try Command.run(
            "explain \(scratch)/run --activity \(String(rows[1][1])) --replication \(String(rows[1][0])) --format json"
        )
        let object = try JSONSerialization.jsonObject(with: Data(story.output.utf8)) as? [String: Any]
        #expect((object?["stale_time_us"] as? [String: Int64])?["all"] == times.first)
    }

    @Test("--stage with --at-least lists rides, the longest first; an unknown stage: exit 65")
    func stage() throws {
        let file = try scratch.write(RunCommandTests.scenario, to: "town.yaml")
        _ = try Command.run("run \(file) --quiet --set apns.loss=20% --output \(scratch)/run")
        func worst(_ options: String...) throws -> Command.Outcome {
            try Command.run("worst \(scratch)/run --format csv \(options)")
        }
        let list = try worst("--stage", "matching", "--at-least", "5m")
        #expect(list.status == 0, "\(list.errors)")
        let rows = list.output.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows[0][3] == "stage_time" && rows[0].last == "shown_stage_time_us")
        let times = rows.dropFirst().compactMap { $0.last.flatMap { Int64($0) } }
        #expect(!times.isEmpty && times.allSatisfy { $0 >= 300_000_000 })
        #expect(times == times.sorted(by: >))
        let stale = try worst("--by", "stale_time", "--at-least", "100h")
        #expect(stale.output.split(separator: "\n").count == 1)
        let unknown = try worst("--stage", "matchin")
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains(#"did you mean "matching"?"#), "\(unknown.errors)")
        #expect(try worst("--by", "stage_time").status == 64)
        #expect(try worst("--at-least", "soon").status == 64)
    }

    @Test("An unknown cause: exit 65 with the nearest")
    func unknownCause() throws {
        let outcome = try Command.run("worst anywhere --cause losst")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(#"did you mean "lost"?"#))
    }
}
