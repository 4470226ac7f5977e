import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet explain`: the story of one activity of a run.
@Suite("freshet explain", .enabled(if: Loop.isFull))
struct ExplainCommandTests {
    private let scratch = Scratch()

    /// Returns a directory that contains a run.
    private static func town(_ options: String...) throws -> Scratch {
        let scratch = Scratch()
        let file = try scratch.write(RunCommandTests.scenario, to: "town.yaml")
        _ = try Command.run("run \(file) --quiet --output \(scratch)/run \(options)")
        return scratch
    }

    @Test("Prints a story with times, belief and screen; the same bytes twice")
    func tells() throws {
        let scratch = try Self.town()
        let story = try Command.run("explain \(scratch)/run --activity 3")
        #expect(story.status == 0, "\(story.errors)")
        #expect(story.output.contains("requested"))
        #expect(story.output.split(separator: "\n").count > 10)
        #expect(try Command.run("explain \(scratch)/run --activity 3").output == story.output)
    }

    @Test("Results of another kind are reported: they contain no story")
    func ofALoad() throws {
        // A result directory as `freshet load` writes it.
        try scratch.makeDirectory("load")
        try scratch.write("{\"schema_version\": 1, \"name\": \"load apns\", \"settings\": {}}", to: "load/run.json")
        for command in [["explain", scratch.path("load"), "--activity", "1"], ["worst", scratch.path("load")]] {
            let outcome = try Command.run(command)
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("load holds results of `load apns`, not a run"), "\(outcome.errors)")
        }
    }

    @Test("An activity that does not exist in the run: exit 64")
    func unknownActivity() throws {
        let scratch = try Self.town()
        let outcome = try Command.run("explain \(scratch)/run --activity 99999999")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("99999999"))
    }

    @Test("A replication that does not exist in the run: exit 64")
    func unknownReplication() throws {
        let scratch = try Self.town("--replications", "2")
        let second = try Command.run("explain \(scratch)/run --activity 3 --replication 1")
        #expect(second.status == 0)
        let third = try Command.run("explain \(scratch)/run --activity 3 --replication 2")
        #expect(third.status == 64)
    }

    @Test("The verdict comes first; options select a part of the story or JSON")
    func parts() throws {
        let scratch = try Self.town()
        func explain(_ options: String...) throws -> Command.Outcome {
            try Command.run("explain \(scratch)/run --activity 3 \(options)")
        }
        let whole = try explain()
        #expect(whole.output.hasPrefix("Ride 3"))
        let near = try explain("--around", "+10s", "--within", "1s")
        #expect(near.status == 0, "\(near.errors)")
        #expect(near.output.count < whole.output.count)
        let json = try explain("--format", "json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["ride"] as? Int == 3)
        let nothing = try explain("--around", "+10h", "--within", "1s")
        #expect(nothing.status == 0)
        #expect(nothing.errors.hasPrefix("nothing happened within 1s of +10h; the history of activity 3 covers "))
        #expect(try explain("--around", "soon").status == 64)
        #expect(try explain("--point", "3").status == 64)
    }

    @Test("A directory without a run: exit 66")
    func noRun() throws {
        #expect(try Command.run("explain \(scratch) --activity 0").status == 66)
    }
}
