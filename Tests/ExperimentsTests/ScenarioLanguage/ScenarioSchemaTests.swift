import Foundation
import ModelChecks
import TestSupport
import Testing

@testable import ScenarioLanguage

@Suite("The JSON Schema of scenarios")
struct ScenarioSchemaTests {
    private func schema() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(ScenarioSchema.json().utf8))
        return try #require(object as? [String: Any])
    }

    /// The properties of a section, through lists and optional values.
    private func properties(of schema: [String: Any]) -> [String: [String: Any]]? {
        if let items = schema["items"] as? [String: Any] { return properties(of: items) }
        if let first = (schema["anyOf"] as? [[String: Any]])?.first { return properties(of: first) }
        return schema["properties"] as? [String: [String: Any]]
    }

    /// The paths of all keys of the schema.
    private func keys(of schema: [String: Any], _ path: String = "") -> Set<String> {
        (properties(of: schema) ?? [:])
            .reduce(into: []) { keys, property in
                let inner = Reading.path(path, property.key)
                keys.formUnion(self.keys(of: property.value, inner).union([inner]))
            }
    }

    @Test("Every key that an alert's description names exists")
    func alerts() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/prometheus/alerts.yaml")
        let rules = try String(contentsOf: file, encoding: .utf8)
        let named = rules.matches(of: /\b(?:monitor|sender|apns|devices|content)\.[a-z_]+/).map { String($0.output) }
        #expect(!named.isEmpty)
        #expect(Set(named).subtracting(keys(of: try schema())).isEmpty, "\(named)")
    }

    /// The paths of the keys in a file, down to the deepest level of the schema.
    private func keys(in node: ScenarioNode, _ schema: [String: Any], _ path: String = "") -> Set<String> {
        if let list = node.list { return list.reduce(into: []) { $0.formUnion(keys(in: $1, schema, path)) } }
        guard let properties = properties(of: schema), let entries = node.mapping else { return [] }
        return entries.reduce(into: []) { keys, entry in
            let inner = Reading.path(path, entry.key)
            keys.formUnion(self.keys(in: entry.value, properties[entry.key] ?? [:], inner).union([inner]))
        }
    }

    /// The table states how each key is drawn, or why it is not: the swarm never tests keys that it leaves at their
    /// defaults.
    @Test(
        "The schema's keys are those that random worlds change, plus those that need a file or are outside the world",
        .enabled(if: Loop.isFull)
    )
    func exactKeys() throws {
        let schema = try schema()
        func keys(in yaml: String) throws -> Set<String> {
            self.keys(in: try #require(YAMLText(yaml).compose().root), schema)
        }
        var stated: Set = ["extends"]
        for seed in UInt64(0)..<200 {
            stated.formUnion(try keys(in: ScenarioWriter.changes(ScenarioSwarm.scenario(seed: seed))))
        }
        let notDrawn = /(factors|checks|rides\.trace|content\.eta\.(file|columns))(\..*)?/
        for file in ShippedScenario.all {
            let experiment = try ScenarioReader.read(file: file.path).experiment
            let keys = try keys(in: ScenarioWriter.resolvedYAML(experiment))
            stated.formUnion(keys.filter { $0.wholeMatch(of: notDrawn) != nil })
        }
        #expect(stated == self.keys(of: schema))
    }

    @Test("The schema is reproducible and names its dialect")
    func deterministic() throws {
        #expect(ScenarioSchema.json() == ScenarioSchema.json())
        #expect(try schema()["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test("Fields have descriptions and defaults, required ones no default")
    func fields() throws {
        let schema = try schema()
        let sections = try #require(properties(of: schema))
        let monitor = try #require(sections["monitor"]?["properties"] as? [String: [String: Any]])
        #expect(monitor["recovery_window"]?["default"] as? String == "5m")
        #expect(monitor["recovery_window"]?["description"] as? String == "Time from the lapse to severely stale.")
        #expect(monitor["scan_interval"]?["default"] as? String == "off")
        #expect(monitor["feedback"]?["enum"] as? [String] == ["acceptance", "delivery"])
        let fault = try #require(sections["faults"]?["items"] as? [String: Any])
        #expect(fault["required"] as? [String] == ["kind", "at"])
    }
}
