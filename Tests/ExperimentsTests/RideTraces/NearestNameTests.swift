import Testing

@testable import Experiments

@Suite("Nearest name")
struct NearestNameTests {
    @Test(
        "The name with the fewest edits, if it is near",
        arguments: [
            ("pickup_time", ["dropoff_time", "pickup_tiem", "pick_up_time"], "pick_up_time"),
            ("pickup_time", ["request_time"], nil),
            ("status", ["state", "stats"], "stats"),
            ("status", ["statues", "stats"], "statues"),
            ("ab", ["ac"], nil),
            ("abc", ["abd"], "abd"),
            ("abc", [], nil),
            ("abc", [String(repeating: "abc", count: 100)], nil),
        ] as [(String, [String], String?)]
    )
    func nearest(name: String, candidates: [String], expected: String?) {
        #expect(NearestName.nearest(to: name, among: candidates) == expected)
    }
}
