import FreshnessCore
import LifecycleTraces
import Quantities
import ScenarioLanguage
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

@Suite("The phone")
struct PhoneStationTests {
    private static func devices(_ history: History) throws -> Scenario.Devices {
        try ScenarioReader.read(yaml: History.phoneScenario, named: "phone", settings: history.settings).scenario
            .devices
    }

    @Test("The station on its own yields the log of each history", arguments: History.phones)
    func byItself(_ history: History) throws {
        let rules = try PhoneStation.Rules(Self.devices(history))
        var phone = PhoneStation()
        var starts = PushStarts()
        if history.arrivals[0].event != "start" {
            phone.started(with: ContentStamp(generatedAt: .start, staleDate: .never), timestamp: 0)
        }
        let log = try history.arrivals.map { push in
            let now = Instant(microseconds: push.at * 1_000_000)
            if push.event == "start", starts.arrived(staleDate: .never, at: now, rules: rules) != nil {
                return "\(push.words): start over budget"
            }
            let effect = phone.pushArrived(
                try #require(PushEvent(rawValue: push.event)),
                timestamp: push.timestamp * 1_000_000,
                priority: push.isImmediate ? .immediate : .considerate,
                at: now,
                rules: rules
            )
            let content = ContentStamp(
                generatedAt: Instant(microseconds: push.timestamp * 1_000_000),
                staleDate: .never
            )
            let word: String
            switch effect {
            case .starts:
                phone.started(with: content, timestamp: push.timestamp * 1_000_000)
                word = "started"
            case .duplicate: word = "duplicate"
            case .shows:
                phone.show(content, timestamp: push.timestamp * 1_000_000)
                word = "shown"
            case .ends:
                phone.ended()
                word = "ended"
            case .older: word = "older"
            case .throttled: word = "throttled"
            case .undecodable: word = "undecodable"
            case .afterEnd: word = "after end"
            }
            return "\(push.words): \(word)"
        }
        #expect(history.difference(from: log) == nil)
    }

    @Test("A cell yields the log of each history in virtual time", arguments: History.phones)
    func inACell(_ history: History) throws {
        var scenario = Scenario.ride(3600)
        scenario.devices.budget = try Self.devices(history).budget
        scenario.devices.start.pushBudget = try Self.devices(history).start.pushBudget
        scenario.devices.token.delay = .constant(0)
        // In a history with a push-to-start, the app is never in time to start one.
        if history.arrivals[0].event == "start" { scenario.devices.start.time = .constant(7_200e6) }
        let world = try ScenarioLoader.world(scenario)
        var cell = CellSimulation(world: world, cell: 0, replication: 0, seed: 1, remote: .withMonitor)
        // The ride is requested at the very start, and an activity that the app starts is on the screen.
        while cell.step(through: .start) {}
        let fates: [(Counter, String)] = [
            (.fateShown, "shown"), (.fateEnded, "ended"), (.fateOlder, "older"), (.fateThrottled, "throttled"),
            (.fateAfterEnd, "after end"), (.fateStartIgnored, "after end"), (.activitiesStartedByPush, "started"),
            (.duplicatesStarted, "duplicate"),
        ]
        var log: [String] = []
        for push in history.arrivals {
            let at = Instant(microseconds: push.at * 1_000_000)
            let before = cell.measurements
            let content = ContentStamp(
                generatedAt: Instant(microseconds: push.timestamp * 1_000_000),
                staleDate: .never
            )
            let arrival = PhonePush(
                ride: 0,
                tokenNumber: 1,
                event: try #require(PushEvent(rawValue: push.event)),
                priority: push.isImmediate ? .immediate : .considerate,
                content: content,
                timestamp: push.timestamp * 1_000_000
            )
            while cell.step(through: Instant(microseconds: at.microseconds - 1)) {}
            cell.hear(.pushed(arrival), at: at)
            while cell.step(through: at) {}
            let after = cell.measurements
            let isOverBudget = after[.startsOverBudget] > before[.startsOverBudget]
            for (counter, word) in fates where after[counter] > before[counter] {
                log.append("\(push.words): \(isOverBudget ? "start over budget" : word)")
            }
        }
        #expect(history.difference(from: log) == nil)
    }

    @Test("A new activity does not renew the budget")
    func budgetOfThePhone() {
        var devices = Scenario.Devices()
        devices.budget.limit = 1
        let rules = PhoneStation.Rules(devices)
        var phone = PhoneStation()
        let first = ContentStamp(generatedAt: .start, staleDate: .never)
        phone.started(with: first, timestamp: 0)
        func arrives(_ timestamp: Int64) -> PhoneStation.Effect {
            phone.pushArrived(.update, timestamp: timestamp, priority: .immediate, at: .start, rules: rules)
        }
        #expect(arrives(1) == .shows)
        phone.ended()
        #expect(arrives(2) == .afterEnd)
        phone.started(with: first, timestamp: 0)
        #expect(arrives(3) == .throttled)
    }

