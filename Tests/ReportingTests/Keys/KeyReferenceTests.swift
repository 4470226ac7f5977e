import Experiments
import Foundation
import Testing

@testable import Reporting

@Suite("The reference of keys")
struct KeyReferenceTests {
    @Test("One key in full: allowed, default, readers, and the example's line")
    func full() throws {
        let key = try #require(KeyDescription.named("content.ttl"))
        let text = KeyReference([key], example: try ExampleScenario("nyc-lyft-day")).plain
        #expect(text.contains("  default: 3m\n"))
        #expect(text.contains("  read by: run, sweep, plan, tune, studio, load scenario, load monitor\n"))
        #expect(text.contains("  in nyc-lyft-day:\n    ttl: 2m #"))
    }

    @Test("Many keys: a line or two each")
    func brief() {
        let text = KeyReference(KeyDescription.all, example: nil).plain
        #expect(text.contains("content.ttl  [3m]\n  Time from the generation of content to its stale date.\n"))
        #expect(!text.contains("allowed:"))
    }

    @Test("docs/keys.md has the entries of this program: `freshet describe --format markdown`")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/keys.md"), encoding: .utf8)
        #expect(page.contains(KeyReference(KeyDescription.all, example: nil).markdown))
    }
}
