// swift-tools-version: 6.2
//
// This file is the drawing of the architecture: targets stand in the order of their dependencies, lowest first, each
// followed by its tests. An import that is not declared here fails the build (`make build` passes
// --explicit-target-dependency-import-check error). "Pure" targets hold no Foundation, no clock, no randomness of the
// system and no I/O; `make purity` proves that on their object files.

import PackageDescription

let package = Package(
    name: "freshet",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "freshet", targets: ["freshet"]),
        // For the package of benchmarks, Benchmarks/.
        .library(name: "Benchmarking", targets: ["Benchmarking", "Quantities", "Workloads"]),
    ],
    // Exact versions: a clone builds what was tested.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
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
        .testTarget(
            name: "FreshnessCoreTests",
            dependencies: ["FreshnessCore", "Quantities", "SimulationKernel", "TestSupport"]
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

        // The command.
        .executableTarget(
            name: "freshet",
            dependencies: [
                "Benchmarking", "Experiments", "LiveActivityModel", "Quantities", "Reporting", "Statistics",
                "Verification", "Workloads",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // Runs the built command as a user does: exit codes, streams, files.
        .testTarget(name: "CommandTests", dependencies: ["TestSupport", "freshet"]),
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
