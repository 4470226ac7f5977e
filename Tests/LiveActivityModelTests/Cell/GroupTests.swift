import LifecycleTraces
import ModelChecks
import Quantities
import SimulationKernel
import Studies
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("Groups: one content for several phones, by tokens or by channel")
struct GroupTests {
    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        By tokens, a group of three takes three pushes a content
            groups={size: 3}; content.updates_at=[10s, 20s]; apns.latency=1s
            push: 11 update shown; 21 update shown; 101 end ended
            values: ridesRequested 3; groupsRequested 1; groupContents 2; updatesSent 6; endsSent 3; fateShown 6
            values: tokensPosted 3; lastPhone.sum 2s; fanOut.sum 0; leftOver 0

        By channel, it takes one push a content
            groups={size: 3, by: channel}; content.updates_at=[10s, 20s]; apns.latency=1s; ride=2
            ride+push: 0 requested, joined group 0 by channel, stage 0
            10 sent on update; 11 update shown; 20 sent on update; 21 update shown; 100 completed, sent on end; 101 end ended
            values: ridesRequested 3; groupContents 2; updatesSent 2; endsSent 1; fateSentOn 3; pushesSentOn 9; fateShown 6
            values: fateEnded 3; tokensPosted 0; responsesAccepted 3; lastPhone.sum 2s; leftOver 0

        # A stream takes a second for each push, so the third phone has it 2 s after the first.
        By tokens, the last member gets its push when the sender has a stream
            groups={size: 3}; content.updates_at=[10s]; sender={connections: 1, streams: 1, request_time: 1s}; ride=2
            push: 12 update shown; 102 end ended
            values: fanOut.sum 2s; lastPhone.sum 2s

        By channel, no phone waits for another
            groups={size: 3, by: channel}; content.updates_at=[10s]; ride=2
            sender={connections: 1, streams: 1, request_time: 1s}
            push: 10 sent on update, update shown; 100 sent on end, end ended
            values: fanOut.count 1; fanOut.sum 0

        A member that joins later follows the course from there on
            groups={size: 2, joins: 30s}; rides.stages=[{name: s0, duration: 20s}, {name: s1, duration: 80s}]; ride=1
            ride: 30 requested, joined group 0 by tokens, stage 1; 100 completed
            values: ridesRequested 2; ridesCompleted 2; rideTime 170s; updatesSent 1; groupContents 1

        Refreshes of all members come at the same instants, also if one joins later
            groups={size: 2, joins: 35s}; content.refresh=20s; ride=1
            push: 40 update shown; 60 update shown; 80 update shown; 100 end ended
            values: updatesSent 7; groupContents 4

        No member joins after the end
            groups={size: 3, joins: 100s}
            ride: 0 requested, joined group 0 by tokens, stage 0; 100 completed
            values: ridesRequested 1; ridesCompleted 1; leftOver 0

        A phone that joins later gets the contents that are published from then on
            groups={size: 2, joins: 15s, by: channel}; content.updates_at=[10s, 20s]; ride=1
            push: 20 sent on update, update shown; 100 sent on end, end ended
            values: pushesSentOn 5; updatesSent 2

        A cancellation ends the ride of all members
            groups={size: 2, joins: 30s}; rides.cancellation={share: 1, after: 50s}; ride=1
            ride: 30 requested, joined group 0 by tokens, stage 0; 50 cancelled
            values: ridesCancelled 2

        A channel that stores nothing does not reach a phone that is offline
            groups={size: 1, by: channel, channel: {storage: none}}; content.updates_at=[20s]
            faults.0={kind: devices_offline, at: 15s, duration: 20s}
            push: 20 sent on update, update notStored; 100 sent on end, end ended

        A channel that stores the most recent push reaches it later
            groups={size: 1, by: channel}; content.updates_at=[20s, 25s]
            faults.0={kind: devices_offline, at: 15s, duration: 20s}
            push: 20 sent on update, stored update until 35; 25 sent on update, stored update until 35
            push: 35 update replacedInStore, update shown; 100 sent on end, end ended

        A channel stores for at most eight hours
            groups={size: 1, by: channel}; rides.stages.0.duration=12h; devices.system_limit=24h; clock.drain=13h
            content.updates_at=[1h]; apns.expiration=24h; faults.0={kind: devices_offline, at: 30m, duration: 9h}
            push: 3600 sent on update, update expired; 43200 sent on end, end ended

