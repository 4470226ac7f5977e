import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("Tokens, their posts and their rotation")
struct TokenTests {
    // MARK: - Initial content

    private static func limited() -> Scenario {
        var scenario = Scenario.ride(600)
        scenario.devices.initialContentLimit = .minutes(3)
        return scenario
    }

    @Test("Without a token the activity ends exactly at its limit")
    func noToken() throws {
        var scenario = Self.limited()
        scenario.devices.start.time = .seconds(1.5)
        scenario.devices.token.never = .always
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.activity, .token) == ["1.5 started", "181.5 ended: noToken", "181.5 end reported"])
        #expect(cell[.endedNoToken] == 1)
    }

    @Test("Failed posts are retried up to their maximum number; then the activity ends")
    func postsFail() throws {
        var scenario = Self.limited()
        scenario.devices.token.delay = .seconds(5)
        scenario.devices.token.post = .seconds(1)
        scenario.devices.token.postFailure = .always
        scenario.devices.token.postRetryAfter = .seconds(20)
        scenario.devices.token.postAttempts = 3
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.activity, .token) == [
                "0 started", "5 token yielded", "6 post failed", "27 post failed", "48 post failed",
                "180 ended: tokenNotPosted", "180 end reported",
            ]
        )
        #expect(cell[.endedTokenNotPosted] == 1)
        #expect(cell[.tokenPostsFailed] == 3)
    }

    /// If it were reported as too late, the reader would look for the wrong fault.
    @Test("A token that came, and was invalidated by an end that was lost, is not reported as too late")
    func invalidated() throws {
        var scenario = Self.limited()
        scenario.rides.stages[0].duration = .seconds(100)
        scenario.apns.loss = .always
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.activity, .token) == [
                "0 started", "0 token yielded", "0 token posted", "100 token invalidated", "180 ended: noUpdate",
                "180 end reported",
            ]
        )
    }

    @Test("A server that accepts no posts for a time gets the token from a later one")
    func postsDown() throws {
        var scenario = Self.limited()
        scenario.devices.token.postAttempts = 5
        scenario.fail(.tokenPostDown, from: 0, to: 20)
        scenario.update(at: 30)
        #expect(
            try FinishedCell(scenario).log(.activity, .token) == [
                "0 started", "0 token yielded", "0 post failed", "10 post failed", "20 token posted",
                "600 token invalidated", "600 ended: rideOver", "600 end reported",
            ]
        )
    }

    @Test("A token without an update ends the activity, and the server is notified")
    func noUpdate() throws {
        var scenario = Self.limited()
        scenario.devices.endReport = .seconds(2)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.activity, .token) == [
                "0 started", "0 token yielded", "0 token posted", "180 ended: noUpdate", "182 end reported",
                "182 token invalidated",
            ]
        )
        #expect(cell[.endedNoUpdate] == 1)
        #expect(cell[.endsSent] == 0)
    }

    @Test(
        "An update exactly at the limit saves the activity; one a microsecond later does not",
        arguments: [180, 180.000001]
    )
    func limitIsExact(update: Double) throws {
        var scenario = Self.limited()
        scenario.update(at: update)
        let cell = try FinishedCell(scenario)
        #expect(cell[.endedNoUpdate] == (update > 180 ? 1 : 0))
        #expect(cell[.endedRideOver] == (update > 180 ? 0 : 1))
    }

    @Test("Content that the app shows on its own is local, too, and does not save the activity")
    func localContentStaysInitial() throws {
        var scenario = Self.limited()
        scenario.devices.localUpdates.enabled = true
        scenario.devices.token.never = .always
        scenario.update(at: 60, 120)
        #expect(
            try FinishedCell(scenario).log(.activity).prefix(4) == [
                "0 started", "60 updated locally", "120 updated locally", "180 ended: noToken",
            ]
        )
    }

    @Test("An offline phone posts its token once it is online")
    func postedLater() throws {
        var scenario = Self.limited()
        scenario.devices.token.post = .seconds(1)
        scenario.devices.connectivity.online = .seconds(1e6)
        scenario.devices.connectivity.offline = .seconds(50)
        scenario.devices.connectivity.initiallyOffline = .always
        #expect(try FinishedCell(scenario).log(.token).prefix(2) == ["0 token yielded", "51 token posted"])
    }

    @Test("The reason for an activity's own end is that of its current life, not of the one before a swipe")
    func reasonOfSecondLife() throws {
        var scenario = Self.limited().times(100)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.recreated = .always
        scenario.devices.token.delay = .uniform(low: 0, high: 400e6)
        var found = 0
        for ride in UInt64(0)..<100 {
            let log = try FinishedCell(scenario, ride: ride).log(.activity, .token)
            let second = log.lastIndex { $0.hasSuffix(" started") } ?? 0
            let yields = log.indices.filter { log[$0].hasSuffix("yielded") }
            guard second > 0, let yield = yields.first, yields.count == 1, yield < second else { continue }
            found += 1
            #expect(log[second...].contains("240 ended: noToken"), "ride \(ride)")
        }
        #expect(found > 0)
    }

    // MARK: - Rotation

    @Test(
        "Pushes to a rotated token are accepted and dropped until APNs knows; then the server discards it until the new one comes"
    )
    func rotation() throws {
        var scenario = Scenario.ride(190)
        scenario.devices.token.post = .seconds(50)
        scenario.devices.token.rotation = .seconds(100)
        scenario.apns.expiredTokenLag = .seconds(30)
        scenario.update(at: 60, 99, 100, 129.999999, 130, 140, 160)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.token, .push, .request).filter { !$0.contains("queued") } == [
                "0 token yielded", "50 token posted",
                "60 sent update", "60 accepted update", "60 update shown",
                "99 sent update", "99 accepted update", "99 update shown",
                // The phone's new token comes first at its instant.
                "100 token rotated", "100 sent update", "100 update deadToken", "100 accepted update",
                "129.999999 sent update", "129.999999 update deadToken", "129.999999 accepted update",
                "130 sent update", "130 refused update: 410", "130 token discarded",
                "150 token posted",
                "160 sent update", "160 accepted update", "160 update shown",
                "190 sent end", "190 accepted end", "190 token invalidated", "190 end ended",
            ]
        )
        #expect(cell[.tokensRotated] == 1)
        #expect(cell[.tokensDiscarded] == 1)
        #expect(cell[.responses410] == 1)
        #expect(cell[.fateDeadToken] == 2)
        #expect(cell[.fateRefused] == 1)
    }

    @Test("Each token has a separate number of attempts to post it")
    func attemptsPerToken() throws {
        var scenario = Scenario.ride(190)
        scenario.devices.token.rotation = .seconds(100)
        scenario.devices.token.postAttempts = 2
        scenario.fail(.tokenPostDown, from: 0, to: 105)
        #expect(
            try FinishedCell(scenario).log(.token).prefix(6) == [
                "0 token yielded", "0 post failed", "10 post failed", "100 token rotated", "100 post failed",
                "110 token posted",
            ]
        )
    }

    @Test("A late response about the old token does not affect the new one")
    func lateVerdict() throws {
        var scenario = Scenario.ride(190)
        scenario.devices.token.post = .seconds(20)
        scenario.devices.token.rotation = .seconds(100)
        scenario.sender.requestTime = .seconds(30)
        scenario.sender.timeout = .seconds(60)
        scenario.update(at: 110, 150)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.token, .request, .push).filter { !$0.contains("queued") } == [
                "0 token yielded", "20 token posted", "100 token rotated", "110 sent update", "120 token posted",
                "140 refused update: 410", "150 sent update", "150 update shown", "180 accepted update",
                "190 sent end", "190 end ended", "190 token invalidated", "220 accepted end",
            ]
        )
        #expect(cell[.tokensDiscarded] == 0)
    }

    @Test("An accepted end to a token that was replaced meanwhile closes nothing: the new token gets the next end")
    func lateEnd() throws {
        var scenario = Scenario.ride(110)
        scenario.devices.token.post = .seconds(20)
        scenario.devices.token.rotation = .seconds(100)
        scenario.apns.expiredTokenLag = .seconds(60)
        scenario.sender.requestTime = .seconds(30)
        scenario.sender.timeout = .seconds(60)
        scenario.monitor.endSchedule = [.zero, .seconds(40)]
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.token, .request, .push, .activity).filter { !$0.contains("queued") } == [
                "0 started", "0 token yielded", "20 token posted", "100 token rotated",
                "110 sent end", "110 end deadToken", "120 token posted", "140 accepted end",
                "150 sent end", "150 end ended", "150 ended: rideOver", "150 end reported", "150 token invalidated",
                "180 accepted end",
            ]
        )
        #expect(cell[.tokensInvalidated] == 1)
    }

    @Test("A new token restores an instance with its previous belief")
    func revival() throws {
        var scenario = Scenario.ride(1000)
        scenario.watch(retries: [0, 20])
        scenario.devices.token.post = .seconds(50)
        scenario.devices.token.rotation = .seconds(55)
        scenario.clock.drain = .zero
        scenario.clock.duration = .seconds(108)
        // Posted at 50; rotated at 55; stale at 60 and then rejected; posted again at 105, and stale since the post.
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.token, .monitor) == [
                "0 token yielded", "50 token posted", "55 token rotated", "60 class recoverable", "60 token discarded",
                "105 token posted", "105 class recoverable", "105 recovered since 105",
            ]
        )
        #expect(cell[.episodesCutShort] == 1)
        #expect(cell[.episodesRecovered] == 1)
    }

    /// An end that is accepted and lost, followed by a new token.
    private static func lostEnd() -> Scenario {
        var scenario = Scenario.ride(10_000)
        scenario.watch(retries: [], recoveryWindow: 40)
        scenario.devices.token.rotation = .seconds(300)
        scenario.devices.systemLimit = .seconds(1000)
        // A phone that is unreachable only for the first end.
        scenario.fail(.devicesOffline, from: 90, to: 200)
        scenario.apns.storage = .none
        return scenario
    }

    @Test("A server that relies on an accepted end leaves the card to Apple's limit")
    func endOnlyOnce() throws {
        var scenario = Self.lostEnd()
        scenario.monitor.endsAgainOnNewToken = false
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.push, .activity, .monitor) == [
                "0 started", "60 class recoverable", "100 class severe", "100 end notStored", "1000 ended: systemLimit",
                "1000 end reported",
            ]
        )
        // An end that was not accepted is still sent to the next token.
        scenario.apns.reasons = [.init(reason: .unregistered, share: .always)]
        scenario.monitor.endSchedule = [.zero]
        #expect(try FinishedCell(scenario)[.endsSent] > 1)
    }

    @Test("An activity that posts a new token after an end that was accepted and lost is ended again")
    func endAgainAfterRotation() throws {
        let cell = try FinishedCell(Self.lostEnd())
        #expect(
            cell.log(.token, .push, .activity, .monitor) == [
                "0 started", "0 token yielded", "0 token posted", "60 class recoverable", "100 class severe",
                "100 token invalidated", "100 end notStored", "300 token rotated", "300 token posted",
                "300 token invalidated", "300 end ended", "300 ended: severe", "300 end reported",
            ]
        )
        #expect(cell[.episodesBegun] == 1)
    }

    // MARK: - Swipes

    @Test("A swipe ends the activity, and the server is notified later")
    func swipe() throws {
        var scenario = Scenario.ride(200)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(42)
        scenario.devices.endReport = .seconds(3)
        scenario.update(at: 43, 46)
        scenario.apns.expiredTokenLag = .seconds(60)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.activity, .token, .push) == [
                "0 started", "0 token yielded", "0 token posted", "42 ended: swiped", "43 update deadToken",
                "45 end reported", "45 token invalidated",
            ]
        )
        #expect(cell[.endedSwiped] == 1)
    }

    @Test("A push in flight to a swiped activity arrives after its end")
    func pushAfterSwipe() throws {
        var scenario = Scenario.ride(200)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(42)
        scenario.apns.latency = .seconds(5)
        scenario.update(at: 40)
        #expect(try FinishedCell(scenario).log(.push) == ["45 update afterEnd"])
    }

    @Test("An activity that is created again after a swipe gets a new token, once")
    func recreated() throws {
        var scenario = Scenario.ride(200)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(42)
        scenario.devices.swipe.recreated = .always
        scenario.devices.endReport = .seconds(3)
        scenario.update(at: 50)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.activity, .token, .push) == [
                "0 started", "0 token yielded", "0 token posted", "42 ended: swiped", "45 end reported",
                "45 token invalidated", "45 started", "45 token yielded", "45 token posted", "50 update shown",
                "200 token invalidated", "200 end ended", "200 ended: rideOver", "203 end reported",
            ]
        )
        #expect(cell[.activitiesRecreated] == 1)
        #expect(cell[.activitiesStarted] == 2)
    }

    @Test("A late response to a push for the former life does not affect the new one")
    func lateAnswerAfterRecreation() throws {
        var scenario = Scenario.ride(50)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(15)
        scenario.devices.swipe.recreated = .always
        scenario.sender.requestTime = .seconds(5)
        scenario.update(at: 12)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.request).contains("17 accepted update"))
        #expect(cell.log(.monitor).isEmpty)
    }

    @Test(
        "An activity that is created again is watched from its own beginning, even if the old token was found dead before"
    )
    func recreatedAfterDeadToken() throws {
        var scenario = Scenario.ride(300)
        scenario.watch(retries: [])
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(42)
        scenario.devices.swipe.recreated = .always
        scenario.devices.endReport = .seconds(8)
        scenario.update(at: 45)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.token, .monitor).prefix(7) == [
                "0 token yielded", "0 token posted", "45 token discarded", "50 token yielded", "50 token posted",
                "110 class recoverable", "210 class severe",
            ]
        )
    }
}
