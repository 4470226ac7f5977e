import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `scripts/verify api` without SwiftPM's comparison, which takes minutes.
@Suite("The check of public names")
struct PublicNamesTests {
    private let scratch = Scratch()

    private let script = Command.root.appending(path: "scripts/verify").path

    @Test("Only breaks in the core and the stations count among the breaks that SwiftPM finds")
    func held() throws {
        let found = try scratch.write(
            """
            2 breaking changes detected in LiveActivityModel:
              💔 API breakage: enumelement Counter.retriesDecided has been added as a new enum case
              💔 API breakage: func MonitorStation.withdrawn() has been removed

            1 breaking change detected in FreshnessCore:
              💔 API breakage: var FreshnessTable.rowCount has been removed

            No breaking changes detected in Quantities

            """,
            to: "found"
        )
        let outcome = try Command.run("-c \("'\(script)' api --held < '\(found)'")", program: "/bin/bash")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                LiveActivityModel: func MonitorStation.withdrawn() has been removed
                FreshnessCore: var FreshnessTable.rowCount has been removed

                """
        )
    }

    @Test("Before the first release no API is stable; a missing commit is reported")
    func base() throws {
        for name in ["scripts/verify", "scripts/verification/api"] {
            let text = try String(contentsOf: Command.root.appending(path: name), encoding: .utf8)
            try scratch.write(text, to: name)
        }
        let copy = "git init -q . && bash scripts/verify api"
        let none = try Command.run("-c \(copy)", program: "/bin/bash", directory: scratch.url)
        #expect(none.status == 0, "\(none.errors)")
        #expect(none.output.hasPrefix("there is no release yet"))
        let missing = try Command.run("-c '\(copy) 0123abc'", program: "/bin/bash", directory: scratch.url)
        #expect(missing.status == 66)
        #expect(missing.errors.contains("there is no commit 0123abc"))
    }
}