        After the deletion of its channel, nothing reaches a phone
            groups={size: 2, by: channel, channel: {deleted: 1, deleted_after: 15s}}; content.updates_at=[10s, 20s, 30s]
            push+activity: 0 started; 10 sent on update, update shown; 28800 ended: systemLimit, end reported
            values: updatesSent 2; responses400 1; channelsLost 1; endsSent 0; endedSystemLimit 2; leftOver 0

        # The third group has neither of the app's two channels.
        A group beyond the limit of channels is reached by tokens
            groups={size: 2, by: channel, channel: {most: 2}}; rides.arrivals.count=3; content.updates_at=[10s]; ride=4
            ride+token: 0 requested, joined group 4 by tokens, stage 0, token yielded, token posted; 100 completed, token invalidated
            values: channelsRefused 1; groupsRequested 3; updatesSent 4; pushesSentOn 8; tokensPosted 2

        A channel is free again after its end
            groups={size: 1, by: channel, channel: {most: 1}}; rides.arrivals.count=2; rides.arrivals.spread=400s; clock.duration=400s
            values: channelsRefused 0; groupsRequested 2; pushesSentOn 2

        # The end is lost at 100; without another one, the server gives the channel up, and the card stays.
        A channel whose last end was in vain is given up
            groups={size: 1, by: channel, channel: {most: 1}}; monitor.end_schedule=[0s]; rides.arrivals.count=2
            rides.arrivals.spread=400s; clock.duration=400s; faults.0={kind: apns_unavailable, at: 90s, duration: 20s}
            values: channelsRefused 0; endsSent 2; fateEnded 1; endedSystemLimit 1; leftOver 0

        APNs accepts larger payloads for a channel than for a phone
            groups={size: 1, by: channel}; content.payload.bytes=5000; content.updates_at=[10s]
            push: 10 sent on update, update shown; 100 sent on end, end ended

        APNs rejects a payload that is too large for a channel
            groups={size: 1, by: channel}; content.payload.bytes={uniform: {low: 5121, high: 6000}}; content.updates_at=[10s]
            values: responses413 2; pushesSentOn 0; fateRefused 2

        # Content lapses at 60.
        The monitor watches the channel, and its retry reaches all members
            watched; groups={size: 3, by: channel}; monitor.retry.schedule=[0s]; rides.stages.0.duration=90s
            push: 60 sent on retry, retry shown; 90 sent on end, end ended
            values: retriesSent 1; episodesBegun 1; episodesRecovered 1; fateShown 3; fateEnded 3; monitoredTime 90s

        A monitor that gives up ends all cards of the group
            watched; groups={size: 3, by: channel}; monitor.retry.max_attempts=0; monitor.recovery_window=20s
            push+activity: 0 started; 80 sent on end, end ended, ended: severe, end reported
            values: endedSevere 3; endsSent 1; falseKills 0

        A phone shows as many pushes of its channel as the budget allows
            groups={size: 1, by: channel, channel: {budget: 1}}; content={updates_at: [10s, 20s], refresh_priority: 10}
            push: 10 sent on update, update shown; 20 sent on update, update throttled; 100 sent on end, end ended

        Pushes of priority 5 take nothing from it
            groups={size: 1, by: channel, channel: {budget: 1}}; content={updates_at: [10s, 20s], refresh_priority: 5}
            push: 10 sent on update, update shown; 20 sent on update, update shown; 100 sent on end, end ended

        A channel starts no card: each start goes to its phone
            groups={size: 3, by: channel}; devices.start.by=push; content.updates_at=[10s]
            values: startsSent 3; activitiesStartedByPush 3; updatesSent 1; pushesSentOn 6; tokensPosted 0

