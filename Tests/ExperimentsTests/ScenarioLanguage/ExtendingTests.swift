import Foundation
import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import TestSupport
import Testing

@testable import InputFiles
@testable import ScenarioLanguage
@testable import Studies

@Suite("A scenario file that extends another")
struct ExtendingTests {
    private let directory = Scratch()

    private func read(_ text: String, on base: String) throws -> LoadedScenario {
        try directory.write(base, to: "base.yaml")
        return try ScenarioReader.read(file: directory.write(text, to: "above.yaml"))
    }

    @Test("Sections are merged key by key; lists, values and distributions replace the inherited ones")
    func merging() throws {
        let scenario = try read(
            """
            extends: base.yaml
            name: above
            content: {refresh: {exponential: {mean: 30s}}}
            monitor: {retry: {max_attempts: 2}}
            faults: []
            """,
            on: """
                name: base
                seed: 9
                clock: {duration: 3h}
                content: {ttl: 77s, refresh: {lognormal: {median: 20s, p95: 60s}}}
                monitor: {fresh_limit: 45s, retry: {max_attempts: 7, jitter: full}}
                faults: [{kind: apns_silent, at: 1h, duration: 5m}]
                """
        )
        .scenario
        #expect(scenario.name == "above" && scenario.seed == 9)
        #expect(scenario.clock.duration == .hours(3))
        #expect(scenario.content.ttl == .seconds(77))
        #expect(scenario.content.refresh == .exponential(mean: 30e6))
        #expect(scenario.monitor.freshLimit == .seconds(45))
        #expect(scenario.monitor.retry.maxAttempts == 2 && scenario.monitor.retry.jitter == .full)
        #expect(scenario.faults.isEmpty)
    }

    @Test("A file without a name of its own gets a warning that its results replace those of the extended file")
    func nameOfAnother() throws {
        let warning = try read("seed: 3\nextends: base.yaml", on: "name: base").warningOfName
        #expect(warning?.description.contains("above.yaml:2:10: extends takes the name from ") == true)
        #expect(warning?.message.contains("base.yaml, so results of both go to the same directory; ") == true)
        #expect(try read("extends: base.yaml\nname: above", on: "name: base").warningOfName == nil)
        #expect(try read("extends: base.yaml", on: "seed: 3").warningOfName == nil)
        #expect(try ScenarioReader.read(yaml: "name: alone", named: "alone.yaml").warningOfName == nil)
    }

    @Test("Factors and checks are not inherited, and the written file is self-contained")
    func whatStays() throws {
        let experiment = try read(
            "extends: base.yaml",
            on: "name: base\nchecks: [events_count > 1]\nfactors: {vary: {content.ttl: [1m, 2m]}}"
        )
        .experiment
        #expect(experiment.factors == nil && experiment.checks.isEmpty)
        #expect(!ScenarioWriter.resolvedYAML(experiment).contains("extends"))
    }

