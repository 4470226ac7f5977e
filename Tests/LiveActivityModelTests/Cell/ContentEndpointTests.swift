import LifecycleTraces
import ModelChecks
import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("The endpoint of content: its time, its failures, and who gets a Live Activity")
struct ContentEndpointTests {
    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        An update leaves when its content arrives; its content is as old as the request
            content={ttl: 60s, updates_at: [20s], endpoint: {time: 5s}}; without=queued
            request: 20 update content until 25; 25 sent update, accepted update …
            push: 25 update shown …
            values: contentRequests 2; contentRequestsFailed 0; contentTime.sum 10s

        The server tries again after a failure, as often as it may
            content={updates_at: [20s], endpoint: {time: 2s, failure: 1, tries: 3, retry_after: 4s}}
            devices.start.by=push; without=queued
            request: 0 start not sent: noContent …
            values: contentRequests 3; contentRequestsFailed 3; startsSent 0; contentTime.sum 0

        # The tries begin at 20, 26 and 32; each lasts 2 s, and the fault ends at 30.
        Content is as old as the try that returned it
            content={ttl: 60s, updates_at: [20s], endpoint: {time: 2s, tries: 3, retry_after: 4s}}; without=queued
            faults.0={kind: content_down, at: 15s, duration: 15s}
            request: 20 update content until 34; 34 sent update, accepted update …
            values: contentRequests 4; contentRequestsFailed 2; contentTime.sum 16s

        A slow endpoint takes as many times as long
            content={ttl: 60s, updates_at: [20s], endpoint: {time: 2s}}; without=queued
            faults.0={kind: content_slow, at: 15s, duration: 15s, factor: 5}
            request: 20 update content until 30; 30 sent update, accepted update …
            push: 30 update shown …

        An app waits for the content of its start, which is as old as its request
            content={ttl: 60s, endpoint: {time: 7s}}; devices.start={time: 2s}
            activity: 9 started …
            values: contentRequests 1; contentTime.sum 7s

        A start without content fails when the endpoint has answered, and asks again
            content={endpoint: {time: 3s, failure: 1}}; devices.start={time: 2s, attempts: 2}
            activity: 5 start failed: noContent; 38 start failed: noContent, start failed: givenUp
            values: startsFailedWithoutContent 2; ridesWithoutActivity 1; contentRequests 2

        The endpoint's answer allows the ride no Live Activity: the app does not ask again
            content={endpoint: {time: 3s, ineligible: 1}}; devices.start={time: 2s, attempts: 3, by: app_then_push}
            activity: 5 start failed: notEligible
            values: startsNotEligible 1; ridesWithoutActivity 1; contentRequests 1; startsSent 0

        The server starts no Live Activity for a ride that is not to have one
            content={endpoint: {ineligible: 1}}; devices.start.by=push
            activity: 0 start failed: notEligible
            values: startsNotEligible 1; startsSent 0; contentRequests 0

        # The stage changes at 23, while the content of the refresh is on its way.
        Content of the stage before does not announce the new stage, and carries no alert about it
            rides.stages=[{name: a, duration: 23s}, {name: b, duration: 77s, alert: true}]; without=queued
            content={ttl: 60s, updates_at: [20s], endpoint: {time: 5s}}
            request: 20 update content until 25; 23 update content until 28; 25 sent update, accepted update
            28 alert about stage 1, sent update, accepted update …
            values: alertsSent 1; alertsShown 1

        # The first content takes 20 s, the second one 1 s.
        Content that arrives after newer content is not shown
            content={ttl: 60s, updates_at: [20s, 30s], endpoint: {time: 1s}}; without=queued
            faults.0={kind: content_slow, at: 15s, duration: 10s, factor: 20}
            push: 31 update shown; 40 update older …

        Content that arrives after the ride is not sent
            content={ttl: 60s, updates_at: [98s], endpoint: {time: 5s}}; without=queued
            request: 98 update content until 103; 100 sent end, accepted end
            values: contentRequests 2; updatesSent 0; leftOver.pushes 0

        # The request of the first update lasts from 25 to 45; the second waits in the queue from 35 on.
        Content that arrives takes the place of a waiting push, if the sender coalesces
            content={ttl: 60s, updates_at: [20s, 30s, 38s], endpoint: {time: 5s}}; sender={coalesce: true, streams: 1}
            sender.request_time=20s; sender.timeout=60s; without=queued
            request: 20 update content until 25; 25 sent update; 30 update content until 35; 38 update content until 43
            43 update not sent: coalesced; 45 accepted update, sent update; 65 accepted update …
            values: pushesCoalesced 1; updatesSent 2

        The app's own updates fail with the endpoint if they need a connection
            content={ttl: 60s, updates_at: [20s], endpoint: {failure: 1}}; devices.start.by=push
            values: contentRequests 1; contentRequestsFailed 1
        """
    )

    @Test("An endpoint that takes no time and never fails changes nothing", arguments: 0..<60)
    func free(seed: UInt64) throws {
        var plain = ScenarioSwarm.scenario(seed: seed)
        plain.groups = nil
        plain.content.endpoint = nil
        plain.faults.removeAll { $0.kind == .contentSlow }
        // Content arrives after all other events of its instant; these settings make that order matter.
        (plain.sender.minimumInterval, plain.sender.queueLimit, plain.content.wakeApp) = (.zero, nil, nil)
        plain.rides.rematching.share = .never
        for stage in plain.rides.stages.indices { plain.rides.stages[stage].duration = .uniform(low: 1e6, high: 400e6) }
        var asked = plain
        asked.content.endpoint = Scenario.ContentEndpoint()
        let (first, second) = (try FinishedCell(plain), try FinishedCell(asked))
        for counter in Counter.allCases where ![.contentRequests, .contentRequestsFailed].contains(counter) {
            #expect(first[counter] == second[counter], "\(counter)")
        }
        for total in Total.allCases where total != .events {
            #expect(first.measurements.parts(of: total) == second.measurements.parts(of: total), "\(total)")
        }
    }
}
