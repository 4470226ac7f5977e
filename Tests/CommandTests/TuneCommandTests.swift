import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The search for the best design point as scripts see it.
@Suite("freshet tune", .enabled(if: Loop.isFull))
struct TuneCommandTests {
    private let scratch = Scratch()

    private static let town =
        SweepCommandTests.base
            + """
            factors:
              vary: {content.refresh: {often: {constant: 30s}, seldom: {constant: 3m}}}

            """

    private static let goal = ["--minimise", "age_of_information_us", "--indifference", "2s"]

    @Test("The selected point with its guarantee, printed and in files; the same bytes in a second run")
    func answers() throws {
        let file = try scratch.write(Self.town, to: "town.yaml")
        let outcome = try Command.run("tune \(file) --output \(scratch)/a \(Self.goal)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("The best design point is 0: content.refresh = often.\n"))
        let files = try scratch.contents(of: "a")
        #expect(files.keys.sorted() == ["report.md", "results.csv", "scenario.resolved.yaml", "tune.csv", "tune.json"])
        let report = String(decoding: files["report.md"] ?? Data(), as: UTF8.self)
        #expect(report.contains("With a probability of at least 95 % the selected point is the best"))
        let json = try JSONSerialization.jsonObject(with: files["tune.json"] ?? Data()) as? [String: Any]
        #expect(json?["decision"] as? String == "selected" && json?["point"] as? Int == 0)
        let again = try Command.run("tune \(file) --output \(scratch)/b --jobs 1 --quiet \(Self.goal)")
        #expect(again.status == 0 && again.output.isEmpty && again.errors.isEmpty)
        #expect(try scratch.contents(of: "b") == files)
        // Without --point, worst reports the selected point; --point selects another one.
        let worst = try Command.run("worst \(scratch)/a --top 1")
        #expect(worst.status == 0, "\(worst.errors)")
        #expect(worst.output.hasPrefix("Design point 0, which was selected: content.refresh={constant: 30s}\n"))
        let other = try Command.run("explain \(scratch)/a --activity 0 --point 1")
        #expect(other.status == 0, "\(other.errors)")
        #expect(other.output.hasPrefix("Design point 1: content.refresh={constant: 3m}\n"))
        // A second search replaces the first.
        let over = try Command.run(
            "tune \(file) --output \(scratch)/a --quiet \(Self.goal) --subject-to 'pushes_per_activity < 0.1'"
        )
        #expect(over.status == 99)
        #expect(over.errors.hasPrefix("No design point meets every limit. The nearest is "), "\(over.errors)")
        #expect(
            String(decoding: try scratch.contents(of: "a")["report.md"] ?? Data(), as: UTF8.self)
                .contains(": it misses `pushes_per_activity < 0.1` by ")
        )
    }

    @Test(
        "Wrong usage: exit 64; a goal that does not fit: exit 65",
        arguments: [
            (["--indifference", "2s"], 64, "there is no goal"),
            (["--minimise", "age_of_information_us", "--indifference", "fast"], 64, "--indifference must be a number"),
            (["--minimise", "age_of_information_us", "--subject-to", "many"], 64, "--subject-to must compare"),
            (["--minimise", "2 * age_of_information_us + content.refesh"], 65, #"did you mean "content.refresh"?"#),
            (["--minimise", "content.refresh"], 65, "must use only factors whose levels are numbers or durations"),
            (["--minimise", "-1 * nonsense"], 65, #"got "nonsense"; `freshet metrics` lists all"#),
            (["--minimise", "3 * 4"], 64, "--minimise must name a response, a factor or a sum of them"),
            (["--minimise", "age_of_information_us", "--tolerance", "0"], 64, "--tolerance must be a share above 0"),
            (
                ["--minimise", "age_of_information_us", "--subject-to", "pushes_per_activty <= 40"], 65,
                #"--subject-to must name a metric, got "pushes_per_activty"; did you mean "pushes_per_activity"?"#
            ),
            (["--minimise", "age_of_information"], 65, #"did you mean "age_of_information_us"?"#),
            (["--minimise", "age_of_information_us"], 65, "--minimise: must state an indifference"),
            (["--minimise", "age_of_information_us"], 65, "that matters: set it with --indifference"),
            (
                ["--minimise", "age_of_information_us", "--indifference", "2s", "--budget", "19"], 65,
                "--budget: is invalid"
            ),
            (["--minimise", "age_of_information_us", "--budget", "1"], 64, "--budget must be within 2...100000000"),
            (
                ["--minimise", "age_of_information_us", "--indifference", "2s", "--confidence", "2"], 64,
                "--confidence must be"
            ),
        ]
    )
    func refused(options: [String], status: Int32, message: String) throws {
        let file = try scratch.write(Self.town, to: "town.yaml")
        let outcome = try Command.run("tune \(file) --output \(scratch)/a \(options)")
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("a")))
    }

    @Test("A file without factors leaves no choice")
    func withoutFactors() throws {
        let file = try scratch.write(SweepCommandTests.base, to: "town.yaml")
        let outcome = try Command.run("tune \(file) \(Self.goal)")
        #expect(outcome.status == 64 && outcome.errors.contains("has no factors"))
    }
}
