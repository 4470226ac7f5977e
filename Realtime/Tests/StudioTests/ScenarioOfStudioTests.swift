import Foundation
import LiveActivityModel
import ScenarioLanguage
import TestSupport
import Testing

@testable import InputFiles
@testable import Studio

@Suite("The scenario that a studio was opened with")
struct ScenarioOfStudioTests {
    private static func studio(_ text: String) throws -> ScenarioOfStudio {
        let scratch = Scratch()
        let file = try scratch.write(text, to: "town.yaml")
        return try ScenarioOfStudio(path: file, settings: [])
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

    @Test("A trace is read once: its rides count for the preview scale, and a later change of its file is ignored")
    func trace() throws {
        let scratch = Scratch()
        let rows = (0..<40_000)
            .map { row in
                let (hour, minute) = (row / 60 / 60, row / 60 % 60)
                let second = row % 60
                func time(_ after: Int) -> String {
                    let hours = hour + after < 10 ? "0\(hour + after)" : "\(hour + after)"
                    return "2026-07-15 \(hours):\(minute < 10 ? "0" : "")\(minute):\(second < 10 ? "0" : "")\(second)"
                }
                return "completed,\(time(0)),\(time(1)),\(time(2)),\(time(3))"
            }
        let header = "status,request_time,driver_arrived_time,pickup_time,dropoff_time"
        try scratch.write(([header] + rows).joined(separator: "\n"), to: "rides.csv")
        let yaml = "extends: trace-replay\nname: town\nrides: {trace: {file: rides.csv, provider: off}}\n"
        let file = try scratch.write(yaml, to: "town.yaml")
        let studio = try ScenarioOfStudio(path: file, settings: [])
        try scratch.write("no trace", to: "rides.csv")
        let scenario = try studio.scenarioWithRides(["apns.loss=2%"])
        #expect(scenario.rides.trace?.rides.count == 40_000)
        let size = Town.Size(of: scenario, times: 1)
        #expect(size.scale < 0.05 && !size.isWhole)
        #expect(Town.Size(of: scenario, times: .infinity).isWhole)
        #expect(try studio.world([]) { $0.rides.scale = size.scale }.scenario.rides.trace?.rides.count == 40_000)
    }

    @Test("Goals are the limits of checks over the whole run")
    func goals() throws {
        let studio = try Self.studio(
            """
            name: town
            clock: {duration: 3h}
            checks:
              - displayed_fresh_time_ratio >= 95%
              - displayed_fresh_time_ratio@1h..2h >= 90%
              - pushes_sent_count != 0
              - age_of_information_us{during_ride}.p95 < 90s

            """
        )
        #expect(
            studio.goals.map { [$0.response, $0.limit] } == [
                ["displayed_fresh_time_ratio", "95%"], ["age_of_information_us{during_ride}.p95", "1m30s"],
            ]
        )
    }

    /// Pages cannot set `cells`.
    @Test("A day with too many events is refused, with settings that help where they can be set")
    func size() throws {
        var scenario = Scenario()
        scenario.rides.arrivals.ratesPerHour = [1e7]
        let error = #expect(throws: MessageError.self) { try Playback.check(scenario) }
        let advice = "Reduce rides.scale, or start the studio with more cells (--set cells=…)"
        #expect(error.map { "\($0)" }?.contains(advice) == true, "\(String(describing: error))")
        #expect(ScenarioOfStudio.fixed.contains("cells") && !ScenarioOfStudio.fixed.contains("rides"))
        #expect(throws: Never.self) { try Playback.check(Scenario()) }
    }
}
