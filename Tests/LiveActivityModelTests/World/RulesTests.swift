import FreshnessCore
import ModelChecks
import Quantities
import Studies
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("Rules")
struct RulesTests {
    @Test("They are the parameters of the scenario", .enabled(if: Loop.isFull), arguments: 0..<100)
    func scenario(seed: UInt64) throws {
        let world = try ScenarioLoader.world(ScenarioSwarm.scenario(seed: seed))
        let scenario = world.scenario
        let rules = world.rules
        #expect(rules.horizon == .start + scenario.clock.duration + scenario.clock.drain)
        #expect(rules.measuredFrom == .start + scenario.clock.warmUp)

        #expect(rules.ttl == scenario.content.ttl)
        #expect(rules.staleDateMissing == scenario.content.staleDateMissing)
        #expect(rules.timestampInMilliseconds == scenario.content.timestampInMilliseconds)
        #expect(rules.timestampsRise == scenario.content.timestampsRise)
        #expect(rules.hasFixedUpdates == !scenario.content.updatesAt.isEmpty)
        #expect(rules.refreshPriority == scenario.content.refreshPriority)
        #expect(rules.stageCount == scenario.rides.stages.count)

        #expect(rules.minimumInterval == scenario.sender.minimumInterval)
        #expect(rules.coalesces == scenario.sender.coalesce)
        #expect(rules.countsWaits == !scenario.measure.waitOver.isEmpty)

        #expect(rules.reorders == scenario.apns.reorder)

        #expect(rules.appCanUpdate == scenario.devices.localUpdates.enabled)
        #expect(rules.appNeedsConnection == scenario.devices.localUpdates.needsConnection)
        #expect(rules.appDrawsAtIntervals == (scenario.hasAppUpdates && scenario.devices.renderInterval != nil))
        #expect(rules.wakeApp == scenario.content.wakeApp)
        #expect(rules.leavesCards == !scenario.devices.dismissal.isImmediate)
        #expect(rules.rendersStale == scenario.devices.rendersStale)
        #expect(rules.startTokensRotate == (scenario.devices.start.tokenRotation != nil))
        #expect(rules.ridersReturn == (scenario.rides.again != nil))
        #expect(rules.sharesBudget == (scenario.rides.again != nil && scenario.devices.budget.isShared))
        #expect(rules.renewBefore == scenario.content.renewBefore)
        #expect(rules.hasGroups == (scenario.groups != nil))
        #expect(rules.hasETA == (scenario.content.eta != nil))
        #expect(rules.refreshWhenMoved == scenario.content.refreshWhenMoved)
        #expect(rules.phone == PhoneStation.Rules(scenario.devices, channel: scenario.groups?.channel))

        #expect(rules.confirmsAcceptance == (scenario.monitor.feedback == .acceptance))
    }

    @Test("The photo is sent from its stage on; without a photo, or without its stage, never")
    func photoStage() throws {
        var scenario = Scenario.ride(1, 1, 1)
        #expect(try ScenarioLoader.world(scenario).photoStage == .max)
        for stage in 0..<3 {
            scenario.content.payload.photoStage = "s\(stage)"
            #expect(try ScenarioLoader.world(scenario).photoStage == stage)
        }
    }
}
