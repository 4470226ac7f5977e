import LiveActivityModel
import ScenarioLanguage
import Studies
import Testing

@testable import Studio

@Suite("Kept previews")
struct TownsTests {
    private static let size = Town.Size(of: Scenario(), times: 1)

    private static func world() throws(ScenarioError) -> World {
        try ScenarioLoader.world(ScenarioReader.read(yaml: "name: town", named: "town.yaml"))
    }

    @Test("Equal settings and sizes share a preview across pages; different ones do not")
    func shared() throws {
        let towns = Towns(jobs: 1)
        let first = try towns.town(["a=1"], Self.size, world: Self.world)
        let again = try towns.town(["a=1"], Self.size) { () throws(ScenarioError) in
            Issue.record("a town that is kept is made again")
            return try Self.world()
        }
        #expect(again === first)
        #expect(try towns.town(["a=2"], Self.size, world: Self.world) !== first)
        #expect(towns.count == 2)
    }

    @Test("When memory runs out, the least recently used previews are dropped; the two that are compared stay")
    func bounded() throws {
        let full = Towns(jobs: 1, mostBytes: 1)
        for number in 0..<5 { _ = try full.town(["a=\(number)"], Self.size, world: Self.world) }
        #expect(full.count == 2)
        for number in 3...4 {
            _ = try full.town(["a=\(number)"], Self.size) { () throws(ScenarioError) in
                Issue.record("preview \(number) was dropped")
                return try Self.world()
            }
        }
        let roomy = Towns(jobs: 1, mostBytes: .infinity)
        for number in 0..<5 { _ = try roomy.town(["a=\(number)"], Self.size, world: Self.world) }
        #expect(roomy.count == 5)
    }

    @Test("A whole cell has its full load; the usual size stays if it has more than one")
    func wholeCell() {
        var scenario = Scenario()
        scenario.cells = 16
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 10_000_000
        let cell = Town.Size.wholeCell(of: scenario)
        #expect(Town.Size(of: scenario, times: 1).load < 0.99)
        #expect(cell.cells == 1 && cell.warning == nil && (cell.scale - 1.0 / 16).magnitude < 1e-9)
        scenario.cells = 100_000
        let small = Town.Size.wholeCell(of: scenario)
        #expect(small == Town.Size(of: scenario, times: 1) && small.cells > 1 && small.warning == nil)
    }

    @Test("A changed world with fewer or more rides than the base has a warning that counts are not comparable")
    func otherRides() {
        #expect(
            Town.Size.warning(rides: 990, ofBase: 1000) == nil && Town.Size.warning(rides: 1010, ofBase: 1000) == nil
        )
        #expect(
            Town.Size.warning(rides: 2000, ofBase: 1000)
                == "The changed world has 200 % of the base's rides, 2000 in all: its senders have correspondingly more load. "
                + "Counts are not comparable."
        )
        #expect(Town.Size.warning(rides: 500, ofBase: 1000)?.hasSuffix("Counts are not comparable.") == true)
        #expect(Town.Size.warning(rides: 0, ofBase: 0) == nil)
        #expect(
            Town.Size.warning(rides: 120, ofBase: 1000)?
                .hasPrefix("The changed world has 12 % of the base's rides, 120") == true
        )
        #expect(Town.Size.warning(rides: 5, ofBase: 1000)?.contains(" 0.5 % ") == true)
    }
}
