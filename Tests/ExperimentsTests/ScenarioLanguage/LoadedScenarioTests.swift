import LiveActivityModel
import ModelChecks
import SimulationKernel
import Testing

@testable import InputFiles
@testable import ScenarioLanguage

@Suite("Data files of a loaded scenario")
struct LoadedScenarioTests {
    private static let yaml = """
        rides:
          trace: {file: rides.csv}
        apns:
          latency: {mixture: [{weight: 1, of: 1s}, {weight: 1, of: {shifted: {by: 1s, of: {empirical:
            {file: data/rtt.csv, column: rtt, unit: ms}}}}}]}
        """

    private static let path = "apns.latency.mixture.1.of.shifted.of.empirical"

    @Test("Data files are named with their paths")
    func references() throws {
        let loaded = try ScenarioReader.read(yaml: Self.yaml, named: "a.yaml")
        #expect(
            loaded.dataFiles == [
                DataFileReference(file: "rides.csv", path: "rides.trace.file"),
                DataFileReference(file: "data/rtt.csv", path: "\(Self.path).file"),
            ]
        )
    }

    @Test(
        "A scenario without updates gets a warning; any reason for an update avoids it",
        arguments: [
            ("name: x", true), ("devices: {initial_content_limit: none}", true), ("content: {refresh: none}", true),
            ("content: {refresh: 20s}", false), ("content: {updates_at: [10s]}", false),
            ("rides: {stages: [{name: a, duration: 1m}, {name: b, duration: 1m}]}", false),
            ("rides: {stages: [{name: a, duration: 1m, refresh: 10s}]}", false),
        ]
    )
    func warnings(yaml: String, isWarnedOf: Bool) throws {
        let warnings = try ScenarioReader.read(yaml: yaml, named: "a.yaml").warnings.map(\.description)
        #expect(warnings.count == (isWarnedOf ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("content.refresh is off, and rides have one stage") })
    }

    @Test("A factor that varies one parameter of a lognormal distribution alone gets one warning for all such factors")
    func shapes() throws {
        func warning(_ vary: String, _ rest: String = "") throws -> String? {
            let content = "content: {refresh: {lognormal: {median: 45s, p95: 110s}}}\n"
            let token = "devices: {token: {delay: {lognormal: {median: 1s, p95: 3s}}}}\n"
            let yaml = "name: a\n\(content)\(token)factors: {vary: {\(vary)}\(rest)}"
            return try ScenarioReader.read(yaml: yaml, named: "a.yaml").warningOfShape
        }
        let median = "content.refresh.lognormal.median: [20s, 60s]"
        let p95 = "content.refresh.lognormal.p95: [49s, 147s]"
        let alone = try #require(try warning(median))
        #expect(
            alone.hasPrefix(
                "the factor content.refresh.lognormal.median varies without content.refresh.lognormal.p95, so"
            )
        )
        #expect(alone.contains("zip them (factors.zip, --zip), or vary content.refresh by named levels"))
        #expect(try warning("content.refresh.lognormal.p95: [80s, 90s]") != nil)
        let two = try #require(try warning("\(median), devices.token.delay.lognormal.median: [1s, 2s]"))
        #expect(two.contains("p95, as devices.token.delay.lognormal.median without theirs, so"))
        #expect(
            try warning(
                "\(median), \(p95)",
                ", zip: [[content.refresh.lognormal.median, content.refresh.lognormal.p95]]"
            ) == nil
        )
        #expect(try warning("content.refresh: {a: {lognormal: {median: 20s, p95: 49s}}, b: 30s}") == nil)
        #expect(try warning("content.ttl: [1m, 2m]") == nil)
    }

    @Test("Stages that nothing refreshes and that outlast the TTL get one warning, at the first of them")
    func stagesWithoutRefresh() throws {
        func warnings(_ stages: String, _ rest: String = "") throws -> [String] {
            let yaml = "content: {ttl: 90s}\n\(rest)rides:\n  stages:\n\(stages)"
            return try ScenarioReader.read(yaml: yaml, named: "a.yaml").warnings.map(\.description)
        }
        let short = "    - {name: matching, duration: 60s, refresh: 20s}\n"
        let long =
            "    - {name: pickup, duration: {lognormal: {median: 4m, p95: 9m}}}\n    - {name: on_trip, duration: 12m}\n"
        #expect(
            try warnings(short + long) == [
                "a.yaml:5:7: rides.stages.1 (\"pickup\") has no refresh, as have \"on_trip\", and content.refresh is off: a card turns "
                    + "stale content.ttl (1m30s) after the stage begins and stays stale until the monitor retries or the next stage "
                    + "begins; set refresh of the stage, or content.refresh"
            ]
        )
        let alone = try warnings("    - {name: pickup, duration: 4m}\n" + short, "monitor: {enabled: false}\n")
        #expect(alone.count == 1 && alone[0].contains("stays stale until the next stage begins; "), "\(alone)")
        // A shorter stage than the TTL, a refresh for all stages, updates at fixed times, and the app's own updates.
        #expect(try warnings(short + "    - {name: pickup, duration: 80s}\n").isEmpty)
        for other in ["content.refresh=20s", "content.updates_at=[10s]", "devices.local_updates.enabled=true"] {
            let yaml = "content: {ttl: 90s}\nrides:\n  stages:\n\(short)\(long)"
            #expect(
                try ScenarioReader.read(yaml: yaml, named: "a.yaml", settings: [other]).warnings.isEmpty,
                "\(other)"
            )
        }
    }

    @Test("Files are searched beside the scenario first")
    func places() throws {
        let beside = try ScenarioReader.read(yaml: Self.yaml, named: "experiments/a.yaml")
        #expect(beside.places(toLookFor: "data/rtt.csv") == ["experiments/data/rtt.csv", "data/rtt.csv"])
        #expect(beside.places(toLookFor: "/data/rtt.csv") == ["/data/rtt.csv"])
        let here = try ScenarioReader.read(yaml: Self.yaml, named: "a.yaml")
        #expect(here.places(toLookFor: "rtt.csv") == ["rtt.csv"])
    }

    @Test("Later errors are placed at their key, or for defaults at the enclosing section")
    func diagnostics() throws {
        let loaded = try ScenarioReader.read(yaml: Self.yaml, named: "a.yaml", settings: ["cells=2"])
        #expect(
            loaded.diagnostic(at: "\(Self.path).file", "must exist").description
                == "a.yaml:5:12: \(Self.path).file must exist"
        )
        #expect(
            loaded.diagnostic(at: "apns.expired_token_lag", "must be …").description
                == "a.yaml:4:3: apns.expired_token_lag must be …"
        )
        #expect(
            loaded.diagnostic(at: "sender.timeout", "must be …").description == "a.yaml:1:1: sender.timeout must be …"
        )
        #expect(loaded.diagnostic(at: "cells", "must be …").description == "--set cells: cells must be …")
    }

    @Test("Values of data columns are inserted everywhere")
    func filling() throws {
        var loaded = try ScenarioReader.read(yaml: Self.yaml, named: "a.yaml")
        var paths: [String] = []
        loaded.scenario.updateEmpiricalValues { values, path in
            paths.append(path)
            values.sorted = [Int64(values.unit), 5000]
        }
        #expect(paths == [Self.path])
        let filled = EmpiricalValues(file: "data/rtt.csv", column: "rtt", unit: 1000, sorted: [1000, 5000])
        #expect(
            loaded.scenario.apns.latency
                == .mixture([
                    MixtureComponent(weight: 1, distribution: .constant(1e6)),
                    MixtureComponent(weight: 1, distribution: .shifted(by: 1e6, .empirical(filled))),
                ])
        )
    }

    @Test("Every distribution is visited, with its path")
    func visiting() throws {
        var loaded = try ScenarioReader.read(yaml: "content: {refresh: 5s}", named: "a.yaml")
        var paths: [String] = []
        loaded.scenario.updateDistributions { _, path in paths.append(path) }
        #expect(
            paths.prefix(4) == [
                "rides.stages.0.duration", "rides.cancellation.after", "rides.rematching.after", "content.refresh",
            ]
        )
        #expect(Set(paths).count == paths.count)
    }
}