    @Test(
        "An activity may be created again once, after a swipe, while the ride goes on; the next one is not swiped away"
    )
    func madeAgain() {
        let content = ContentStamp(generatedAt: .start, staleDate: .never)
        var phone = PhoneStation()
        #expect(!phone.mayBeMadeAgain(isRideOver: false), "there was no activity")
        phone.started(with: content, timestamp: 0)
        #expect(phone.mayBeSwiped)
        #expect(!phone.mayBeMadeAgain(isRideOver: false), "the activity is live")
        var other = phone
        other.ended()
        #expect(!other.mayBeMadeAgain(isRideOver: false), "it did not end by a swipe")
        phone.ended(bySwipe: true)
        #expect(phone.mayBeMadeAgain(isRideOver: false))
        #expect(!phone.mayBeMadeAgain(isRideOver: true))
        phone.started(with: content, timestamp: 0)
        #expect(!phone.mayBeSwiped)
        #expect(!phone.mayBeMadeAgain(isRideOver: false), "the second activity is live")
        phone.ended(bySwipe: true)
        #expect(!phone.mayBeMadeAgain(isRideOver: false), "it was created again before")
    }

    @Test("The token of an activity that was swiped away reaches no other activity; a start goes to the phone")
    func formerToken() {
        var devices = Scenario.Devices()
        devices.budget.limit = 1
        let rules = PhoneStation.Rules(devices)
        let content = ContentStamp(generatedAt: .start, staleDate: .never)
        var phone = PhoneStation()
        phone.started(with: content, timestamp: 0)
        phone.ended(bySwipe: true)
        phone.started(with: content, timestamp: 0)
        func arrives(_ event: PushEvent, isForFormer: Bool) -> PhoneStation.Effect {
            phone.pushArrived(
                event,
                isForFormer: isForFormer,
                timestamp: 5,
                priority: .immediate,
                at: .start,
                rules: rules
            )
        }
        #expect(arrives(.update, isForFormer: true) == .afterEnd)
        #expect(arrives(.end, isForFormer: true) == .afterEnd)
        #expect(arrives(.start, isForFormer: true) == .duplicate)
        // None of the pushes so far has spent budget.
        #expect(arrives(.update, isForFormer: false) == .shows)
        #expect(arrives(.update, isForFormer: false) == .throttled)
    }

    @Test("An undecodable push costs nothing and changes nothing; an end still ends")
    func undecodable() {
        var devices = Scenario.Devices()
        devices.budget.limit = 1
        devices.budget.endsExempt = false
        let rules = PhoneStation.Rules(devices)
        var phone = PhoneStation()
        phone.started(
            with: ContentStamp(generatedAt: .start, staleDate: .never),
            timestamp: 0,
            isUndecodable: true
        )
        func arrives(_ event: PushEvent) -> PhoneStation.Effect {
            phone.pushArrived(event, timestamp: 5, priority: .immediate, at: .start, rules: rules)
        }
        #expect(arrives(.update) == .undecodable)
        #expect(arrives(.end) == .ends)
        #expect(arrives(.end) == .throttled)
    }

    @Test("The phone's own end is the first of its limits; the first push removes the limit of the first content")
    func ownEnd() {
        var devices = Scenario.Devices()
        devices.systemLimit = .hours(8)
        devices.initialContentLimit = .minutes(10)
        devices.staleContentLimit = .minutes(5)
        let rules = PhoneStation.Rules(devices)
        var prospects = PhoneStation.Prospects(startedAt: .start)
        var phone = PhoneStation()
        let content = ContentStamp(generatedAt: .start, staleDate: .start + .hours(1))
        phone.started(with: content, timestamp: 0)
        #expect(phone.nextEnd(prospects, rules: rules) == (.start + .minutes(10), .initialContentExpired))
        prospects.swipeAt = .start + .minutes(9)
        #expect(phone.nextEnd(prospects, rules: rules) == (.start + .minutes(9), .swiped))
        prospects.swipeAt = .never
        #expect(phone.pushArrived(.update, timestamp: 0, priority: .considerate, at: .start, rules: rules) == .older)
        #expect(phone.nextEnd(prospects, rules: rules) == (.start + .hours(8), .systemLimit))
        // A running app ends the activity when its content has long been stale.
        prospects.appAliveUntil = .never
        #expect(phone.nextEnd(prospects, rules: rules) == (.start + .minutes(65), .contentExpired))
    }

    @Test("A card stays as long as its end requests, at most four hours")
    func dismissal() {
        let end = Instant.start + .hours(1)
        #expect(PhoneStation.dismissal(askedFor: nil, endedAt: end) == .start + .hours(5))
        #expect(PhoneStation.dismissal(askedFor: .start + .hours(2), endedAt: end) == .start + .hours(2))
        #expect(PhoneStation.dismissal(askedFor: .never, endedAt: end) == .start + .hours(5))
    }
}