    @Test("A file that leaves out the checks and factors of its base gets one warning, with their numbers")
    func leftOut() throws {
        func warnings(_ text: String) throws -> [String] {
            try read(
                "extends: base.yaml\nname: above\n" + text,
                on: "name: base\nchecks: [events_count > 1, events_count > 2]\n"
                    + "factors: {vary: {content.ttl: [1m, 2m]}}\ncontent: {refresh: 30s}"
            )
            .warnings.map { $0.description.replacing(directory.path(""), with: "") }
        }
        #expect(
            try warnings("") == [
                "above.yaml:1:10: extends takes neither checks nor factors from another file: 2 checks and 1 factor of "
                    + "base.yaml are not inherited; copy those that this file needs"
            ]
        )
        let own = try warnings("checks: [events_count > 3]")
        #expect(own.count == 1 && own[0].contains("another file: 1 factor of base.yaml is not inherited; copy it if"))
        #expect(try warnings("checks: []\nfactors: off").isEmpty)
        #expect(KeyDescription.named("extends")?.meaning.contains("except factors and checks") == true)
    }

    @Test("An inherited description is marked as the other file's, which changes no run id")
    func description() throws {
        let base = "name: base\ndescription: An evening."
        let scenario = try read("extends: base.yaml\nname: above", on: base).scenario
        #expect(scenario.description == "An evening. (The description of base.yaml, which this file extends.)")
        #expect(!scenario.hasOwnDescription && scenario.changesOfFile == nil)
        let alone = try read("name: above\ndescription: An evening.", on: base).scenario
        #expect(alone.hasOwnDescription && RunID(scenario) == RunID(alone))
        let changed = try ScenarioReader.read(file: directory.path("above.yaml"), settings: ["content.ttl=9s"])
            .scenario
        #expect(!changed.hasOwnDescription && changed.changesOfFile == "content.ttl=9s")
        // The text above is the one of `alone`, without extends.
        let both = try read("extends: base.yaml\nname: above", on: base)
        let further = try ScenarioReader.read(both, further: ["content.ttl=9s"]).scenario
        let same = try ScenarioReader.read(
            file: directory.write("name: above\ndescription: An evening.\ncontent: {ttl: 9s}", to: "b.yaml")
        )
        #expect(RunID(further) == RunID(same.scenario))
    }

    @Test("Errors are reported with the file that contains them")
    func places() throws {
        let error = #expect(throws: ScenarioError.self) {
            try read("extends: base.yaml\nclock: {windo: 5m}", on: "name: base\ncontent: {ttl: -5s}")
        }
        let text = error?.description.replacing(directory.path(""), with: "")
        #expect(
            text == """
                above.yaml:2:9: clock.windo is not a known key; did you mean "window"?
                base.yaml:2:16: content.ttl must be a duration, got "-5s", which is negative; allowed: 0s … 3650d, such as 250us 250ms \
                3s 2m 8h 1d 1h30m
                """
        )
    }

    @Test("Over several levels the nearest value wins, and places name its file")
    func steps() throws {
        try directory.write("name: region\ncontent: {ttl: 3m}\nseed: 5\nclock: {windo: 1m}", to: "deep/region.yaml")
        try directory.write("extends: region.yaml\nname: country\ncontent: {ttl: 2m}", to: "deep/country.yaml")
        let text = "extends: deep/country.yaml\nname: city"
        let error = #expect(throws: ScenarioError.self) { try read(text, on: "") }
        #expect(error?.description.contains("deep/region.yaml:4:9: clock.windo is not a known key") ?? false)
        try directory.write("name: region\ncontent: {ttl: 3m}\nseed: 5", to: "deep/region.yaml")
        let scenario = try read(text, on: "").scenario
        #expect(scenario.name == "city" && scenario.content.ttl == .minutes(2) && scenario.seed == 5)
    }

    @Test("Cyclic and overly long chains of files are rejected")
    func circle() throws {
        let error = #expect(throws: ScenarioError.self) { try read("extends: base.yaml", on: "extends: above.yaml") }
        #expect(error?.description.contains("base.yaml:1:10: extends must not lead back to") ?? false)
        for step in 0..<9 { try directory.write("extends: \(step + 1).yaml\nname: a", to: "\(step).yaml") }
        let many = #expect(throws: ScenarioError.self) { try read("extends: 0.yaml", on: "") }
        #expect(many?.description.contains("7.yaml:1:10: extends must not chain more than 8 files") ?? false)
    }

    @Test(
        "Only a readable file can be extended",
        arguments: [
            ("extends: nowhere.yaml", "", "nowhere.yaml: there is no such file"),
            ("extends: .", "", "it is a directory"),
            (
                "extends: base.yaml", "hello",
                "base.yaml:1:1: must be a scenario, a section of keys and values, got \"hello\""
            ),
            ("extends: base.yaml", "- a\n- b", "base.yaml:1:1: must be a scenario, a section of keys and values, got"),
            (
                "extends: base.yaml", "null",
                "base.yaml:1:1: must be a scenario, a section of keys and values, got nothing"
            ),
            (
                "extends: base.yaml", "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 12345",
                "base.yaml:1:1: must be a scenario, a section of keys and values"
            ),
            (#"extends: "base.yaml\0.png""#, "name: base", "its name contains a NUL"),
            (
                #"content: {refresh: {empirical: {file: "base.yaml\0.csv", column: a, unit: s}}}"#, "a\n1",
                "content.refresh.empirical.file must name a file, got"
            ),
        ]
    )
    func refused(text: String, base: String, message: String) throws {
        let error = #expect(throws: ScenarioError.self) { try ScenarioLoader.world(read(text, on: base)) }
        #expect(error?.description.contains(message) ?? false, "\(String(describing: error))")
    }

    @Test("A setting cannot change the extended file, because it would come too late")
    func setting() throws {
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioReader.read(yaml: "name: a", named: "a.yaml", settings: ["extends=base.yaml"])
        }
        #expect(
            error?.description
                == "--set extends: extends must be in the file: settings apply after the files that it extends"
        )
    }

    @Test("Data files are searched beside the file that names them")
    func dataFiles() throws {
        try directory.write("gap\n1\n2\n3\n", to: "data/gaps.csv")
        try directory.write(
            "content: {refresh: {empirical: {file: gaps.csv, column: gap, unit: s}}}",
            to: "data/base.yaml"
        )
        let file = try directory.write("extends: data/base.yaml\nname: above", to: "above.yaml")
        let world = try ScenarioLoader.load(file: file)
        guard case .empirical(let values) = world.scenario.content.refresh else {
            Issue.record("no data column")
            return
        }
        #expect(values.sorted == [1_000_000, 2_000_000, 3_000_000])
    }
}
