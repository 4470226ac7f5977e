// swift-tools-version: 6.2
//
// Real-time programs: the wire, the APNs stand-in, the monitor service, the load tester. This is a separate package
// because its network libraries take minutes to build and the simulator needs none of them. `make load` builds its
// commands; `freshet` finds and runs them. Targets are in the order of their dependencies, each followed by its tests.

import PackageDescription

let package = Package(
    name: "freshet-realtime",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "freshet-load", targets: ["LoadCommands"]),
        .executable(name: "freshet-apns", targets: ["APNsStandIn"]),
        .executable(name: "freshet-monitor", targets: ["MonitorCommands"]),
        .executable(name: "freshet-studio", targets: ["Studio"]),
    ],
    // Exact versions, and Package.resolved is committed: a clone builds the tested versions.
    dependencies: [
        .package(name: "freshet", path: ".."),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        // Without its traits: configuration is read elsewhere, and FoundationEssentials is sufficient.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // Pure. The data on the wire, each kind written and read in one place: APNs' headers, reasons, payloads and
        // streams, the phone link, the monitor's API. HTTP2 is a separate target because sockets are not pure.
        .target(
            name: "Wire",
            dependencies: [.simulator("FreshnessCore"), .simulator("Quantities"), .simulator("TextFormats")]
        ),
        .testTarget(
            name: "WireTests",
            dependencies: [
                "Wire", .simulator("FreshnessCore"), .simulator("Quantities"), .simulator("TextFormats"),
            ]
        ),

        // nghttp2, the system's library (Debian: libnghttp2-dev).
        .systemLibrary(
            name: "CNghttp2",
            pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
        ),

        // HTTP/2 connections: nghttp2 at the end of a NIO pipeline.
        .target(
            name: "HTTP2",
            dependencies: [
                "CNghttp2",
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "HTTP2Tests",
            dependencies: [
                "HTTP2",
                .simulator("TestSupport"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]
        ),

        // libcrypto of OpenSSL 3, the system's library (Debian: libssl-dev).
        .systemLibrary(
            name: "CLibcrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),

        // Keys that sign provider tokens, and certificates for tests, by libcrypto. TLS is NIO's.
        .target(name: "Signatures", dependencies: ["CLibcrypto"]),
        .testTarget(name: "SignaturesTests", dependencies: ["Signatures"]),

        // Load in real time: the model's cells by the wall clock, the loop of every load at a rate, and the provider's
        // side of the wire, which follows APNs' limits. Options: what the three commands read alike.
        .target(
            name: "LoadGenerator",
            dependencies: [
                "HTTP2", "Signatures", "Wire",
                .simulator("Evaluation"), .simulator("FreshnessCore"), .simulator("InputFiles"),
                .simulator("LiveActivityModel"), .simulator("Quantities"),
                .simulator("ScenarioLanguage"), .simulator("Shell"), .simulator("SimulationKernel"),
                .simulator("Statistics"), .simulator("TextFormats"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "LoadGeneratorTests",
            dependencies: [
                "LoadGenerator", "Wire",
                .simulator("CommandTestSupport"), .simulator("Evaluation"), .simulator("FreshnessCore"),
                .simulator("LiveActivityModel"), .simulator("Quantities"),
                .simulator("Results"), .simulator("ScenarioLanguage"), .simulator("Shell"),
                .simulator("SimulationKernel"), .simulator("Statistics"), .simulator("Studies"),
                .simulator("TestSupport"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]
        ),

        // Load on services over HTTP, where a request is a call: the Freshness Monitor, and Netmera's API.
        .target(
            name: "ServiceLoad",
            dependencies: [
                "LoadGenerator", "Wire",
                .simulator("FreshnessCore"), .simulator("LiveActivityModel"), .simulator("Quantities"),
                .simulator("Shell"), .simulator("SimulationKernel"), .simulator("TextFormats"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),

        .testTarget(
            name: "ServiceLoadTests",
            dependencies: [
                "APNsStandIn", "LoadGenerator", "ServiceLoad", "Wire",
                .simulator("CommandTestSupport"), .simulator("FreshnessCore"), .simulator("LiveActivityModel"),
                .simulator("Quantities"), .simulator("Shell"), .simulator("TestSupport"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),

        // HTTP/1.1 servers with limits, orderly shutdown and messages about ports: side servers, pages, the monitor.
        .target(
            name: "Servers",
            dependencies: [
                .simulator("TextFormats"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "ServersTests",
            dependencies: [
                "Servers",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ]
        ),

        // `freshet apns`, APNs' side of the wire: HTTP/2 over TLS in front of the model's station, and the phones.
        .executableTarget(
            name: "APNsStandIn",
            dependencies: [
                "HTTP2", "LoadGenerator", "Servers", "Signatures", "Wire",
                .simulator("FreshnessCore"), .simulator("InputFiles"), .simulator("LiveActivityModel"),
                .simulator("Quantities"), .simulator("Shell"),
                .simulator("SimulationKernel"), .simulator("Studies"), .simulator("TextFormats"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(
            name: "APNsStandInTests",
            dependencies: [
                "Wire", "APNsStandIn", "LoadGenerator", "Signatures",
                .simulator("CommandTestSupport"), .simulator("FreshnessCore"), .simulator("LifecycleTraces"),
                .simulator("LiveActivityModel"), .simulator("ModelChecks"), .simulator("Quantities"),
                .simulator("ScenarioLanguage"), .simulator("Shell"), .simulator("SimulationKernel"),
                .simulator("Studies"), .simulator("TestSupport"), .simulator("TextFormats"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),

        // Connections of the load generator, separate from its other tests because they wait for responses.
        .testTarget(
            name: "LoadGeneratorNetworkTests",
            dependencies: [
                "APNsStandIn", "HTTP2", "LoadGenerator", "Wire",
                .simulator("Evaluation"), .simulator("FreshnessCore"), .simulator("LiveActivityModel"),
                .simulator("Quantities"), .simulator("ScenarioLanguage"),
                .simulator("Shell"), .simulator("TestSupport"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),

        // The files of pages, in C: in Swift each would be an array literal, which takes the optimiser seconds.
        .target(name: "CPages"),

        // Pages for a browser on this machine: access control, files, live events.
        .target(
            name: "PageServer",
            dependencies: [
                "CPages", "Servers",
                .simulator("TextFormats"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            exclude: ["Page"]
        ),

        // `--dashboard`: the page of a running load or monitor, which becomes the report.
        .target(
            name: "Dashboard",
            dependencies: [
                "PageServer", "Servers",
                .simulator("Quantities"), .simulator("Reporting"), .simulator("Shell"), .simulator("TextFormats"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            exclude: ["Page"]
        ),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "Dashboard", "PageServer", "Servers",
                .simulator("CommandTestSupport"), .simulator("Quantities"), .simulator("Reporting"),
                .simulator("ScenarioLanguage"), .simulator("TestSupport"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]
        ),

        // SQLite, the system's library (Debian: libsqlite3-dev).
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),

        // The Freshness Monitor as a service: the core in real time, tokens in SQLite.
        .target(
            name: "MonitorServer",
            dependencies: [
                "CSQLite", "LoadGenerator", "Servers", "Wire",
                .simulator("FreshnessCore"), .simulator("LiveActivityModel"), .simulator("Quantities"),
                .simulator("SimulationKernel"), .simulator("TextFormats"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        // `freshet monitor`: the service with its options and its page.
        .executableTarget(
            name: "MonitorCommands",
            dependencies: [
                "Dashboard", "LoadGenerator", "MonitorServer", "Servers", "Wire",
                .simulator("Evaluation"), .simulator("FreshnessCore"), .simulator("InputFiles"),
                .simulator("LiveActivityModel"), .simulator("Quantities"), .simulator("Reporting"),
                .simulator("Results"), .simulator("ScenarioLanguage"), .simulator("Shell"), .simulator("Studies"),
                .simulator("Traces"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(
            name: "MonitorServerTests",
            dependencies: [
                "LoadGenerator", "MonitorCommands", "MonitorServer", "ServiceLoad", "Wire",
                .simulator("CommandTestSupport"), .simulator("Evaluation"), .simulator("FreshnessCore"),
                .simulator("LifecycleTraces"), .simulator("LiveActivityModel"), .simulator("Quantities"),
                .simulator("Reporting"), .simulator("Results"), .simulator("ScenarioLanguage"),
                .simulator("SimulationKernel"), .simulator("Studies"), .simulator("TestSupport"),
                .simulator("TextFormats"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),

        // The core within your own server: a separate package, whose files are also built and tested here.
        .executableTarget(
            name: "EmbeddedMonitor",
            dependencies: [
                .simulator("FreshnessCore"), .simulator("LiveActivityModel"), .simulator("Quantities"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Examples/EmbeddedMonitor/Sources/EmbeddedMonitor"
        ),
        .testTarget(
            name: "EmbeddedMonitorTests",
            dependencies: [
                "EmbeddedMonitor",
                .simulator("FreshnessCore"), .simulator("Quantities"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Examples/EmbeddedMonitor/Tests/EmbeddedMonitorTests"
        ),

        // `freshet studio`: two worlds side by side in the browser, with progressively refined results.
        .executableTarget(
            name: "Studio",
            dependencies: [
                "PageServer", "Servers",
                .simulator("Evaluation"), .simulator("FreshnessCore"), .simulator("InputFiles"),
                .simulator("LiveActivityModel"), .simulator("Quantities"), .simulator("Reporting"),
                .simulator("Results"), .simulator("ScenarioLanguage"), .simulator("Shell"), .simulator("Studies"),
                .simulator("TextFormats"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            exclude: ["Page"]
        ),

        .testTarget(
            name: "StudioTests",
            dependencies: [
                "PageServer", "Studio",
                .simulator("InputFiles"), .simulator("LiveActivityModel"), .simulator("Quantities"),
                .simulator("ScenarioLanguage"), .simulator("Studies"), .simulator("TestSupport"),
            ]
        ),

        // `freshet load`: options, sessions and results.
        .executableTarget(
            name: "LoadCommands",
            dependencies: [
                "Dashboard", "LoadGenerator", "Servers", "ServiceLoad", "Wire",
                .simulator("Evaluation"), .simulator("FreshnessCore"), .simulator("InputFiles"),
                .simulator("LiveActivityModel"), .simulator("Quantities"), .simulator("Reporting"),
                .simulator("Results"), .simulator("ScenarioLanguage"), .simulator("Shell"), .simulator("Studies"),
                .simulator("TextFormats"), .simulator("Traces"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "LoadCommandsTests",
            dependencies: [
                "APNsStandIn", "LoadCommands", "LoadGenerator", "ServiceLoad", "Wire",
                .simulator("CommandTestSupport"), .simulator("Evaluation"), .simulator("LiveActivityModel"),
                .simulator("Quantities"), .simulator("Reporting"), .simulator("Results"),
                .simulator("ScenarioLanguage"), .simulator("Shell"), .simulator("SimulationKernel"),
                .simulator("Studies"), .simulator("TestSupport"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),

        // Runs the built commands as a user does: exit codes, streams, files.
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "APNsStandIn", "LoadCommands", "LoadGenerator", "MonitorCommands", "ServiceLoad",
                .simulator("CommandTestSupport"), .simulator("Reporting"), .simulator("TestSupport"),
                .simulator("TextFormats"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    /// A library of the simulator, the package that contains this one.
    static func simulator(_ name: String) -> Self { .product(name: name, package: "freshet") }
}

for target in package.targets where target.type != .system && target.name != "CPages" {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// As in the simulator's manifest: a build by `make` leaves out the optimisation of commands and pages.
if Context.environment["FRESHET_QUICK_BUILD"] == "1" {
    for target in package.targets where ["Dashboard", "LoadCommands", "MonitorCommands"].contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
}

// As in the simulator's manifest: test builds optimise pure targets.
if Context.environment["FRESHET_TEST_BUILD"] != nil {
    for target in package.targets where target.name == "Wire" {
        target.swiftSettings?
            .append(
                .unsafeFlags(
                    ["-O", "-wmo", "-num-threads", "2", "-disable-batch-mode", "-assert-config", "Debug"],
                    .when(configuration: .debug)
                )
            )
    }
}
