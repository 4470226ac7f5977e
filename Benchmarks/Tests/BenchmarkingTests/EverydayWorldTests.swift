import Benchmarking
import Quantities
import Testing

/// The world of the model's benchmark.
@Suite("Everyday world")
struct EverydayWorldTests {
    @Test(
        "About the requested number of activities is live on the plateau, in any number of cells",
        arguments: [1, 4]
    )
    func plateau(cells: Int) throws {
        let model = try ModelWorkload(activities: 2000, cells: cells, longest: ModelWorkload.warmUp)
        model.run(for: ModelWorkload.warmUp)
        // Poisson: six standard deviations are 13%.
        #expect((1740...2260).contains(model.activityCount))
        #expect(model.eventCount > 100_000)
    }
}
