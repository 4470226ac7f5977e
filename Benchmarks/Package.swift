// swift-tools-version: 6.2
//
// The benchmarks are a package of their own: they need a C++ compiler, which the product does not.

import PackageDescription

let package = Package(
    name: "freshet-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "freshet", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        // What the kernel is compared with: std::priority_queue, the workloads as plain as in Workloads.
        .target(name: "CBaseline", cxxSettings: [.unsafeFlags(["-O3"])]),

        // Runs ours and the baseline by turns and prints one table.
        .executableTarget(
            name: "compare",
            dependencies: [
                "CBaseline",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Benchmarking", package: "freshet"),
            ],
            path: "Sources/Comparison"
        ),

        // Counts calls of malloc in a program that is linked with it (Linux).
        .target(name: "CAllocationCount"),

        // Runs one workload's steady state and nothing beside it, on one thread: for callgrind and for counting.
        .executableTarget(
            name: "steady-state",
            dependencies: ["CAllocationCount", .product(name: "Benchmarking", package: "freshet")],
            path: "Sources/SteadyState"
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

for target in package.targets where target.type == .executable {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
