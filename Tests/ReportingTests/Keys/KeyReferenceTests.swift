import Foundation
import ScenarioLanguage
import Testing

@testable import Reporting

@Suite("The reference of keys")
struct KeyReferenceTests {
    @Test("One key in detail: allowed values, default, readers, and the line of the example")
    func full() throws {
        let key = try #require(KeyDescription.named("content.ttl"))
        let text = KeyReference([key], example: try ExampleScenario("nyc-lyft-day")).plain
        #expect(text.contains("  default: 3m\n"))
        #expect(text.contains("  read by: run, sweep, plan, tune, studio, load scenario, load monitor\n"))
        #expect(text.contains("  in nyc-lyft-day:\n    ttl: 2m #"))
    }

    @Test("Many keys: one or two lines each")
    func brief() {
        let text = KeyReference(KeyDescription.all, example: nil).plain
        #expect(text.contains("content.ttl  [3m]\n  Time from the generation of content to its stale date.\n"))
        #expect(!text.contains("allowed:"))
    }

    @Test("Every section: itself in full, then each key below it", arguments: KeyDescription.all.filter(\.isSection))
    func section(key: KeyDescription) {
        let keys = KeyDescription.matching(key.path)
        let below = KeyDescription.all.filter { $0.path.hasPrefix("\(key.path).") }
        #expect(!below.isEmpty && keys == [key] + below)
        let text = KeyReference(keys, example: nil).plain
        #expect(text.hasPrefix("\(key.path)\n  \(key.meaning)\n  allowed: "))
        for key in below { #expect(text.contains("\n\(key.path)"), "\(key.path)") }
    }

    @Test("A list of sections: the keys of its elements")
    func list() {
        let paths = KeyDescription.matching("rides.stages").map(\.path)
        #expect(paths.first == "rides.stages" && paths.contains("rides.stages.N.refresh"))
        #expect(KeyDescription.matching("content.ttl").map(\.path) == ["content.ttl"])
    }

    @Test("docs/keys.md is up to date: `freshet describe --format markdown`")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/keys.md"), encoding: .utf8)
        #expect(page.contains(KeyReference(KeyDescription.all, example: nil).markdown))
    }
}
