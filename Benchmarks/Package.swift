// swift-tools-version: 6.2
//
// The speed of the simulator on this machine: `freshet bench`, and the comparison with other engines. A separate
// package, because it needs a C++ compiler, which the product does not. Targets are in the order of their dependencies,
// each followed by its tests.

import PackageDescription

let package = Package(
    name: "freshet-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "freshet-bench", targets: ["freshet-bench"]),
        .executable(name: "steady-state", targets: ["steady-state"]),
    ],
    dependencies: [
        .package(name: "freshet", path: ".."),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        // The allocator's own count of memory in use.
        .target(name: "CHeapUsage"),

        // Measures processor time, memory, medians. Workloads: the usual benchmarks of discrete-event engines on the
        // kernel's public interface (hold, M/M/1, PHOLD), and the model on its plateau. Core: the core in real time.
        .target(
            name: "Benchmarking",
            dependencies: [
                "CHeapUsage",
                .simulator("CMemoryHints"), .simulator("Evaluation"), .simulator("FreshnessCore"),
                .simulator("LiveActivityModel"), .simulator("Quantities"), .simulator("ScenarioLanguage"),
                .simulator("SimulationKernel"), .simulator("Studies"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            // A link to experiments/nyc-lyft-day.yaml, so that the everyday world is available wherever the program
            // runs.
            resources: [.embedInCode("everyday.yaml")]
        ),
        .testTarget(
            name: "BenchmarkingTests",
            dependencies: [
                "Benchmarking", .simulator("FreshnessCore"), .simulator("Quantities"), .simulator("SimulationKernel"),
            ]
        ),

        // The baseline of the kernel: std::priority_queue, with workloads as simple as in Benchmarking/Workloads.
        .target(name: "CBaseline", cxxSettings: [.unsafeFlags(["-O3"], .when(configuration: .release))]),

        // `freshet bench`. Comparison: the product and the baselines in turn, in one table.
        .executableTarget(
            name: "freshet-bench",
            dependencies: [
                "Benchmarking", "CBaseline",
                .simulator("FreshnessCore"), .simulator("Quantities"), .simulator("Reporting"), .simulator("Shell"),
                .simulator("TextFormats"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "BenchCommandTests",
            dependencies: [
                "freshet-bench", .simulator("CommandTestSupport"), .simulator("Reporting"), .simulator("TestSupport"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // Counts calls of malloc in a program that links it (Linux).
        .target(name: "CAllocationCount"),

        // Runs only the steady state of one workload, on one thread: for callgrind and for counting.
        .executableTarget(
            name: "steady-state",
            dependencies: ["Benchmarking", "CAllocationCount", .simulator("Quantities")],
            path: "Sources/SteadyState"
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

extension Target.Dependency {
    /// A library of the simulator, the package that contains this one.
    static func simulator(_ name: String) -> Self { .product(name: name, package: "freshet") }
}

for target in package.targets where !target.name.hasPrefix("C") {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
