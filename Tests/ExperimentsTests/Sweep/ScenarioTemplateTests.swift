import LiveActivityModel
import SimulationKernel
import Testing

@testable import Experiments

@Suite("Scenarios of design points, mostly parsed once")
struct ScenarioTemplateTests {
    /// Factors for a value, a part of a value, a list element, a value that the file omits, and a whole section.
    private static let file = """
        extends: apns-outage.yaml
        name: many-places
        content:
          refresh: {empirical: {file: waits.csv, column: wait, unit: s}}
        factors:
          vary:
            content.ttl: [1m, 2m]
            apns.latency.mixture.0.of.lognormal.median: [500ms, 620ms, "0.7s"]
            rides.stages.0.duration.quantiles.p50: [5s, 7s]
            faults.0.duration: [5m, 20m]
            monitor.scan_interval: [1s, 5s]
            devices.connectivity: [{online: 200s, offline: {exponential: {mean: 9s}}}, {online: 100s, offline: 5s}]

        """

    /// The file, prepared for its points.
    private static func templates(_ yaml: String = file) throws -> (plain: ScenarioTemplate, ready: ScenarioTemplate) {
        let directory = try TestDirectory()
        let plain = try ScenarioReader.template(file: directory.write(yaml, to: "many.yaml"), settings: ["cells=3"])
        var ready = plain
        ready.prepareForPoints()
        return (plain, ready)
    }

    private static func combinations(_ template: ScenarioTemplate) -> (Factors, [[FactorLevel]]) {
        let factors = template.base.experiment.factors ?? Factors()
        return (factors, factors.combinations(random: RandomSource(seed: 1, replication: 0)))
    }

    @Test("Each point equals its full parse: scenario, data files and places")
    func sameAsFromNothing() throws {
        let (plain, ready) = try Self.templates()
        let (factors, combinations) = Self.combinations(plain)
        #expect(combinations.count == 96)
        let paths =
            factors.vary.map(\.path) + [
                "name", "content.ttl", "faults.0.kind", "apns.loss", "cells", "rides.stages.1.name",
            ]
        var seen: Set<String> = []
        for levels in combinations {
            let alone = try plain.scenario(factors: factors, levels: levels)
            let point = try ready.scenario(factors: factors, levels: levels)
            #expect(point.scenario == alone.scenario)
            #expect(point.dataFiles == alone.dataFiles && point.dataFiles.count == 1)
            for path in paths { #expect(point.place(ofValue: path) == alone.place(ofValue: path), "\(path)") }
            seen.insert(ScenarioWriter.resolvedYAML(point.scenario))
        }
        #expect(seen.count == combinations.count)
    }

    @Test("Errors of a point equal those of its full parse")
    func sameErrors() throws {
        let (plain, ready) = try Self.templates(
            Self.file.replacing("[1m, 2m]", with: "[1m, soon]").replacing("[5m, 20m]", with: "[5m, 0s]")
                .replacing("[5s, 7s]", with: "[5s, 20s]")
        )
        let (factors, combinations) = Self.combinations(plain)
        var refused = 0
        for levels in combinations {
            let alone = Result { try plain.scenario(factors: factors, levels: levels).scenario }
            let point = Result { try ready.scenario(factors: factors, levels: levels).scenario }
            switch (alone, point) {
            case (.success(let one), .success(let other)): #expect(one == other)
            case (.failure(let one), .failure(let other)):
                #expect("\(one)" == "\(other)")
                refused += 1
            default: Issue.record("\(levels.map(\.label)): \(alone) from nothing, \(point) from what is known")
            }
        }
        #expect(refused >= 48 && refused < 96)
    }
}
