// swift-tools-version: 6.2
//
// This file is the drawing of the architecture: targets stand in the order of their dependencies, lowest first, each
// followed by its tests. Importing a target of this package that is not declared here fails the build (`make build`
// passes --explicit-target-dependency-import-check error). That check does not see products of other packages, which are
// in reach of whoever depends on a target that declares them: declare them all the same. "Pure" targets hold no
// Foundation, no clock, no randomness of the system and no I/O; `make purity` proves that on their object files.

import PackageDescription

let package = Package(
    name: "freshet",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "freshet", targets: ["freshet"]),
        // `freshet load`, `freshet apns` and `freshet monitor`: apart, because the network libraries take minutes to build.
        .executable(name: "freshet-load", targets: ["freshet-load"]),
        // For the package of benchmarks, Benchmarks/.
        .library(name: "Benchmarking", targets: ["Benchmarking", "Quantities", "Workloads"]),
    ],
    // Exact versions: a clone builds what was tested.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        // For freshet-load alone.
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        // What several tests share.
        .target(name: "TestSupport", path: "Tests/TestSupport"),

        // Pure. What everything is measured in: instants, spans, probabilities.
        .target(name: "Quantities"),
        .testTarget(name: "QuantitiesTests", dependencies: ["Quantities"]),

        // Pure. Keyed random draws and the integer samplers that turn one draw into one value.
        .target(name: "RandomStreams", dependencies: ["Quantities"]),
        .testTarget(name: "RandomStreamsTests", dependencies: ["RandomStreams", "Quantities"]),

        // C: the one instruction that Swift has no word for, asking for a cache line before it is needed.
        .target(name: "CPrefetch"),

        // Pure. The clock, the future event list and the fingerprint of a run; knows nothing of rides or pushes.
        .target(name: "SimulationKernel", dependencies: ["CPrefetch", "Quantities"]),
        .testTarget(name: "SimulationKernelTests", dependencies: ["Quantities", "SimulationKernel", "TestSupport"]),

        // Pure. Classify, retry, end, invalidate: the decisions that simulator and load tester share.
        .target(name: "FreshnessCore", dependencies: ["CPrefetch", "Quantities"]),
        // Scripts of one instance's life with the log that every body of the core has to reproduce.
        .target(
            name: "LifecycleTraces",
            dependencies: ["FreshnessCore", "Quantities", "TestSupport"],
            path: "Tests/LifecycleTraces"
        ),
        .testTarget(
            name: "FreshnessCoreTests",
            dependencies: ["FreshnessCore", "LifecycleTraces", "Quantities", "SimulationKernel", "TestSupport"]
        ),

        // Pure. Rides, devices, tokens, sender, APNs and faults around the core, in virtual time.
        .target(
            name: "LiveActivityModel",
            dependencies: [
                "CPrefetch", "FreshnessCore", "Quantities", "RandomStreams", "SimulationKernel",
                .product(name: "DequeModule", package: "swift-collections"),
            ]
        ),
        .testTarget(
            name: "LiveActivityModelTests",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "RandomStreams", "SimulationKernel",
                "Statistics", "TestSupport", "Verification",
            ]
        ),

        // GSL, the system's library (Debian: libgsl-dev).
        .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),

        // GSL behind Swift types: quantile functions, samplers compiled from them, Student intervals.
        .target(name: "Statistics", dependencies: ["CGSL", "Quantities", "RandomStreams"]),
        .testTarget(
            name: "StatisticsTests",
            dependencies: ["CGSL", "Quantities", "RandomStreams", "Statistics"],
            // The scripts that have made the known answers.
            exclude: ["Fixtures"]
        ),

        // Scenario files, ride traces, seeds, cells in parallel, merged results.
        .target(
            name: "Experiments",
            dependencies: [
                "FreshnessCore", "LiveActivityModel", "Quantities", "RandomStreams", "SimulationKernel", "Statistics",
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        .testTarget(
            name: "ExperimentsTests",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "RandomStreams", "SimulationKernel",
                "Statistics", "TestSupport", "Verification",
            ],
            // Read by path, as users' files are.
            exclude: ["Fixtures"]
        ),

        // Known results, translated into scenarios and run: whether the model is right.
        .target(
            name: "Verification",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "RandomStreams", "SimulationKernel",
                "Statistics",
            ]
        ),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "RandomStreams", "Statistics",
                "Verification",
            ],
            exclude: ["Fixtures"]
        ),

        // What readers of files promise of every input, whatever it holds; and whether they keep it.
        .target(
            name: "ReaderChecks",
            dependencies: ["Experiments", "LiveActivityModel", "Quantities", "Verification"],
            path: "Tests/ReaderChecks"
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["RandomStreams", "ReaderChecks"],
            // Read by path, as users' files are.
            exclude: ["Corpus"]
        ),

        // Pure. What discrete-event engines are compared by, on the kernel's public interface: hold, M/M/1, PHOLD.
        .target(name: "Workloads", dependencies: ["CPrefetch", "Quantities", "SimulationKernel"]),
        .testTarget(name: "WorkloadsTests", dependencies: ["Quantities", "SimulationKernel", "Workloads"]),

        // The allocator's own count of what is in use.
        .target(name: "CHeapUsage"),

        // Runs workloads and measures them: processor time, memory, medians.
        .target(
            name: "Benchmarking",
            dependencies: [
                "CHeapUsage", "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "SimulationKernel",
                "Workloads",
            ],
            // A link to experiments/nyc-lyft-day.yaml: the everyday world, wherever the program is run.
            resources: [.embedInCode("everyday.yaml")]
        ),
        .testTarget(name: "BenchmarkingTests", dependencies: ["Benchmarking", "Quantities", "Workloads"]),

        // Reads results, writes files and tables; decides nothing.
        .target(
            name: "Reporting",
            dependencies: [
                "Benchmarking", "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "RandomStreams",
                "SimulationKernel", "Statistics", "Verification",
            ],
            // What Python runs, and what it needs for that, wherever the program is installed.
            resources: [
                .embedInCode("Export/parquet_requirements.txt"), .embedInCode("Export/write_parquet.py"),
                .embedInCode("Rendering/render_charts.py"), .embedInCode("Rendering/rendering_requirements.txt"),
            ]
        ),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "RandomStreams", "Reporting",
                "SimulationKernel", "Statistics", "Verification",
            ],
            exclude: ["Fixtures"]
        ),

        // What all commands share: exit codes, signals, progress, writing a run.
        .target(
            name: "CommandShell",
            dependencies: [
                "Experiments", "LiveActivityModel", "Quantities", "Reporting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // The command.
        .executableTarget(
            name: "freshet",
            dependencies: [
                "Benchmarking", "CommandShell", "Experiments", "LiveActivityModel", "Quantities", "Reporting",
                "Statistics",
                "Verification", "Workloads",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // Pure. What a provider and APNs say to each other: headers, payload limits, reasons, provider tokens, streams.
        .target(name: "APNsProtocol", dependencies: ["FreshnessCore"]),
        .testTarget(name: "APNsProtocolTests", dependencies: ["APNsProtocol", "FreshnessCore"]),

        // nghttp2, the system's library (Debian: libnghttp2-dev).
        .systemLibrary(
            name: "CNghttp2",
            pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
        ),

        // Connections that speak HTTP/2: nghttp2 at the end of a NIO pipeline.
        .target(name: "HTTP2", dependencies: ["CNghttp2", .product(name: "NIOCore", package: "swift-nio")]),
        .testTarget(
            name: "HTTP2Tests",
            dependencies: [
                "HTTP2",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]
        ),

        // The model's cells in real time: rides, phones, sender and monitor, with APNs outside.
        .target(
            name: "LoadGenerator",
            dependencies: [
                "APNsProtocol", "CPrefetch", "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities",
                "RandomStreams", "Statistics",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]
        ),
        .testTarget(
            name: "LoadGeneratorTests",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "LoadGenerator", "Quantities", "RandomStreams",
                "SimulationKernel", "Statistics", "Verification",
            ]
        ),

        // APNs' side of the wire: HTTP/2 over TLS with the model's conduct behind it, and the phones.
        .target(
            name: "APNsStandIn",
            dependencies: [
                "APNsProtocol", "FreshnessCore", "HTTP2", "LiveActivityModel", "Quantities", "RandomStreams",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .testTarget(
            name: "APNsStandInTests",
            dependencies: [
                "APNsProtocol", "APNsStandIn", "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities",
                "RandomStreams",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),

        // A provider's side of the wire: connections to APNs that follow its limits, open-loop load over them.
        .target(
            name: "LoadTransport",
            dependencies: [
                "APNsProtocol", "FreshnessCore", "HTTP2", "LiveActivityModel", "LoadGenerator", "Quantities",
                "RandomStreams",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "LoadTransportTests",
            dependencies: [
                "APNsProtocol", "APNsStandIn", "FreshnessCore", "HTTP2", "LiveActivityModel", "LoadGenerator",
                "LoadTransport", "Quantities", "RandomStreams",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),

        // The Freshness Monitor as a service: the core in real time, tokens in SQLite, pushes through LoadTransport.
        .target(
            name: "MonitorServer",
            dependencies: [
                "APNsProtocol", "FreshnessCore", "LoadTransport", "Quantities", "RandomStreams",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "MonitorServerTests",
            dependencies: [
                "APNsProtocol", "FreshnessCore", "LifecycleTraces", "LoadTransport", "MonitorServer", "Quantities",
                "RandomStreams", "TestSupport",
                // What is killed.
                "freshet-load",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),

        // The commands that work in real time, as `freshet` finds and runs them.
        .executableTarget(
            name: "freshet-load",
            dependencies: [
                "APNsStandIn", "CommandShell", "Experiments", "FreshnessCore", "LiveActivityModel", "LoadGenerator",
                "LoadTransport", "MonitorServer", "Quantities", "Reporting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),

        // Runs the built commands as a user does: exit codes, streams, files.
        .testTarget(name: "CommandTests", dependencies: ["TestSupport", "freshet", "freshet-load"]),
    ],
    swiftLanguageModes: [.v6]
)

// `make fuzz`: libFuzzer around the readers. It brings a `main` of its own, so no other build knows of it.
if Context.environment["FRESHET_FUZZING"] != nil {
    package.targets.append(.executableTarget(name: "ReaderFuzzer", dependencies: ["ReaderChecks"]))
}

for target in package.targets where target.type != .system && target.name != "CPrefetch" {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Tests simulate for most of their time, in a build for debugging too: there these targets are optimised, a hundred times
// faster, and keep their assertions. The index of a build for debugging wants an object for every file, hence threads.
let computing: Set = [
    "FreshnessCore", "LiveActivityModel", "Quantities", "RandomStreams", "SimulationKernel", "Statistics",
]
for target in package.targets where computing.contains(target.name) {
    target.swiftSettings?
        .append(
            .unsafeFlags(
                ["-O", "-wmo", "-num-threads", "2", "-disable-batch-mode", "-assert-config", "Debug"],
                .when(configuration: .debug)
            )
        )
}
