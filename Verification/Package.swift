// swift-tools-version: 6.2
//
// The proof that the model is right: `freshet verify`. A separate package, because no simulation needs it. Targets are in
// the order of their dependencies, each followed by its tests.

import PackageDescription

let package = Package(
    name: "freshet-verification",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "freshet-verify", targets: ["freshet-verify"])],
    dependencies: [
        .package(name: "freshet", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        // Known results as scenarios, random worlds, and the properties that they must have.
        .target(
            name: "Verification",
            dependencies: [
                .simulator("Evaluation"), .simulator("FreshnessCore"), .simulator("InputFiles"),
                .simulator("LiveActivityModel"), .simulator("ModelChecks"), .simulator("Quantities"),
                .simulator("ScenarioLanguage"), .simulator("SimulationKernel"), .simulator("Statistics"),
                .simulator("Studies"), .simulator("TextFormats"), .simulator("Traces"),
            ]
        ),
        // Properties that the reader of known results must keep for any input.
        .target(
            name: "CaseChecks",
            dependencies: [
                "Verification",
                .simulator("ReaderChecks"), .simulator("ScenarioLanguage"),
            ],
            path: "Tests/CaseChecks"
        ),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "CaseChecks", "Verification",
                .simulator("Evaluation"), .simulator("FreshnessCore"), .simulator("InputFiles"),
                .simulator("LiveActivityModel"), .simulator("ModelChecks"), .simulator("Quantities"),
                .simulator("ReaderChecks"), .simulator("ScenarioLanguage"), .simulator("SimulationKernel"),
                .simulator("Statistics"), .simulator("Studies"), .simulator("TestSupport"),
            ],
            // Read by path, as users' files are.
            exclude: ["Corpus", "Fixtures", "Worlds"]
        ),

        // `freshet verify`.
        .executableTarget(
            name: "freshet-verify",
            dependencies: [
                "Verification",
                .simulator("LiveActivityModel"), .simulator("Reporting"), .simulator("ScenarioLanguage"),
                .simulator("Shell"), .simulator("TextFormats"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "VerifyCommandTests",
            dependencies: [
                "Verification", "freshet-verify",
                .simulator("CommandTestSupport"), .simulator("Evaluation"), .simulator("Studies"),
                .simulator("TestSupport"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    /// A library of the simulator, the package that contains this one.
    static func simulator(_ name: String) -> Self { .product(name: name, package: "freshet") }
}

// `make fuzz`: libFuzzer around all readers. It has its own `main`, so no other build includes it.
if Context.environment["FRESHET_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(name: "ReaderFuzzer", dependencies: ["CaseChecks", .simulator("ReaderChecks")])
    )
}

for target in package.targets {
    target.swiftSettings = [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
