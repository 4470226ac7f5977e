import SimulationKernel
import Statistics
import Studies
import Testing

@testable import LiveActivityModel

@Suite("A compiled scenario")
struct WorldTests {
    @Test("Each distribution is compiled once, however often it is used")
    func samplers() throws {
        var scenario = Scenario.ride(60, 300, 60)
        scenario.devices.token.delay = .seconds(60)
        scenario.apns.latency = .exponential(mean: 1e6)
        scenario.sender.requestTime = .exponential(mean: 1e6)
        var asked: [Distribution] = []
        let world = try World(scenario) { distribution in
            asked.append(distribution)
            return try distribution.compiled(within: 0...0x1p62)
        }
        #expect(Set(asked).count == asked.count && world.bank.count == asked.count)
        let samplers = world.samplers
        #expect(samplers.latency == samplers.requestTime && samplers.tokenDelay == samplers.stageDurations[2])
        for draw in [0, 1 << 40, 1 << 63, .max] as [UInt64] {
            let expected = try scenario.apns.latency.compiled(within: 0...0x1p62).value(for: draw)
            #expect(world.bank.sample(samplers.requestTime, draw) == expected)
        }
    }

    /// A table, a constant that fits, one that does not, and a mixture, whose values do not increase with the draw.
    @Test(
        "The draw of a payload decides whether it fits, like its size",
        arguments: [
            .exponential(mean: 2000), .constant(4096), .constant(4097),
            .mixture([
                MixtureComponent(weight: 0.5, distribution: .exponential(mean: 3000)),
                MixtureComponent(weight: 0.5, distribution: .exponential(mean: 2000)),
            ]),
        ] as [Distribution]
    )
    func fits(bytes: Distribution) throws {
        var scenario = Scenario.ride(60)
        scenario.content.payload.bytes = bytes
        scenario.content.payload.limit = 4096
        let world = try ScenarioLoader.world(scenario)
        let sampler = try #require(world.samplers.payloadBytes[0])
        for step in 0..<500 as Range<UInt64> {
            let draw = step &* (.max / 499)
            #expect(world.fits(payloadDraw: draw, inStage: 0) == (world.bank.sample(sampler, draw) <= 4096))
        }
        scenario.content.payload.bytes = nil
        #expect(try ScenarioLoader.world(scenario).fits(payloadDraw: .max, inStage: 0))
    }
}
