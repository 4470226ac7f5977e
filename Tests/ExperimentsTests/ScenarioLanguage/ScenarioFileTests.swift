import Foundation
import LiveActivityModel
import Quantities
import TestSupport
import Testing

@testable import ScenarioLanguage

@Suite("Snapshots of scenario files")
struct ScenarioFileTests {
    private let scratch = Scratch()

    @Test("Later changes to the file do not affect its scenarios, and they are detected")
    func frozen() throws {
        try scratch.write("content: {ttl: 5m}\n", to: "base.yaml")
        let path = try scratch.write("extends: base.yaml\nname: own\n", to: "own.yaml")
        let file = try ScenarioFile(path, settings: ["rides.scale=0.5"])
        #expect(!file.hasChanged)
        try scratch.write("content: {ttl: 20s}\n", to: "base.yaml")
        #expect(file.hasChanged)
        let scenario = try file.loaded(further: ["monitor.scan_interval=20s"]).scenario
        #expect(scenario.content.ttl == .minutes(5))
        #expect(scenario.rides.scale == 0.5)
        #expect(scenario.monitor.scanInterval == .seconds(20))
        #expect(file.loaded.scenario.monitor.scanInterval != .seconds(20))
        try scratch.write("content: {ttl: 5m}\n", to: "base.yaml")
        #expect(!file.hasChanged)
    }

    @Test("A wrong setting is reported at its key, whatever its order; a later one wins")
    func settings() throws {
        let path = try scratch.write("name: own\n", to: "own.yaml")
        let file = try ScenarioFile(path, settings: ["content.ttl=4m"])
        #expect(try file.loaded(further: ["content.ttl=6m"]).scenario.content.ttl == .minutes(6))
        #expect {
            try file.loaded(further: ["rides.scale=2", "content.ttl=soon"])
        } throws: { error in
            "\(error)".contains("--set content.ttl: content.ttl must be a duration, got \"soon\"")
        }
    }
}
