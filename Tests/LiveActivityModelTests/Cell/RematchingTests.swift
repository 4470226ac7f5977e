import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

/// A ride of 10 s of matching, 60 s of waiting for the driver, and 40 s of driving, whose drivers drop it after 20 s.
@Suite("Drivers who drop a ride")
struct RematchingTests {
    private static func ride(share: Double = 0.5) -> Scenario {
        var scenario = Scenario.ride(10, 60, 40)
        scenario.apns.latency = .seconds(2)
        scenario.devices.systemLimit = .seconds(1000)
        scenario.rides.rematching.share = Probability(share)
        scenario.rides.rematching.after = .seconds(20)
        return scenario
    }

    /// The first seed whose only ride is dropped a given number of times.
    private static func ride(droppedTimes count: Int64) throws -> Scenario {
        var scenario = ride()
        for seed in UInt64(1)...100 {
            scenario.seed = seed
            if try FinishedCell(scenario)[.ridesRematched] == count { return scenario }
        }
        throw CancellationError()
    }

    @Test("The ride returns to the first stage, and its screen shows the previous driver until an update arrives")
    func once() throws {
        let scenario = try Self.ride(droppedTimes: 1)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.ride) == [
                "0 requested", "0 stage 0", "10 stage 1", "30 driver dropped the ride", "30 stage 0", "40 stage 1",
                "100 stage 2", "140 completed",
            ]
        )
        let measurements = cell.measurements
        #expect(measurements.parts(of: .rideTime).map { $0 / 1_000_000 } == [20, 80, 40, 0])
        // Two seconds for every change, including the drop: the stage itself was on the screen before.
        #expect(measurements.parts(of: .wrongStageTime).map { $0 / 1_000_000 } == [2, 4, 2, 0])
        #expect(cell.measurements.parts(of: .stageLag).map { $0.sum / 1_000_000 } == [2, 4, 2])
        #expect(cell.measurements.parts(of: .stageLag).map(\.count) == [2, 2, 1])
        #expect(cell.log(.request).filter { $0.contains("sent update") }.count == 4)
    }

    @Test("If the updates are lost, the first driver stays on the screen and every later stage is wrong")
    func lost() throws {
        var scenario = try Self.ride(droppedTimes: 1)
        scenario.apns.loss = .always
        let cell = try FinishedCell(scenario)
        #expect(cell.measurements.parts(of: .wrongStageTime).map { $0 / 1_000_000 } == [10, 80, 40, 0])
        #expect(cell.measurements.parts(of: .stagesNeverShown) == [1, 2, 1])
    }

    @Test("Each driver's photo is sent once, with its own size")
    func photos() throws {
        var scenario = try Self.ride(droppedTimes: 2)
        scenario.content.payload.bytes = .constant(1000)
        scenario.content.payload.photoBytes = .uniform(low: 1000, high: 5000)
        scenario.content.payload.photoStage = "s1"
        scenario.content.payload.ladder = false
        scenario.update(at: 15, 45, 110)
        #expect(try FinishedCell(scenario)[.photosSent] == 3)
    }

    @Test("An unsent photo of the previous driver does not affect the next one")
    func formerPhoto() throws {
        var scenario = try Self.ride(droppedTimes: 1)
        scenario.content.payload.bytes = .constant(1000)
        scenario.content.payload.photoBytes = .constant(1000)
        scenario.content.payload.photoStage = "s1"
        // The updates of 10 s and 30 s wait in the queue until their patience ends, after the next driver's photo was
        // sent.
        scenario.fail(.connectionLost, from: 5, to: 5)
        scenario.sender.reconnectAfter = .seconds(30)
        scenario.sender.patience = .seconds(500)
        scenario.sender.ranks.update = 1
        let cell = try FinishedCell(scenario)
        #expect(cell[.photosSent] == 2)
        scenario.sender.coalesce = true
        #expect(try FinishedCell(scenario)[.photosSent] == 1)
    }

    @Test("A cancellation before the drop ends the ride; one whose time passes during the trip does not")
    func cancellation() throws {
        var scenario = try Self.ride(droppedTimes: 1)
        scenario.rides.cancellation.share = .always
        scenario.rides.cancellation.untilStage = "s0"
        // In the first wait for the driver, in which no rider cancels; then in the second matching.
        scenario.rides.cancellation.after = .seconds(25)
        #expect(try FinishedCell(scenario)[.ridesCompleted] == 1)
        scenario.rides.cancellation.after = .seconds(35)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.ride).suffix(2) == ["30 stage 0", "35 cancelled"])
    }

    @Test("A drop at the end of the stage, or later, comes too late")
    func late() throws {
        for seconds in [60.0, 61] {
            var scenario = Self.ride(share: 0.999)
            scenario.rides.rematching.after = .seconds(seconds)
            #expect(try FinishedCell(scenario)[.ridesRematched] == 0)
        }
    }

    @Test("Only the named stages take part, and every driver has a separate draw")
    func stages() throws {
        var scenario = Self.ride().times(400)
        scenario.rides.stages.append(Scenario.Stage(name: "s3", duration: .seconds(30)))
        scenario.rides.rematching.fromStage = "s2"
        scenario.rides.rematching.toStage = "s1"
        let cell = try FinishedCell(scenario, ride: nil)
        // With a probability of one half per driver, there are as many drops as rides: 400, with a standard deviation
        // of 28.
        #expect((316...484).contains(cell[.ridesRematched]))
        #expect(cell[.ridesCompleted] == 400)
        #expect(cell.measurements[.rideTime, 0] == 400 * 10_000_000)
    }

    @Test("If no driver drops rides, the other settings of rematching do not change the history")
    func off() throws {
        var scenario = Self.ride(share: 0).times(20)
        scenario.rides.cancellation.share = Probability(0.3)
        let before = try FinishedCell(scenario)
        scenario.rides.rematching = Scenario.Rematching()
        #expect(try FinishedCell(scenario).fingerprint == before.fingerprint)
    }
}
