import Foundation
import LiveActivityModel
import ScenarioLanguage
import Testing

@testable import InputFiles
@testable import Studio

@Suite("The scenario that a studio was opened with")
struct ScenarioOfStudioTests {
    private static func studio(_ text: String) throws -> ScenarioOfStudio {
        let file = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID()).yaml")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try ScenarioOfStudio(path: file.path, settings: [])
    }

    /// A world with another clock, other cells or another seed cannot be compared with its base.
    @Test(
        "Keys that the studio chooses, and keys that both worlds must share, can only be set at the start",
        arguments: [
            "cells=2", "seed=7", "clock.duration=3h", "clock.starts_at=08:00", "replications.count=3", "name=other",
        ]
    )
    func fixed(setting: String) throws {
        let studio = try Self.studio("name: town\n")
        let path = setting.prefix { $0 != "=" }
        #expect {
            try studio.scenario([setting])
        } throws: { error in
            guard case .invalid(let problems)? = error as? ScenarioError, problems.count == 1 else { return false }
            return problems[0].path == path
                && problems[0].message.hasPrefix("can only be set when the studio is started")
        }
    }

    /// An address with settings may come from a stranger.
    @Test("A page can only name files of the scenario")
    func files() throws {
        let studio = try Self.studio("name: town\n")
        for setting in [
            "rides.trace={file: /etc/passwd}", "apns.latency={empirical: {file: /dev/zero, column: a, unit: s}}",
        ] {
            #expect {
                try studio.scenario([setting])
            } throws: { error in
                "\(error)".contains("must name a file that the scenario names")
            }
        }
    }

    @Test("After the file is deleted the studio keeps its contents and notices the change")
    func changed() throws {
        let studio = try Self.studio("name: town\ncontent: {ttl: 7m}\n")
        #expect(studio.hasChanged)
        #expect(try studio.scenario(["rides.scale=2"]).content.ttl == studio.scenario.content.ttl)
    }

    @Test("A day with too many events is refused")
    func size() throws {
        var scenario = Scenario()
        scenario.rides.arrivals.ratesPerHour = [1e7]
        #expect(throws: MessageError.self) { try Playback.check(scenario) }
        #expect(throws: Never.self) { try Playback.check(Scenario()) }
    }
}
