// swift-tools-version: 6.2
//
// The simulator. This file is the drawing of its architecture: targets stand in the order of their dependencies, lowest
// first, each followed by its tests. What needs sockets is a package of its own, Realtime/, and so is what measures
// speed, Benchmarks/: a clone that only simulates resolves and builds three packages besides this one.
//
// `make check` refuses an import that is not declared here. "Pure" targets hold no Foundation, no clock, no randomness
// of the system and no I/O; `make test` proves that on their object files.

import PackageDescription

// The files of experiments/ that the program carries.
let examples =
    [
        "apns-outage", "bike-computer", "food-delivery", "four-midnights", "go-taxi", "live-evening", "live-outage",
        "live-trouble", "lyft-nation-day", "metastable", "netmera-upload", "new-years-eve", "nyc-lyft-day",
        "release-gate", "retry-policies", "sports-final", "trace-replay", "tune-fresh-limit", "what-freshness-costs",
        "what-matters", "workout",
    ]
    .map { "\($0).yaml" } + ["traces/lyft-sample.csv"]

let package = Package(
    name: "freshet",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "freshet", targets: ["freshet"])],
    // Exact versions, and Package.resolved is committed: a clone builds what was tested.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        // What several tests share.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        // Runs built commands as a user's shell does, and reads their command lines without running them.
        .target(
            name: "CommandTestSupport",
            dependencies: ["TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tests/CommandTestSupport"
        ),

        // Pure. What everything is measured in: instants, spans, probabilities.
        // Rounding may call libm, and where Foundation is not imported nothing else links it.
        .target(name: "Quantities", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .testTarget(name: "QuantitiesTests", dependencies: ["Quantities"]),

        // Pure. JSON and OpenMetrics, read and written; decimal numbers and quoted texts as files have them.
        .target(name: "TextFormats"),
        .testTarget(name: "TextFormatsTests", dependencies: ["TextFormats"]),

        // C: what Swift has no word for and the machine is told about memory: a cache line is asked for before it is needed, and
        // large pages where much is used here and there.
        .target(name: "CMemoryHints"),

        // Pure. What any simulation needs: the clock, the future event list, the fingerprint of a run, keyed random draws and
        // the integer samplers that turn one draw into one value. Knows nothing of rides or pushes.
        .target(name: "SimulationKernel", dependencies: ["CMemoryHints", "Quantities"]),
        .testTarget(name: "SimulationKernelTests", dependencies: ["Quantities", "SimulationKernel", "TestSupport"]),

        // Pure. Classify, retry, end, invalidate: the decisions that simulator and load tester share.
        .target(name: "FreshnessCore", dependencies: ["CMemoryHints", "Quantities"]),
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
                "CMemoryHints", "FreshnessCore", "Quantities", "SimulationKernel",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),
        .testTarget(
            name: "LiveActivityModelTests",
            dependencies: [
                "Experiments", "FreshnessCore", "LifecycleTraces", "LiveActivityModel", "Quantities",
                "SimulationKernel",
                "Statistics", "TestSupport", "Verification",
            ]
        ),

        // GSL, the system's library (Debian: libgsl-dev).
        .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),

        // GSL behind Swift types: quantile functions, samplers compiled from them, Student intervals.
        .target(name: "Statistics", dependencies: ["CGSL", "Quantities", "SimulationKernel"]),
        .testTarget(
            name: "StatisticsTests",
            dependencies: [
                "CGSL", "Quantities", "SimulationKernel", "Statistics", "TestSupport",
            ],
            // The scripts that have made the known answers.
            exclude: ["Fixtures"]
        ),

        // Other programs, run to their end or read while they write; Python with packages of exact versions.
        .target(
            name: "ExternalPrograms",
            dependencies: ["SimulationKernel"],
            resources: [.embedInCode("parquet_requirements.txt")]
        ),
        .testTarget(name: "ExternalProgramsTests", dependencies: ["ExternalPrograms"]),

        // Scenario files, ride traces, seeds, cells in parallel, merged results.
        .target(
            name: "Experiments",
            dependencies: [
                "ExternalPrograms", "FreshnessCore", "LiveActivityModel", "Quantities", "SimulationKernel",
                "Statistics",
                "TextFormats",
                .product(name: "Yams", package: "Yams"),
            ],
            // What `freshet init` and `freshet run NAME` know wherever the program is installed; what Python runs.
            exclude: ["Examples/Files/validation", "Examples/Files/freshet.schema.json"],
            resources: examples.map { .embedInCode("Examples/Files/\($0)") }
                + [.embedInCode("RideTraces/read_parquet.py")]
        ),
        .testTarget(
            name: "ExperimentsTests",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "SimulationKernel",
                "Statistics", "TestSupport", "Verification",
            ],
            // Read by path, as users' files are.
            exclude: ["Fixtures"]
        ),

        // Known results, translated into scenarios and run: whether the model is right.
        .target(
            name: "Verification",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "SimulationKernel",
                "Statistics",
            ]
        ),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "Experiments", "FreshnessCore", "LiveActivityModel", "Quantities", "SimulationKernel", "Statistics",
                "TestSupport", "Verification",
            ],
            // Read by path, as users' files are.
            exclude: ["Fixtures", "Worlds"]
        ),

        // What readers of files promise of every input, whatever it holds; and whether they keep it.
        .target(
            name: "ReaderChecks",
            dependencies: ["Experiments", "LiveActivityModel", "Quantities", "SimulationKernel", "Verification"],
            path: "Tests/ReaderChecks"
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["ReaderChecks", "SimulationKernel", "TestSupport"],
            // Read by path, as users' files are.
            exclude: ["Corpus"]
        ),

        // Reads results, writes files and tables; decides nothing. Shell: what all commands share, as exit codes and signals.
        .target(
            name: "Reporting",
            dependencies: [
                "Experiments", "ExternalPrograms", "FreshnessCore", "LiveActivityModel", "Quantities",
                "SimulationKernel",
                "Statistics", "TextFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // What pages consist of and what Python runs, wherever the program is installed.
            resources: [
                .embedInCode("Export/write_parquet.py"), .embedInCode("HTML/Assets/charts.js"),
                .embedInCode("HTML/Assets/page.css"),
                .embedInCode("Rendering/render_charts.py"), .embedInCode("Rendering/rendering_requirements.txt"),
            ]
        ),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "Experiments", "ExternalPrograms", "FreshnessCore", "LiveActivityModel", "Quantities", "Reporting",
                "SimulationKernel",
                "Statistics", "TestSupport", "TextFormats", "Verification",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Fixtures"]
        ),

        // The command.
        .executableTarget(
            name: "freshet",
            dependencies: [
                "Experiments", "ExternalPrograms", "LiveActivityModel", "Quantities", "Reporting", "Statistics",
                "TextFormats", "Verification",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // Words and names in all three packages.
        .testTarget(name: "TidyTests"),

        // Runs the built commands as a user does: exit codes, streams, files.
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CommandTestSupport", "Experiments", "Quantities", "TestSupport", "Verification", "freshet",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `make fuzz`: libFuzzer around the readers. It brings a `main` of its own, so no other build knows of it.
if Context.environment["FRESHET_FUZZING"] != nil {
    package.targets.append(.executableTarget(name: "ReaderFuzzer", dependencies: ["ReaderChecks"]))
}

for target in package.targets where target.type != .system && target.name != "CMemoryHints" {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Every library is a product under its own name, so that Realtime/ and Benchmarks/ depend on just what they import.
for target in package.targets where target.type == .regular {
    package.products.append(.library(name: target.name, targets: [target.name]))
}

// `make check` and `make test` simulate for most of their time. They ask for what computes to be optimised, a hundred times
// faster, within a build for debugging that keeps assertions. No other build sees these flags, and no package that depends
// on this one. The index of a build for debugging wants an object for every file, hence threads.
if Context.environment["FRESHET_TEST_BUILD"] != nil {
    let computing: Set = [
        "FreshnessCore", "LiveActivityModel", "Quantities", "SimulationKernel", "Statistics",
        "TextFormats",
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
}
