import Foundation
import ScenarioLanguage
import Testing

@testable import Reporting

@Suite("The reference of distributions")
struct DistributionReferenceTests {
    @Test("One family in detail: parameters with units, mean, example")
    func full() throws {
        let families = try #require(DistributionDescription.named("lognormal"))
        let text = DistributionReference(families).plain
        #expect(text.hasPrefix("lognormal\n  Mostly small values with a long tail"))
        #expect(text.contains("  lognormal: {median, p95}\n    median  duration\n"))
        #expect(text.contains("    mu     the natural logarithm of the median in seconds\n"))
        #expect(text.contains("    mean: exp(mu + sigma² / 2) seconds\n"))
        #expect(text.contains("    example: {lognormal: {mu: 5, sigma: 0.5}}, mean 2m48.2s\n"))
    }

    @Test("All families: a table of their parameters")
    func table() throws {
        let text = DistributionReference(try #require(DistributionDescription.named("distribution"))).plain
        #expect(text.contains("triangular: {min, mode, max}"))
        #expect(text.contains("mixture: [{weight, of}, …]"))
    }

    @Test("docs/distributions.md is up to date: `freshet describe distribution --format markdown`")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/distributions.md"), encoding: .utf8)
        #expect(page.contains(DistributionReference(DistributionDescription.all).markdown))
    }
}
