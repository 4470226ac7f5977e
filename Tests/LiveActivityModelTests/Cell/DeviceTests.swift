import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("The phone: budget, app, connection and its own ends")
struct DeviceTests {
    // MARK: - Budget

    @Test("The budget's window is fixed and begins with the first push that counts")
    func budget() throws {
        var scenario = Scenario.ride(400)
        scenario.devices.budget.limit = 2
        scenario.devices.budget.window = .seconds(100)
        scenario.update(at: 10, 20, 30, 109.999999, 150, 240, 245, 250)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.push) == [
                "10 update shown", "20 update shown", "30 update throttled", "109.999999 update throttled",
                "150 update shown", "240 update shown", "245 update throttled", "250 update shown", "400 end ended",
            ]
        )
        #expect(cell[.fateThrottled] == 3)
        #expect(cell[.responsesAccepted] == 9)
    }

    @Test("Pushes of priority 5 cost nothing")
    func considerateIsFree() throws {
        var scenario = Scenario.ride(100)
        scenario.devices.budget.limit = 1
        scenario.content.refreshPriority = .considerate
        scenario.update(at: 10, 20, 30)
        #expect(
            try FinishedCell(scenario).log(.push) == [
                "10 update shown", "20 update shown", "30 update shown", "100 end ended",
            ]
        )
    }

    @Test("A spent budget lets an end through, unless ends count as well")
    func throttledEnd() throws {
        var scenario = Scenario.ride(100)
        scenario.devices.budget.limit = 1
        scenario.update(at: 99)
        #expect(try FinishedCell(scenario).log(.push) == ["99 update shown", "100 end ended"])
        scenario.devices.budget.endsExempt = false
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.push) == ["99 update shown", "100 end throttled"])
        #expect(cell.log(.activity).contains("28800 ended: systemLimit"))
    }

    // MARK: - The app

    @Test("A running app updates and ends its activity on its own")
    func localUpdates() throws {
        var scenario = Scenario.ride(100)
        scenario.devices.localUpdates.enabled = true
        scenario.update(at: 10, 20)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.activity, .push, .token) == [
                "0 started", "0 token yielded", "0 token posted", "10 updated locally", "10 update older",
                "20 updated locally", "20 update older", "100 ended: rideOver", "100 end reported",
                "100 token invalidated",
            ]
        )
        #expect(cell[.localUpdates] == 2)
        #expect(cell[.endsSent] == 0)
    }

    @Test("A suspended app leaves both to the server")
    func suspendedApp() throws {
        var scenario = Scenario.ride(100)
        scenario.devices.localUpdates.enabled = true
        scenario.devices.localUpdates.aliveFor = .seconds(20)
        scenario.update(at: 10, 20)
        #expect(
            try FinishedCell(scenario).log(.activity, .push) == [
                "0 started", "10 updated locally", "10 update older", "20 update shown", "100 end ended",
                "100 ended: rideOver", "100 end reported",
            ]
        )
    }

    @Test("Without a connection, or without content, the app shows nothing new")
    func noLocalUpdate() throws {
        var scenario = Scenario.ride(100)
        scenario.devices.localUpdates.enabled = true
        scenario.fail(.devicesOffline, from: 5, to: 15)
        scenario.fail(.contentDown, from: 15, to: 25)
        scenario.update(at: 10, 20, 30)
        #expect(
            try FinishedCell(scenario).log(.activity).prefix(2) == ["0 started", "30 updated locally"]
        )
    }

    // MARK: - Ends

    @Test(
        "Content too long past its stale date ends the activity while the app is running",
        arguments: [
            (nil, "80 ended: contentExpired"), (80.000001, "80 ended: contentExpired"), (80, "100 ended: rideOver"),
        ] as [(Double?, String)]
    )
    func staleContentLimit(aliveFor: Double?, end: String) throws {
        var scenario = Scenario.ride(100)
        scenario.devices.staleContentLimit = .seconds(20)
        scenario.devices.localUpdates.enabled = true
        scenario.devices.localUpdates.aliveFor = aliveFor.map { .seconds($0) }
        #expect(try FinishedCell(scenario).log(.activity)[1] == end)
    }

    @Test("An update postpones the end of stale content")
    func staleContentMovesOn() throws {
        var scenario = Scenario.ride(200)
        scenario.devices.staleContentLimit = .seconds(20)
        scenario.devices.localUpdates.enabled = true
        scenario.devices.localUpdates.aliveFor = .seconds(1000)
        scenario.update(at: 50)
        #expect(try FinishedCell(scenario).log(.activity).contains("130 ended: contentExpired"))
    }

    @Test("The system ends an activity after exactly eight hours")
    func systemLimit() throws {
        var scenario = Scenario.ride(1e6)
        scenario.devices.start.time = .seconds(1.5)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.activity) == ["1.5 started", "28801.5 ended: systemLimit", "28801.5 end reported"])
        #expect(cell.measurements[.lifetime].sum == TimeSpan.hours(8).microseconds)
    }

    @Test("A lost end leaves the activity to the system's limit")
    func lostEnd() throws {
        var scenario = Scenario.ride(100)
        scenario.apns.loss = .always
        scenario.monitor.endSchedule = [.zero, .seconds(30)]
        let cell = try FinishedCell(scenario)
        // Accepted, so the server sends no second one.
        #expect(cell.log(.push) == ["100 end lost"])
        #expect(cell.log(.activity).suffix(2) == ["28800 ended: systemLimit", "28800 end reported"])
        #expect(cell[.endedSystemLimit] == 1)
    }

    @Test("A swipe comes first if it comes earlier", arguments: [(179, "ended: swiped"), (181, "ended: noUpdate")])
    func firstEnd(swipe: Double, end: String) throws {
        var scenario = Scenario.ride(600)
        scenario.devices.initialContentLimit = .minutes(3)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .seconds(swipe)
        #expect(try FinishedCell(scenario).log(.activity)[1].hasSuffix(end))
    }

    @Test("A push that is slower than the app still counts as an update", arguments: [false, true])
    func slowerThanTheApp(isLost: Bool) throws {
        var scenario = Scenario.ride(600)
        scenario.devices.initialContentLimit = .minutes(3)
        scenario.devices.localUpdates.enabled = true
        scenario.apns.loss = isLost ? .always : .never
        scenario.update(at: 100)
        let cell = try FinishedCell(scenario)
        #expect(cell[.fateOlder] == (isLost ? 0 : 1))
        #expect(cell[.endedNoUpdate] == (isLost ? 1 : 0))
        #expect(cell[.endedRideOver] == (isLost ? 0 : 1))
    }

    // MARK: - The connection

    @Test("Online and offline intervals follow each other exactly")
    func connectivity() throws {
        var scenario = Scenario.ride(200)
        scenario.apns.storage = .all
        scenario.devices.connectivity.online = .seconds(30)
        scenario.devices.connectivity.offline = .seconds(20)
        scenario.update(at: 29.999999, 30, 49.999999, 50, 79, 90, 120)
        #expect(
            try FinishedCell(scenario).log(.push) == [
                "29.999999 update shown", "30 stored update until 50", "49.999999 stored update until 50",
                "50 update shown", "50 update shown", "50 update shown", "79 update shown",
                "90 stored update until 100", "100 update shown", "120 update shown", "200 end ended",
            ]
        )
    }

    @Test("A phone that is offline at first is online after that interval")
    func initiallyOffline() throws {
        var scenario = Scenario.ride(190)
        scenario.devices.connectivity.online = .seconds(30)
        scenario.devices.connectivity.offline = .seconds(20)
        scenario.devices.connectivity.initiallyOffline = .always
        scenario.apns.storage = .none
        scenario.update(at: 20, 49, 50, 69, 70)
        #expect(
            try FinishedCell(scenario).log(.push) == [
                "20 update shown", "49 update shown", "50 update notStored", "69 update notStored", "70 update shown",
                "190 end ended",
            ]
        )
    }

    @Test("A region's outage adds to the phone's own")
    func regionAndPhone() throws {
        var scenario = Scenario.ride(200)
        scenario.devices.connectivity.online = .seconds(30)
        scenario.devices.connectivity.offline = .seconds(20)
        scenario.fail(.devicesOffline, from: 45, to: 85)
        scenario.update(at: 40)
        // Offline until 50 on its own, until 85 with its region, and again on its own from 80 until 100.
        #expect(try FinishedCell(scenario).log(.push).prefix(2) == ["40 stored update until 100", "100 update shown"])
    }
}
