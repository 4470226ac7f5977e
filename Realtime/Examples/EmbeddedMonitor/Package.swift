// swift-tools-version: 6.2
//
// A small service with the freshness core inside. Copy this folder to start a service of your own, and depend on
// Freshet by version instead of by path:
//
//     .package(url: "https://github.com/OWNER/freshet", exact: "0.1.0")
//
// Freshet's own tests build the same files as a part of Realtime/, where Hummingbird is built already;
// `scripts/verify dependency` builds this package, by version.

import PackageDescription

let package = Package(
    name: "embedded-monitor",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "freshet", path: "../../.."),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "EmbeddedMonitor",
            dependencies: [
                .product(name: "FreshnessCore", package: "freshet"),
                .product(name: "LiveActivityModel", package: "freshet"),
                .product(name: "Quantities", package: "freshet"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "EmbeddedMonitorTests",
            dependencies: [
                "EmbeddedMonitor",
                .product(name: "FreshnessCore", package: "freshet"),
                .product(name: "Quantities", package: "freshet"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
