import Foundation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import TestSupport
import Testing

@testable import Traces

/// The closed loop with apps that report what they show: the log gives the way from APNs to the screen back.
@Suite("Event logs of runs whose apps report")
struct AppReportsTests {
    private let scratch = Scratch()

    private static func town(loss: String, devices: String = "") -> String {
        """
        name: town
        seed: 5
        cells: 3
        clock: {duration: 2h, window: 15m, starts_at: "06:00"}
        rides:
          arrivals: {process: poisson, rates_per_hour: [400]}
          stages:
            - {name: matching, duration: {exponential: {mean: 1m}}, refresh: 20s}
            - {name: on_trip, duration: {gamma: {shape: 4, scale: 2m}}, refresh: {lognormal: {median: 30s, p95: 60s}}}
        content: {ttl: 90s, refresh_priority: 5}
        devices: {token: {delay: {exponential: {mean: 2s}}}\(devices)}
        apns: {latency: {lognormal: {median: 620ms, p95: 2s}}, \(loss)}
        sender: {request_time: {lognormal: {median: 100ms, p95: 300ms}}, timeout: 5s}

        """
    }

    private func calibration(_ yaml: String, withScreens: Bool = true, _ change: (Int64, Int64) -> Int64 = { $1 })
        async throws
        -> LogCalibration
    {
        let path = scratch.path("log.ndjson")
        let (text, _) = try await EventLogRunTests.log(yaml, to: path, jobs: 2, withScreens: withScreens)
        let shown = /"at_us":(?<at>\d+),"event":"shown","ride":"(?<ride>\d+)"/
        try String(decoding: text, as: UTF8.self)
            .replacing(shown) { match in
                let (at, ride) = (Int64(match.at) ?? 0, Int64(match.ride) ?? 0)
                return "\"at_us\":\(change(ride, at)),\"event\":\"shown\",\"ride\":\"\(ride)\""
            }
            .write(toFile: path, atomically: true, encoding: .utf8)
        return try LogCalibration.of(files: [path], name: "again")
    }

    private static func expect(
        _ key: String,
        _ truth: Double,
        within tolerance: Double,
        in calibration: LogCalibration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let value = calibration.values.first(where: { $0.key == key }) else {
            Issue.record("no value of \(key)", sourceLocation: sourceLocation)
            return
        }
        #expect(abs(value.estimate - truth) <= tolerance, "\(key): \(value)", sourceLocation: sourceLocation)
        #expect(value.interval?.contains(truth) ?? false, "\(key): \(value)", sourceLocation: sourceLocation)
        #expect(value.count > 150, "\(key): \(value)", sourceLocation: sourceLocation)
    }

    @Test("Latency and both losses come back, and the scenario has them")
    func measured() async throws {
        let calibration = try await calibration(Self.town(loss: "loss: 3%, considerate_loss: 8%"))
        Self.expect("apns.latency", 620e3, within: 15e3, in: calibration)
        Self.expect("apns.loss", 0.03, within: 0.02, in: calibration)
        Self.expect("apns.considerate_loss", 0.08, within: 0.012, in: calibration)
        #expect(
            !calibration.assumptions.contains { $0.sentence.hasPrefix("latency:") || $0.sentence.hasPrefix("loss:") }
        )
        let apns = try ScenarioReader.read(yaml: calibration.yaml, named: "again.yaml").scenario.apns
        #expect(apns.loss != .never && apns.considerateLoss != nil)
    }

    @Test("Phones that are off for a while lose no pushes")
    func offline() async throws {
        let connectivity =
            ", connectivity: {online: {exponential: {mean: 5m}}, offline: {exponential: {mean: 40s}}}"
        let calibration = try await calibration(Self.town(loss: "loss: 0%", devices: connectivity))
        let loss = try #require(calibration.values.first { $0.key == "apns.considerate_loss" })
        #expect(loss.estimate < 0.004 && loss.count > 500, "\(loss)")
    }

    @Test("A few phones with wrong clocks are left out, and counted")
    func wrongClocks() async throws {
        let calibration = try await calibration(Self.town(loss: "loss: 3%")) { ride, at in
            switch ride % 50 {
            case 0: at - 300_000_000
            case 1: at + 300_000_000
            default: at
            }
        }
        Self.expect("apns.latency", 620e3, within: 15e3, in: calibration)
        Self.expect("apns.considerate_loss", 0.03, within: 0.01, in: calibration)
        #expect(calibration.notes.contains { $0.contains("clocks of phones") }, "\(calibration.notes)")
    }

    @Test(
        "If the clocks of many phones differ, the latency is an assumption with the spread of each phone; the loss is not"
    )
    func differentClocks() async throws {
        let calibration = try await calibration(Self.town(loss: "loss: 3%")) { ride, at in
            at + (ride * 7919 % 101 - 50) * 60_000
        }
        #expect(!calibration.values.contains { $0.key == "apns.latency" })
        let latency = try #require(calibration.assumptions.first { $0.sentence.hasPrefix("latency:") })
        #expect(latency.sentence.contains("clocks of phones"), "\(latency.sentence)")
        Self.expect("apns.considerate_loss", 0.03, within: 0.01, in: calibration)
        _ = try ScenarioReader.read(yaml: calibration.yaml, named: "again.yaml")
    }

    @Test("Without reports, latency and loss are assumptions with other plausible values")
    func withoutReports() async throws {
        let calibration = try await calibration(Self.town(loss: "loss: 3%"), withScreens: false)
        #expect(!calibration.values.contains { $0.key.hasPrefix("apns.l") })
        for key in ["latency", "loss"] {
            let assumption = calibration.assumptions.first { $0.sentence.hasPrefix("\(key):") }
            #expect(assumption?.alternatives.allSatisfy { $0.hasPrefix("apns.\(key)=") } ?? false, "\(key)")
        }
    }
}
