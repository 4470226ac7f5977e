import SimulationKernel
import Statistics
import Testing

@testable import InputFiles
@testable import ScenarioLanguage

@Suite("Descriptions of distributions")
struct DistributionDescriptionTests {
    @Test("The families match those of scenarios, in the same order with the same parameters")
    func families() {
        let keys = DistributionNotation(measure: .duration, depth: 1).keys
        #expect(Set(DistributionDescription.all.map(\.name)) == Set(keys))
        for form in DistributionForm.all(.duration) {
            let names = form.parameters.map(\.name)
            let family = DistributionDescription.all.first { $0.name == form.key }
            #expect(family?.forms.contains { $0.parameters.map(\.name) == names } == true, "\(form.key) \(names)")
        }
    }

    @Test("Every example is a distribution with the stated mean", arguments: DistributionDescription.all)
    func examples(family: DistributionDescription) throws {
        for form in family.forms where family.name != "empirical" {
            let distribution = try #require(form.exampleDistribution, "\(form.example)")
            try distribution.validated()
            let shown = try DurationText.microseconds(try #require(form.exampleMean))
            #expect(abs(shown - distribution.mean) <= 5e-4 * distribution.mean)
        }
    }

    @Test("The triangle: read, written, rejected")
    func triangle() throws {
        let notation = DistributionNotation(measure: .duration, depth: 1)
        func read(_ text: String) -> (Distribution?, [String]) {
            guard let root = YAMLText(text).compose().root else { return (nil, []) }
            var reading = Reading()
            let found = notation.read(root, "a", &reading)
            return (found, reading.errors.map(\.message))
        }
        let (found, errors) = read("{triangular: {min: 1m, mode: 2m, max: 6m}}")
        #expect(found == .triangular(min: 60e6, mode: 120e6, max: 360e6))
        #expect(errors == [])
        let written = notation.write(try #require(found)).yamlLines.joined()
        #expect(written == "{triangular: {min: 1m, mode: 2m, max: 6m}}")
        #expect(read("{triangular: {min: 3m, mode: 2m, max: 6m}}").1.first?.contains("must be at least min") == true)
        #expect(
            read("{triangular: {min: 1m, mode: 7m, max: 6m}}").1.first?.contains("must be at least the mode") == true
        )
        #expect(read("{triangular: {min: 1m, max: 6m}}").1.first?.contains("{min, mode, max}") == true)
    }
}
