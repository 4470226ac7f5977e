import LiveActivityModel
import TestSupport
import Testing

@testable import Results
@testable import ScenarioLanguage

@Suite("The scenario of results")
struct ScenarioReaderResultsTests {
    private let scratch = Scratch()

    /// Passes a result directory with an identifying file and a scenario to an operation.
    private static func error(_ yaml: String, marked mark: String = "run.json") throws -> String {
        let directory = Scratch()
        try directory.write("{}", to: mark)
        try directory.write(yaml, to: "scenario.resolved.yaml")
        let error = #expect(throws: ScenarioError.self) { try ScenarioReader.read(resultsIn: directory.path) }
        return "\(error.map(String.init(describing:)) ?? "")".replacing(directory.path, with: "DIR")
    }

    @Test("This version reads its own output")
    func own() throws {
        try scratch.write(ScenarioWriter.resolvedYAML(.smallPoisson), to: "scenario.resolved.yaml")
        #expect(try ScenarioReader.read(resultsIn: scratch.path).scenario == .smallPoisson)
    }

    /// A list of errors would send users into a generated file.
    @Test(
        "Another version: one sentence, with the first key that differs and the command that regenerates the results",
        arguments: [
            ("run.json", "freshet run SCENARIO"), ("sweep.json", "freshet run SCENARIO"),
            ("tune.json", "freshet tune SCENARIO"),
        ]
    )
    func otherVersion(mark: String, command: String) throws {
        let yaml = ScenarioWriter.resolvedYAML(.smallPoisson) + "weather: {rain: 3}\nsurge: true\n"
        let line = yaml.split(separator: "\n", omittingEmptySubsequences: false).count - 2
        #expect(
            try Self.error(yaml, marked: mark)
                == "DIR/scenario.resolved.yaml:\(line):1: weather is not a known key; another "
                + "version of freshet wrote these results, or they were edited; regenerate them with this version "
                + "and the same options: \(command) --output DIR"
        )
    }

    @Test("A missing key and a value that is no longer allowed give the same message")
    func others() throws {
        let missing = try Self.error("replications:\n  count: 2\n  until:\n    metric: fresh_ratio\ncells: two\n")
        let first = "DIR/scenario.resolved.yaml:4:5: replications.until.half_width is missing"
        #expect(missing.hasPrefix(first), "\(missing)")
        #expect(missing.hasSuffix("freshet run SCENARIO --output DIR") && !missing.contains("\n"), "\(missing)")
        let older = ScenarioWriter.resolvedYAML(.smallPoisson).replacing("\nseed: ", with: "\nseed: none-")
        #expect(older.contains("seed: none-"))
        let wrong = try Self.error(older.replacing("\ncells: ", with: "\ncells: none-"))
        #expect(wrong.contains("seed must be"), "\(wrong)")
        #expect(wrong.hasSuffix("freshet run SCENARIO --output DIR") && !wrong.contains("\n"), "\(wrong)")
    }

    @Test("A directory that the shell would split is quoted in the command")
    func quoted() throws {
        try scratch.write("{}", to: "it's my old/run.json")
        try scratch.write("cells: two\n", to: "it's my old/scenario.resolved.yaml")
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioReader.read(resultsIn: scratch.path("it's my old"))
        }
        let command = #"freshet run SCENARIO --output '\#(scratch.path)/it'\''s my old'"#
        #expect(error?.description.hasSuffix(command) == true, "\(String(describing: error))")
    }

    @Test("A setting with an unknown key is the user's own error")
    func settings() throws {
        try scratch.write(ScenarioWriter.resolvedYAML(.smallPoisson), to: "scenario.resolved.yaml")
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioReader.results(in: scratch.path) { (file) throws(ScenarioError) in
                try ScenarioReader.read(file: file, settings: ["weather=3"])
            }
        }
        #expect(error.map { "\($0)" }?.contains("another version") == false)
    }
}
