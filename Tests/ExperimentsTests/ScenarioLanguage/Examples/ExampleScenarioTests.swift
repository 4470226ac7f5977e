import Foundation
import LiveActivityModel
import Quantities
import TestSupport
import Testing

@testable import InputFiles
@testable import ScenarioLanguage
@testable import Studies

@Suite("The built-in scenarios")
struct ExampleScenarioTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../experiments").standardizedFileURL

    @Test("They are all the files of experiments/, byte for byte")
    func files() throws {
        let shipped = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(".yaml".count)) }
        #expect(ExampleScenario.names == shipped.sorted())
        for (path, bytes) in ExampleFile.all {
            #expect(try Data(contentsOf: Self.directory.appending(path: path)) == Data(bytes), "\(path)")
        }
    }

    @Test("Each can be run by its name and has a one-sentence description", arguments: ExampleScenario.names)
    func loading(name: String) throws {
        let world = try ScenarioLoader.load(file: name)
        #expect(world.scenario.name == name)
        let example = try ExampleScenario(name)
        #expect((60...300).contains(example.summary.count), "\(example.summary)")
        #expect(!example.loaded.scenario.description.isEmpty)
    }

    @Test("An example is complete with the scenarios that it extends and the data that it names")
    func needs() throws {
        #expect(
            try ExampleScenario("live-outage").files.map(\.path) == [
                "live-outage.yaml", "apns-outage.yaml", "nyc-lyft-day.yaml",
            ]
        )
        #expect(
            try ExampleScenario("trace-replay").files.map(\.path) == ["trace-replay.yaml", "traces/lyft-sample.csv"]
        )
        #expect(throws: ScenarioError.self) { try ExampleScenario("nowhere") }
    }

    @Test("A user's scenario may extend an example; a file with the same name takes precedence")
    func extending() throws {
        let directory = Scratch()
        let file = try directory.write("extends: nyc-lyft-day.yaml\nname: own", to: "own.yaml")
        #expect(
            try ScenarioReader.read(file: file).scenario.content
                == ExampleScenario("nyc-lyft-day").loaded.scenario.content
        )
        try directory.write("name: base\ncontent: {ttl: 77s}", to: "nyc-lyft-day.yaml")
        #expect(try ScenarioReader.read(file: file).scenario.content.ttl == .seconds(77))
    }
}
