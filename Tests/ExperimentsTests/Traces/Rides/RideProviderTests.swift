import Testing

@testable import Traces

@Suite("Ride provider")
struct RideProviderTests {
    @Test(
        "A provider has a name and, with the TLC, a licence number",
        arguments: [
            ("lyft", "lyft", true), ("lyft", "LYFT", true), ("lyft", "HV0005", true), ("HV0005", "Lyft", true),
            ("hv0003", "uber", true), ("Gett", "gett", true), ("HV0009", "hv0009", true),
            ("lyft", "uber", false), ("lyft", "HV0003", false), ("lyft", "lyf", false), ("lyft", "lyft ", false),
            ("lyft", "", false), ("gett", "HV0005", false),
        ]
    )
    func matches(provider: String, field: String, expected: Bool) {
        let spellings = RideProvider.spellings(of: provider)
        #expect(RideProvider.matches(Array(field.utf8)[...], spellings) == expected)
    }
}
