import Foundation
import LiveActivityModel
import Studies
import Testing

/// The scenarios under `experiments/`, so small that a debug build runs them both ways in seconds.
enum ShippedScenario {
    /// The share of the rides that is simulated.
    private static let scales = [
        "apns-outage": 0.02,
        "bike-computer": 0.02,
        "booked-rides": 0.004,
        "content-endpoint": 0.02,
        "eta-refresh": 0.004,
        "fan-out-collapse": 1,
        "food-delivery": 0.01,
        "four-midnights": 0.002,
        "go-taxi": 0.05,
        "live-evening": 0.01,
        "live-outage": 0.01,
        "live-trouble": 0.01,
        "lyft-nation-day": 0.0004,
        "metastable": 0.01,
        "morning-and-evening": 0.003,
        "netmera-upload": 0.02,
        "new-years-eve": 0.005,
        "nyc-lyft-day": 0.004,
        "release-gate": 0.004,
        "retry-policies": 0.005,
        "sports-final": 0.01,
        "tokens-or-channels": 0.005,
        "trace-replay": 1,
        "tune-fresh-limit": 0.004,
        "two-arms": 0.05,
        "what-freshness-costs": 0.004,
        "what-matters": 0.005,
        "workout": 0.005,
    ]

    /// Other settings that make a scenario small.
    private static let settings = ["fan-out-collapse": ["groups.size=300"]]

    /// The scenarios in which nothing can be processed ahead: two send no push, one has a queue at APNs, one loses
    /// connections, one has an endpoint of content, two have groups, and two are short of streams.
    static let neverAhead: Set = [
        "bike-computer", "content-endpoint", "fan-out-collapse", "go-taxi", "live-trouble", "metastable",
        "sports-final",
        "tokens-or-channels", "two-arms",
    ]

    /// The names of all scenarios, in alphabetical order.
    static var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: file(""))) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(".yaml".count)) }.sorted()
    }

    static func file(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../experiments/\(name)").standardizedFileURL.path
    }

    static func world(_ name: String) throws -> World {
        let scale = try #require(scales[name], "no scale for \(name)")
        return try ScenarioLoader.load(
            file: file("\(name).yaml"),
            settings: ["cells=2", "rides.scale=\(scale)"] + (settings[name] ?? [])
        )
    }
}
