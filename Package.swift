// swift-tools-version: 6.2
//
// The simulator. This file shows its architecture: targets are in dependency order, lowest first, each followed by its
// tests. Realtime/ is a separate package because it needs sockets, Verification/ because it proves the model right, and
// Benchmarks/ because it measures speed: a clone that only simulates resolves and builds three packages besides this one.
//
// `make check` refuses an import that is not declared here. Pure targets have no Foundation, no clock, no system
// randomness and no I/O; `make test` proves this on their object files.

import PackageDescription

let package = Package(
    name: "freshet",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "freshet", targets: ["freshet"])],
    // Exact versions, and Package.resolved is committed, so a clone builds the tested versions.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        // Shared test support.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        // Runs built commands as a shell does, and parses command lines without running them.
        .target(
            name: "CommandTestSupport",
            dependencies: ["TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tests/CommandTestSupport"
        ),

        // Pure. Units: instants, time spans, probabilities.
        // Rounding may call libm, which nothing else links without Foundation.
        .target(name: "Quantities", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .testTarget(name: "QuantitiesTests", dependencies: ["Quantities"]),

        // Pure. Reads and writes JSON and OpenMetrics, decimal numbers and quoted strings; makes text safe for messages.
        .target(name: "TextFormats"),
        .testTarget(name: "TextFormatsTests", dependencies: ["TextFormats"]),

        // Memory hints in C: prefetching and large pages, which Swift cannot express.
        .target(name: "CMemoryHints"),

        // Pure. The simulation kernel: clock, future event list, fingerprint, keyed random draws, and the integer samplers that
        // turn a draw into a value. It does not depend on rides or pushes.
        .target(name: "SimulationKernel", dependencies: ["CMemoryHints", "Quantities"]),
        .testTarget(name: "SimulationKernelTests", dependencies: ["Quantities", "SimulationKernel", "TestSupport"]),

        // Pure. Classify, retry, end, invalidate: the decisions that simulator and load tester share.
        .target(name: "FreshnessCore", dependencies: ["CMemoryHints", "Quantities"]),
        // Histories: scripts with the log that every host of the core, the phones or the service must produce.
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
                "FreshnessCore", "LifecycleTraces", "LiveActivityModel", "ModelChecks", "Quantities",
                "ScenarioLanguage", "SimulationKernel", "Statistics", "Studies", "TestSupport",
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
            // The scripts that computed the known answers.
            exclude: ["Fixtures"]
        ),

        // The files that are embedded in the program, in C: examples, templates of charts, page assets and Python scripts. In
        // Swift each would be an array literal, which takes the optimiser seconds.
        .target(name: "CEmbeddedFiles"),

        // Child processes, and Python with pinned packages.
        .target(
            name: "ExternalPrograms",
            dependencies: ["CEmbeddedFiles", "SimulationKernel"],
            exclude: ["parquet_requirements.txt"]
        ),
        .testTarget(name: "ExternalProgramsTests", dependencies: ["ExternalPrograms"]),

        // Files as untrusted input: bytes, CSV tables, numbers, durations and times in text; problems with their places.
        .target(
            name: "InputFiles",
            dependencies: [
                "CEmbeddedFiles", "ExternalPrograms", "LiveActivityModel", "Quantities", "TextFormats",
            ],
            exclude: ["Tables/read_parquet.py"]
        ),

        // The catalogue of metrics, the values of runs and loads, responses in words, and checks of them.
        .target(
            name: "Evaluation",
            dependencies: [
                "InputFiles", "LiveActivityModel", "Quantities", "SimulationKernel", "Statistics", "TextFormats",
            ]
        ),

        // The scenario language: reads, checks and writes scenario files, with every problem at its place.
        .target(
            name: "ScenarioLanguage",
            dependencies: [
                "Evaluation", "FreshnessCore", "InputFiles", "LiveActivityModel", "Quantities", "SimulationKernel",
                "Statistics", "TextFormats",
                .product(name: "Yams", package: "Yams"),
            ]
        ),

        // Ride traces and send logs: reads them, cleans them, and fits distributions to their columns.
        .target(
            name: "Traces",
            dependencies: [
                "FreshnessCore", "InputFiles", "LiveActivityModel", "Quantities", "ScenarioLanguage",
                "SimulationKernel", "Statistics", "TextFormats",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]
        ),

        // Result directories: reads them, compares them and judges them.
        .target(
            name: "Results",
            dependencies: [
                "Evaluation", "InputFiles", "LiveActivityModel", "ScenarioLanguage", "SimulationKernel", "Statistics",
                "TextFormats",
            ]
        ),

        // Studies: compiles scenarios, runs their cells in parallel, and lays out designs, sweeps, searches and tasks.
        .target(
            name: "Studies",
            dependencies: [
                "Evaluation", "FreshnessCore", "InputFiles", "LiveActivityModel", "Quantities", "ScenarioLanguage",
                "SimulationKernel", "Statistics", "TextFormats", "Traces",
            ]
        ),

        // Tests of the six targets above, in folders with their names.
        .testTarget(
            name: "ExperimentsTests",
            dependencies: [
                "Evaluation", "FreshnessCore", "InputFiles", "LiveActivityModel", "ModelChecks", "Quantities",
                "Results", "ScenarioLanguage", "SimulationKernel", "Statistics", "Studies", "TestSupport",
                "TextFormats", "Traces",
            ],
            // Read by path, as users' files are.
            exclude: ["Fixtures"]
        ),

        // Random worlds, and the sums that every run must keep.
        .target(
            name: "ModelChecks",
            dependencies: [
                "FreshnessCore", "LiveActivityModel", "Quantities", "ScenarioLanguage", "SimulationKernel",
                "Statistics",
            ],
            path: "Tests/ModelChecks"
        ),

        // Properties that every file reader must keep for any input.
        .target(
            name: "ReaderChecks",
            dependencies: [
                "InputFiles", "LiveActivityModel", "Quantities", "ScenarioLanguage", "SimulationKernel", "Studies",
                "TestSupport", "Traces",
            ],
            path: "Tests/ReaderChecks"
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: ["ReaderChecks", "TestSupport"],
            // Read by path, as users' files are.
            exclude: ["Corpus"]
        ),

        // The shell of every program: exit codes, signals, standard streams, progress, companion programs, checks of options. It is
        // below all programs and above nothing that computes.
        .target(
            name: "Shell",
            dependencies: ["TextFormats", .product(name: "ArgumentParser", package: "swift-argument-parser")]
        ),
        .testTarget(
            name: "ShellTests",
            dependencies: [
                "CommandTestSupport", "Shell", "TextFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // Presentation: reads results, writes files, tables, charts and reports. Commands: the parts that commands with results share.
        .target(
            name: "Reporting",
            dependencies: [
                "CEmbeddedFiles", "Evaluation", "ExternalPrograms", "FreshnessCore", "InputFiles",
                "LiveActivityModel", "Quantities", "Results", "ScenarioLanguage", "Shell", "SimulationKernel",
                "Statistics", "Studies", "TextFormats", "Traces",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: [
                "Charts/Templates", "Export/write_parquet.py", "HTML/Assets", "Rendering/render_charts.py",
                "Rendering/rendering_requirements.txt",
            ]
        ),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "Evaluation", "ExternalPrograms", "FreshnessCore", "InputFiles", "LiveActivityModel", "Quantities",
                "Reporting", "Results", "ScenarioLanguage", "Shell", "SimulationKernel", "Statistics", "Studies",
                "TestSupport", "TextFormats", "Traces",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Fixtures"]
        ),

        // The command.
        .executableTarget(
            name: "freshet",
            dependencies: [
                "Evaluation", "ExternalPrograms", "InputFiles", "LiveActivityModel", "Quantities", "Reporting",
                "Results", "ScenarioLanguage", "Shell", "Statistics", "Studies", "TextFormats", "Traces",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // Checks of words and names in all packages.
        .testTarget(name: "TidyTests"),

        // Runs the built commands as a user does: exit codes, streams, files.
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CommandTestSupport", "Quantities", "Reporting", "ScenarioLanguage", "Studies", "TestSupport",
                "freshet",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets
where target.type != .system && target.name != "CEmbeddedFiles" && target.name != "CMemoryHints" {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Every library is a product under its own name, so that the other packages depend on just what they import.
for target in package.targets where target.type == .regular {
    package.products.append(.library(name: target.name, targets: [target.name]))
}

// A build by `make` does not optimise the targets that compute little. That saves a quarter of its time and costs 2 % of the
// time of a small run (docs/loops.md). Released programs, and packages that depend on this one, are optimised throughout.
if Context.environment["FRESHET_QUICK_BUILD"] == "1" {
    for target in package.targets where ["Reporting", "freshet"].contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
}

// `make check` and `make test` simulate most of the time. Their debug builds keep assertions but optimise the computing
// targets, which makes these a hundred times faster. No other build uses these flags, and neither do packages that depend
// on this one. The index of a debug build needs an object for every file, hence the option for threads.
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