        A channel may deliver two contents in another order, and the phone keeps the newer one
            groups={size: 1, by: channel}; content.updates_at=[10s, 20s]; apns.latency={uniform: {low: 1s, high: 40s}}; seed=5
            values: pushesSentOn 3; fateShown 1; fateOlder 1
        """
    )

    @Test("Groups of one member by tokens are rides without a group", arguments: 0..<60)
    func groupsOfOne(seed: UInt64) throws {
        var plain = ScenarioSwarm.scenario(seed: seed)
        plain.groups = nil
        plain.allowGroups()
        plain.content.refresh = .constant(20e6)
        plain.apns.script = nil
        plain.cohorts = []
        var grouped = plain
        grouped.groups = Scenario.Groups()
        grouped.groups?.size = .constant(1)
        let (first, second) = (try FinishedCell(plain), try FinishedCell(grouped))
        #expect(first.fingerprint == second.fingerprint)
        for counter in Counter.allCases where ![.groupsRequested, .groupContents].contains(counter) {
            #expect(first[counter] == second[counter], "\(counter)")
        }
        for total in Total.allCases {
            #expect(first.measurements.parts(of: total) == second.measurements.parts(of: total), "\(total)")
        }
    }

    /// The sum over cells of what the members do does not depend on the number of cells, because a group is in one.
    @Test("A group is in one cell as a whole", arguments: Scenario.FanOut.allCases)
    func cells(by: Scenario.FanOut) throws {
        var scenario = Scenario.ride(60, 60)
        scenario.clock.duration = .minutes(10)
        scenario.rides.arrivals.process = .poisson
        scenario.rides.arrivals.ratesPerHour = [300]
        scenario.content.refresh = .exponential(mean: 20e6)
        scenario.apns.latency = .exponential(mean: 3e6)
        scenario.groups = Scenario.Groups()
        scenario.groups?.by = by
        scenario.groups?.size = .exponential(mean: 4)
        scenario.groups?.joins = .exponential(mean: 30e6)
        let one = try FinishedCell(scenario)
        scenario.cells = 4
        let four = try (0..<4).map { try FinishedCell(scenario, ride: nil, cell: $0) }
        for counter in [Counter.ridesRequested, .groupsRequested, .updatesSent, .fateShown, .groupContents, .fateOlder]
        {
            #expect(four.reduce(0) { $0 + $1[counter] } == one[counter], "\(counter)")
        }
        for observation in [Observation.fanOut, .lastPhone] {
            #expect(four.reduce(0) { $0 + $1.measurements[observation].sum } == one.measurements[observation].sum)
        }
        #expect(one[.groupsRequested] > 30 && one[.ridesRequested] > 2 * one[.groupsRequested])
        let pushes = one[.updatesSent]
        #expect(by == .channel ? pushes == one[.groupContents] : pushes > 2 * one[.groupContents])
    }

    @Test("Members have the same phones by tokens and by channel")
    func samePhones() throws {
        var scenario = Scenario.ride(60, 60)
        scenario.groups = Scenario.Groups()
        scenario.groups?.size = .constant(200)
        scenario.groups?.joins = .exponential(mean: 30e6)
        scenario.content.refresh = .exponential(mean: 20e6)
        scenario.devices.swipe.share = Probability(0.3)
        scenario.devices.swipe.after = .exponential(mean: 60e6)
        scenario.apns.latency = .exponential(mean: 3e6)
        let tokens = try FinishedCell(scenario)
        scenario.groups?.by = .channel
        let channel = try FinishedCell(scenario)
        // Nothing takes time but the way to the phone, which has the same draws.
        for counter in [Counter.ridesRequested, .endedSwiped, .fateShown, .fateOlder, .fateEnded, .groupContents] {
            #expect(tokens[counter] == channel[counter], "\(counter)")
        }
        #expect(tokens.measurements.time(.displayedFreshTime) == channel.measurements.time(.displayedFreshTime))
        #expect(channel[.updatesSent] == channel[.groupContents])
        #expect(tokens[.updatesSent] > 100 * channel[.updatesSent])
    }

    @Test("A group of 100,000 takes one push a content by channel, and 100,000 by tokens", .enabled(if: Loop.isFull))
    func large() throws {
        var scenario = Scenario.ride(30)
        scenario.groups = Scenario.Groups()
        scenario.groups?.size = .constant(100_000)
        scenario.update(at: 10)
        #expect(try FinishedCell(scenario, ride: nil)[.updatesSent] == 100_000)
        scenario.groups?.by = .channel
        let cell = try FinishedCell(scenario, ride: nil)
        #expect(cell[.updatesSent] == 1)
        #expect(cell[.fateShown] == 100_000)
    }
}
