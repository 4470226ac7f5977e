import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import ScenarioLanguage

@Suite("A user's scenario made from an example")
struct OwnScenarioTests {
    private func own(_ example: String = "nyc-lyft-day", _ settings: String...) throws -> (
        text: String, scenario: Scenario
    ) {
        let own = try OwnScenario(of: ExampleScenario(example), name: "own", settings: settings)
        return (own.text, try ScenarioReader.read(yaml: own.text, named: "own.yaml").scenario)
    }

    @Test("Values change in place; the rest stays, and a comment gives the old value")
    func inPlace() throws {
        let (text, scenario) = try own("nyc-lyft-day", "content.ttl=3m", "monitor.retry.budget.per_second=4")
        #expect(scenario.name == "own" && scenario.content.ttl == .minutes(3))
        let before = Set(try ExampleScenario("nyc-lyft-day").text.split(separator: "\n"))
        // The description and the remark at the top are tested below.
        let changed = text.split(separator: "\n")
            .filter { !before.contains($0) && !$0.contains(" example nyc-lyft-day") }
            .filter { $0 != "description: >-" }
        #expect(changed.count == 3)
        #expect(changed[0] == "name: own")
        #expect(changed[1].hasPrefix("  ttl: 3m # own; the example has 2m: assumption: Lyft"))
        #expect(changed[2].contains("{capacity: 30, per_second: 4} # own; the example has 1"))
    }

    @Test(
        "A key that the example omits is added to its section or at the end",
        arguments: ["sender.queue_limit=7", "apns.capacity={servers: 3}", "measure.age_over=[1m, 2m]", "cells=3"]
    )
    func leftOut(setting: String) throws {
        let (text, scenario) = try own("nyc-lyft-day", setting)
        #expect(text.contains(" # own"))
        var intended =
            try ScenarioReader.read(
                yaml: ExampleScenario("nyc-lyft-day").text,
                named: "a.yaml",
                settings: [setting, "name=own"]
            )
            .scenario
        intended.description = scenario.description
        #expect(scenario == intended)
    }

    @Test("Keys of one new section are added together, in any order")
    func newSection() throws {
        let keys = ["rides.again.after=1h", "rides.again.share=50%", "rides.again.most=3"]
        for settings in [keys, keys.reversed()] {
            let (text, scenario) = try own("nyc-lyft-day", settings[0], settings[1], settings[2], "sender.streams=7")
            let again = try #require(scenario.rides.again)
            #expect(again.share == Probability(0.5) && again.after == .constant(3600e6) && again.most == 3)
            #expect(scenario.sender.streams == 7)
            #expect(text.contains("  again: {") && text.contains("after: 1h"))
        }
    }

    @Test("The last of two values of a key counts")
    func twice() throws {
        let (_, scenario) = try own(
            "nyc-lyft-day",
            "content.ttl=3m",
            "sender.queue_limit=7",
            "content.ttl=4m",
            "sender.queue_limit=8"
        )
        #expect(scenario.content.ttl == .minutes(4) && scenario.sender.queueLimit == 8)
    }

    @Test("An example that extends another one still extends it")
    func extending() throws {
        let (text, scenario) = try own("live-outage", "content.ttl=3m", "sender.connections=9")
        #expect(text.contains("extends: apns-outage.yaml"))
        #expect(scenario.content.ttl == .minutes(3) && scenario.sender.connections == 9)
    }

    @Test("A copy with other values has neither the example's description nor its results")
    func description() throws {
        let (text, scenario) = try own("apns-outage", "faults=[{kind: apns_silent, at: 1h, duration: 15m}]", "seed=3")
        #expect(
            scenario.description
                == "After the example apns-outage, with other values: faults=[{kind: apns_silent, at: 1h, duration: 15m}]."
        )
        #expect(!scenario.hasOwnDescription)
        #expect(!text.contains("ten minutes") && !text.contains("1,289") && !text.contains("leaves"), "\(text)")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[1].hasPrefix("# From the example apns-outage: lines marked \"own\" have other values, "))
        #expect(lines[2] == "#" && lines[3].hasPrefix("# nyc-lyft-day.yaml from 16:00"))
        #expect(!text.contains("\n\n\n"))
        // Nothing that the words state has changed.
        let same = try own("apns-outage", "seed=3")
        #expect(same.text.contains("1,289") && same.scenario.description.hasSuffix("nothing for ten minutes."))
        #expect(same.scenario.hasOwnDescription)
    }

    @Test("The usual errors are reported, and a form that cannot be edited is rejected")
    func refused() {
        #expect(throws: ScenarioError.self) { try own("nyc-lyft-day", "content.ttl=soon") }
        #expect(throws: ScenarioError.self) { try own("nyc-lyft-day", "content.tttl=3m") }
        #expect(throws: ScenarioError.self) {
            try OwnScenario(of: ExampleScenario("workout"), name: "a b", settings: [])
        }
        let error = #expect(throws: ScenarioError.self) { try own("nyc-lyft-day", "apns.latency=2s") }
        #expect(error?.description.contains("has apns.latency in a form that cannot be edited in place") ?? false)
    }

    @Test("Every example yields a scenario without settings", arguments: ExampleScenario.names)
    func all(name: String) throws {
        #expect(try own(name).scenario.name == "own")
    }

    @Test("The lines of a key: with its comments, over several lines, without another key's lines")
    func lines() throws {
        let example = try ExampleScenario("nyc-lyft-day")
        #expect(example.lines(at: "content.ttl")?.first?.hasPrefix("ttl: 2m # assumption") ?? false)
        #expect(example.lines(at: "content.timestamps_rise")?.first?.hasPrefix("# Of two equal timestamps") ?? false)
        let latency = try #require(example.lines(at: "apns.latency"))
        #expect(latency.first == "latency:" && latency.count > 4)
        #expect(example.lines(at: "sender.queue_limit") == nil)
        #expect(example.value(at: "content.ttl") == "2m" && example.value(at: "sender.queue_limit") == "unlimited")
    }
}
