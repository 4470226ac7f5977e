import LifecycleTraces
import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("The driver's photo on cards, and alerts")
struct PictureTests {
    /// A ride of 40 s before a driver is found, and of 100 s with one.
    private static func ride(_ change: (inout Scenario) -> Void = { _ in }) -> Scenario {
        var scenario = Scenario.ride(40, 100)
        scenario.content.payload.bytes = .constant(1500)
        scenario.content.payload.photoBytes = .constant(2000)
        scenario.content.payload.photoStage = "s1"
        scenario.devices.pictures = Scenario.Pictures()
        scenario.apns.latency = .seconds(2)
        change(&scenario)
        return scenario
    }

    /// Such a ride without latency, with a photo that has to shrink beside 3,000 bytes of content.
    private static func shrinking(_ change: (inout Scenario) -> Void = { _ in }) -> Scenario {
        ride {
            $0.content.payload.bytes = .constant(3000)
            $0.content.payload.photoBytes = .constant(2800)
            $0.content.payload.shrink = Scenario.Shrink()
            $0.apns.latency = .constant(0)
            change(&$0)
        }
    }

    /// The seconds by what is shown, without those that are 0.
    private static func seconds(_ scenario: Scenario) throws -> [DriverPhoto: Int64] {
        let parts = try FinishedCell(scenario).measurements.parts(of: .photoTime)
        return Dictionary(uniqueKeysWithValues: zip(DriverPhoto.allCases, parts.map { $0 / 1_000_000 }))
            .filter { $0.value > 0 }
    }

    @Test("The photo is on its way, and then on the card")
    func shown() throws {
        #expect(try Self.seconds(Self.ride()) == [.onItsWay: 2, .full: 98])
    }

    @Test("Sent once, a photo is lost with its push")
    func once() throws {
        let scenario = Self.ride {
            $0.update(at: 60, 80)
            $0.apns.loss = .always
        }
        // APNs accepts the push and loses it at once.
        #expect(try Self.seconds(scenario) == [.lost: 100])
    }

    @Test("A photo that is sent always comes with the next push that arrives")
    func always() throws {
        var scenario = Self.ride {
            $0.update(at: 70, 100)
            $0.fail(.devicesOffline, from: 39, to: 80)
            $0.apns.storage = .none
            $0.content.payload.photoPolicy = .always
        }
        #expect(try Self.seconds(scenario) == [.onItsWay: 2 + 2 + 2, .lost: 28 + 28, .full: 38])
        scenario.content.payload.photoPolicy = .once
        #expect(try Self.seconds(scenario) == [.onItsWay: 2, .lost: 98])
    }

    @Test("Until it is proven, a photo is sent again; the running app proves it")
    func proven() throws {
        var scenario = Self.ride {
            $0.update(at: 60, 80)
            $0.content.payload.photoPolicy = .untilProven
        }
        #expect(try FinishedCell(scenario)[.photosSent] == 3)
        scenario.devices.localUpdates.enabled = true
        scenario.devices.localUpdates.aliveFor = .seconds(1000)
        // The app shows the content of 40 before the push, which is then older and proves nothing.
        #expect(try FinishedCell(scenario)[.photosSent] == 3)
        #expect(try Self.seconds(scenario) == [.onItsWay: 6, .outdated: 94])
        scenario.devices.localUpdates.aliveFor = .seconds(39)
        scenario.monitor.enabled = true
        scenario.monitor.feedback = .delivery
        #expect(try FinishedCell(scenario)[.photosSent] == 1)
    }

    @Test("The app downloads the original while it runs")
    func original() throws {
        var scenario = Self.ride {
            $0.devices.localUpdates.enabled = true
            $0.devices.localUpdates.aliveFor = .seconds(60)
            $0.devices.pictures?.download = .seconds(10)
            $0.apns.loss = .always
        }
        #expect(try Self.seconds(scenario) == [.lost: 10, .original: 90])
        // The app is suspended in the moment in which the download would end.
        scenario.devices.localUpdates.aliveFor = .seconds(50)
        #expect(try Self.seconds(scenario) == [.lost: 100])
    }

    @Test("Without photos by push, the app that runs from the start downloads the photo at the start")
    func appAlone() throws {
        var scenario = Scenario.ride(100)
        scenario.devices.token.never = .always
        scenario.devices.localUpdates.enabled = true
        scenario.devices.pictures = Scenario.Pictures()
        scenario.devices.pictures?.download = .seconds(10)
        #expect(try Self.seconds(scenario) == [.notDownloaded: 10, .original: 90])
        // Offline from 5 to 40: the download is over when the phone is online again.
        scenario.fail(.devicesOffline, from: 5, to: 40)
        #expect(try Self.seconds(scenario) == [.notDownloaded: 40, .original: 60])
        scenario.devices.localUpdates.aliveFor = .seconds(20)
        #expect(try Self.seconds(scenario) == [.notDownloaded: 100])
    }