@Suite("A smaller scenario for a quick run")
struct WarningOfScaleTests {
    @Test(
        "A lower load per cell is reported, with a way to keep it; an equal load is not",
        arguments: [
            (["rides.scale=0.1"], "cells=2"), (["rides.scale=0.01"], "too few rides for one cell"),
            (["rides.scale=0.05", "cells=1"], ": the cell has 80% of the file's load, "),
            (["rides.scale=0.125", "cells=2"], nil), (["cells=32"], nil), ([], nil),
        ]
    )
    func load(settings: [String], expected: String?) throws {
        let path = ShippedScenario("nyc-lyft-day").path
        let file = try ScenarioReader.read(file: path, settings: [])
        let warning = try ScenarioReader.read(file: path, settings: settings).warningOfScale(beside: file)
        if let expected {
            #expect(warning?.contains(expected) == true, "\(warning ?? "none")")
        } else {
            #expect(warning == nil)
        }
    }

    @Test("Budgets of each cell are reported, with the factor by which they allow more retries per ride")
    func budgets() throws {
        let path = ShippedScenario("apns-outage").path
        let settings = ["rides.scale=0.1"]
        let loaded = try ScenarioReader.read(file: path, settings: settings)
        let warning = try loaded.warningOfScale(file: path, settings: settings)
        #expect(warning?.contains("and monitor.retry.budget allows 10 times as many retries per ride; ") == true)
        #expect(try loaded.warningOfScale(file: path, settings: ["seed=1"]) == nil)
    }

    @Test(
        "If settings change the scenario, its description is marked as the file's",
        arguments: [
            (["content.ttl=1m", "cells=2"], "Words. (The file's description; changed: content.ttl=1m, cells=2.)"),
            (["seed=4", "replications.count=3"], "Words."), (["cells=2", "description=Mine."], "Mine."), ([], "Words."),
        ]
    )
    func description(settings: [String], expected: String) throws {
        let loaded = try ScenarioReader.read(
            yaml: "{name: x, description: Words.}",
            named: "x.yaml",
            settings: settings
        )
        #expect(loaded.scenario.description == expected)
        let bare = try ScenarioReader.read(yaml: "name: x", named: "x.yaml", settings: ["cells=2"])
        #expect(bare.scenario.description.isEmpty)
    }
}
