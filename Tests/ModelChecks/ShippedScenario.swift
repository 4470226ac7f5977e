import Foundation

/// A scenario under `experiments/`, as distributed.
public struct ShippedScenario: CustomStringConvertible, Sendable {
    /// The directory of all shipped scenarios.
    public static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "experiments").path

    /// All shipped scenarios, in alphabetical order.
    public static let all = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
        .filter { $0.hasSuffix(".yaml") }.map { ShippedScenario(String($0.dropLast(".yaml".count))) }
        .sorted { $0.name < $1.name }

    /// The share of rides that a debug build simulates in about a second.
    public static let scales = [
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

    /// The name, which is also the name of the file.
    public let name: String

    /// The scenario with a name.
    public init(_ name: String) { self.name = name }

    /// The name, as test reports print it.
    public var description: String { name }

    /// The path of the file.
    public var path: String { "\(Self.directory)/\(name).yaml" }

    /// The settings that make the scenario small; every ride takes part if it has no scale.
    public var smallSettings: [String] {
        ["cells=2", "rides.scale=\(Self.scales[name, default: 1])"]
            + (name == "fan-out-collapse" ? ["groups.size=300"] : [])
    }
}