    @Test("A history states what happened to a photo, an alert, and stale content")
    func history() throws {
        var scenario = Self.shrinking {
            $0.content.ttl = .seconds(30)
            $0.rides.stages[1].alert = true
            $0.devices.rendersStale = .never
        }
        #expect(
            try FinishedCell(scenario).log([.request]).filter { $0.contains("photo") || $0.contains("alert") } == [
                "40 driver's photo 2800 as 960 in 3960", "40 alert about stage 1",
            ]
        )
        #expect(
            try FinishedCell(scenario).log([.activity]).filter { $0.contains("since") } == [
                "40 misleading since 30", "140 misleading since 70",
            ]
        )
        scenario.devices.rendersStale = .always
        #expect(try FinishedCell(scenario).log([.activity]).contains("40 marked since 30"))
        scenario.content.payload.bytes = .constant(5000)
        #expect(
            try FinishedCell(scenario).log([.request]).filter { $0.contains("above") || $0.contains("photo") }.prefix(2)
                == ["40 driver's photo 2800 as 0 in 5000", "40 payload 5000 above 4096"]
        )
    }

    @Test("A photo shrinks until it fits, or is dropped")
    func shrink() throws {
        var scenario = Self.shrinking()
        // 2800, 1960, 1372, 960: the third step fits into 1096.
        #expect(try Self.seconds(scenario) == [.small: 100])
        scenario.content.payload.shrink?.smallest = 961
        #expect(try Self.seconds(scenario) == [.dropped: 100])
    }

    @Test("The car's photo follows the driver's, once")
    func car() throws {
        let scenario = Self.ride {
            $0.update(at: 60, 80, 100)
            $0.content.payload.carPhotoBytes = .constant(2000)
        }
        let cell = try FinishedCell(scenario)
        #expect(cell[.photosSent] == 1)
        #expect(cell[.carPhotosSent] == 1)
    }

    @Test("Without a card there is no photo, and a new driver has none yet")
    func absent() throws {
        let scenario = Self.ride { $0.devices.activitiesEnabled = .never }
        #expect(try Self.seconds(scenario) == [.noCard: 100])
    }

    @Test("Content of a stage may have a size of its own")
    func stageSize() throws {
        let scenario = Self.ride {
            $0.content.payload.photoStage = ""
            $0.devices.pictures = nil
            $0.rides.stages[1].payloadBytes = .constant(5000)
        }
        // The end is sent in the second stage as well.
        #expect(try FinishedCell(scenario)[.responses413] >= 1)
    }

    @Test("A stored push that a newer one replaces loses its photo then")
    func replaced() throws {
        let scenario = Self.ride {
            $0.apns.latency = .constant(0)
            $0.apns.storage = .one
            $0.update(at: 60)
            $0.fail(.devicesOffline, from: 39, to: 99)
        }
        #expect(try Self.seconds(scenario) == [.onItsWay: 20, .lost: 80])
    }

    @Test("Stale content misleads unless the app marks it", arguments: [true, false])
    func marks(areShown: Bool) throws {
        var scenario = Scenario.ride(100)
        scenario.devices.rendersStale = areShown ? .always : .never
        #expect(try FinishedCell(scenario).measurements[.misleadingStaleTime] == (areShown ? 0 : 40_000_000))
    }

    // MARK: - Alerts

    @Test("An alert that waits with newer content is late if its stage is over")
    func alertOfFormerStage() throws {
        var scenario = Scenario.ride(40, 3, 100)
        scenario.rides.stages[1].alert = true
        scenario.sender.coalesce = true
        scenario.sender.streams = 1
        scenario.sender.connections = 1
        scenario.sender.requestTime = .seconds(10)
        scenario.update(at: 35)
        let cell = try FinishedCell(scenario)
        #expect([cell[.alertsSent], cell[.alertsShown], cell[.alertsLate]] == [1, 1, 1])
    }

    @Test("An alert comes with the first update of its stage, and late if the stage is over")
    func alerts() throws {
        var scenario = Self.ride {
            $0.rides.stages[1].alert = true
            $0.update(at: 60)
        }
        var cell = try FinishedCell(scenario)
        #expect([cell[.alertsSent], cell[.alertsShown], cell[.alertsLate]] == [1, 1, 0])
        scenario.apns.latency = .seconds(110)
        cell = try FinishedCell(scenario)
        #expect([cell[.alertsSent], cell[.alertsShown], cell[.alertsLate]] == [1, 1, 1])
        scenario.apns.loss = .always
        cell = try FinishedCell(scenario)
        #expect([cell[.alertsSent], cell[.alertsShown], cell[.alertsLate]] == [1, 0, 0])
    }
}
