import FreshnessCore
import Quantities
import Testing

@testable import LiveActivityModel

@Suite("The monitor's station")
struct MonitorStationTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    /// Fresh for a minute; an attempt at the lapse, given up 100 s later, ends at once and 30 s later.
    private static func rules(
        survivesRestarts: Bool = false,
        _ change: (inout Scenario.Monitor) -> Void = { _ in }
    ) throws -> MonitorRules {
        var monitor = Scenario.Monitor()
        monitor.freshLimit = .zero
        monitor.recoveryWindow = .seconds(100)
        monitor.retry.schedule = [.zero]
        monitor.endSchedule = [.zero, .seconds(30)]
        change(&monitor)
        return try MonitorRules(monitor, survivesRestarts: survivesRestarts)
    }

    private static let content = ContentStamp(generatedAt: .start, staleDate: at(60))

    private static func watched(_ rules: MonitorRules) -> MonitorStation {
        var station = MonitorStation()
        #expect(
            station.tokenPublished(1, showing: content, newest: .confirmed, at: .start, rules)
                == .watched(sendsContent: false)
        )
        return station
    }

    private static func act(_ station: inout MonitorStation, at now: Int64, _ rules: MonitorRules)
        -> MonitorStation.Action
    {
        var budget: RetryBudget?
        return station.act(at: at(now), rules, budget: &budget, draw: 0)
    }

    @Test("It fits into one cache line")
    func size() {
        #expect(MemoryLayout<MonitorStation>.size == 64)
        #expect(MemoryLayout<InstanceFreshness?>.size <= 53)
    }

    /// Fresh until second 60; content that lapses, accepted by some instant.
    @Test(
        "Content only postpones the lapse if it is newer, and the instance is fresh until then with and without it",
        arguments: [
            (59, 30, 90, true), (60, 30, 90, false), (59, 30, 59, false), (59, 0, 90, false), (59, 30, 60, true),
        ] as [(Int64, Int64, Int64, Bool)]
    )
    func freshUntil(through: Int64, generated: Int64, lapse: Int64, stays: Bool) throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        let content = ContentStamp(generatedAt: Self.at(generated), staleDate: Self.at(lapse))
        let found = Self.at(through) < station.freshUntil(with: content, rules)
        #expect(found == stays)
        guard stays else { return }
        #expect(station.contentAccepted(content, of: station.watch, at: Self.at(40), rules) == .stillFresh)
    }

    @Test("Neither an episode nor an unwatched instance is fresh")
    func freshUntilOfOthers() throws {
        let content = ContentStamp(generatedAt: Self.at(30), staleDate: Self.at(90))
        let rules = try Self.rules()
        var station = Self.watched(rules)
        _ = Self.act(&station, at: 60, rules)
        #expect(station.freshUntil(with: content, rules) == .start)
        #expect(MonitorStation().freshUntil(with: content, rules) == .start)
    }

    @Test("Actions come one by one; after a retry, a withheld one or an end, other instances come first")
    func actions() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        #expect(station.nextCheck(at: Self.at(5), rules) == Self.at(60))
        #expect(Self.act(&station, at: 60, rules) == .becameRecoverable(since: Self.at(60)))
        #expect(Self.act(&station, at: 60, rules) == .retry(.immediate))
        #expect(station.nextCheck(at: Self.at(60), rules) == Self.at(160))
        #expect(Self.act(&station, at: 160, rules) == .becameSevere(mustRecord: false))
        #expect(station.isGivenUp && station.isEndDecided && !station.isRideOver)
        #expect(Self.act(&station, at: 160, rules) == .sendEnd)
        #expect(Self.act(&station, at: 160, rules) == .nothing)
        #expect(station.wakeCount == 5)
        let continues: [MonitorStation.Action] = [.becameRecoverable(since: .start), .becameSevere(mustRecord: true)]
        let stops: [MonitorStation.Action] = [.nothing, .retry(.immediate), .withholdRetry, .sendEnd]
        for action in continues { #expect(action.continues) }
        for action in stops { #expect(!action.continues) }
    }

    @Test("A response counts for the token that the push was sent to")
    func verdicts() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        #expect(station.rideOver(at: Self.at(10)) == true)
        #expect(
            station.tokenPublished(2, showing: Self.content, newest: .confirmed, at: Self.at(11), rules)
                == .ends(isNews: false)
        )
        let before = station
        #expect(station.endAccepted(on: 1) == false)
        let dead = APNsReason.unregistered
        #expect(station.refused(isEnd: true, reason: dead, on: 1, at: Self.at(12), rules) == .outdated)
        #expect(station == before)
        #expect(station.refused(isEnd: true, reason: .serviceUnavailable, on: 2, at: Self.at(12), rules) == .carryOn)
        #expect(station.endAccepted(on: 2) == true)
        #expect(station.token == 0)
        #expect(station.endAccepted(on: 2) == false)
        #expect(!station.takesEnds)
    }

    @Test("A dead token is discarded; the decision to end holds for the next one")
    func deadToken() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        let dead = APNsReason.unregistered
        #expect(station.refused(isEnd: false, reason: dead, on: 1, at: Self.at(5), rules) == .discardToken)
        #expect(station.token == 0 && !station.takesContent)
        #expect(station.rideOver(at: Self.at(6)) == false)
        #expect(
            station.tokenPublished(2, showing: Self.content, newest: .confirmed, at: Self.at(7), rules)
                == .ends(isNews: false)
        )
        #expect(Self.act(&station, at: 7, rules) == .sendEnd)
    }

    @Test(
        "A token after an accepted end is ended again, unless the rules make an accepted end final",
        arguments: [true, false]
    )
    func endsAgain(_ endsAgain: Bool) throws {
        let rules = try Self.rules { $0.endsAgainOnNewToken = endsAgain }
        var station = Self.watched(rules)
        #expect(station.rideOver(at: Self.at(10)) == true)
        #expect(station.endAccepted(on: 1) == true)
        let publication = station.tokenPublished(2, showing: Self.content, newest: .confirmed, at: Self.at(20), rules)
        #expect(publication == (endsAgain ? .ends(isNews: true) : .over))
        #expect(station.nextCheck(at: Self.at(20), rules) == (endsAgain ? Self.at(20) : .never))
        #expect(station.watch == (endsAgain ? 2 : 1))
    }

    @Test("A new token gets content that was never sent; if a host survives restarts, also unconfirmed content")
    func contentForTokens() throws {
        for survivesRestarts in [false, true] {
            let rules = try Self.rules(survivesRestarts: survivesRestarts)
            let expected: [(MonitorStation.ContentProgress, Bool)] = [
                (.unsent, true), (.unconfirmed, survivesRestarts), (.confirmed, false),
            ]
            for (progress, sendsContent) in expected {
                var station = MonitorStation()
                let publication = station.tokenPublished(
                    1,
                    showing: Self.content,
                    newest: progress,
                    at: .start,
                    rules
                )
                #expect(publication == .watched(sendsContent: sendsContent))
            }
        }
    }

    @Test("Nothing is left to do without a token, and once an end has worked or all ends are sent")
    func done() throws {
        let rules = try Self.rules(survivesRestarts: true)
        #expect(MonitorStation().isDone(rules))
        var station = Self.watched(rules)
        #expect(!station.isDone(rules))
        _ = Self.act(&station, at: 161, rules)
        _ = Self.act(&station, at: 161, rules)
        #expect(station.awaitsRecord && !station.isDone(rules))
        #expect(station.decisionRecorded() == true)
        #expect(Self.act(&station, at: 161, rules) == .sendEnd)
        #expect(!station.isDone(rules))
        #expect(Self.act(&station, at: 191, rules) == .sendEnd)
        #expect(station.isDone(rules))
        var withdrawn = Self.watched(rules)
        #expect(withdrawn.withdrawn() == true)
        #expect(withdrawn.isDone(rules))
    }

    @Test("Content of an earlier watch says nothing about this one")
    func watches() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        let newer = ContentStamp(generatedAt: Self.at(5), staleDate: Self.at(65))
        #expect(station.contentAccepted(newer, of: 1, at: Self.at(6), rules) == .stillFresh)
        station.watchAnew(showing: Self.content, at: Self.at(7), rules)
        #expect(station.contentAccepted(newer, of: 1, at: Self.at(8), rules) == nil)
        #expect(station.contentAccepted(newer, of: 2, at: Self.at(8), rules) == .stillFresh)
        station.activityReplaced()
        #expect(station.freshness == nil && station.nextCheck(at: Self.at(9), rules) == .never)
        #expect(station.contentAccepted(newer, of: 2, at: Self.at(9), rules) == nil)
    }

    @Test("Checks come at scans, except for the end of a ride")
    func scans() throws {
        let rules = try Self.rules { $0.scanInterval = .seconds(25) }
        var station = Self.watched(rules)
        #expect(station.nextCheck(at: Self.at(5), rules) == Self.at(75))
        #expect(station.isDue(at: Self.at(60), rules) && !station.isDue(at: Self.at(59), rules))
        #expect(station.rideOver(at: Self.at(61)) == true)
        #expect(station.nextCheck(at: Self.at(61), rules) == Self.at(61))
        let off = try Self.rules { $0.enabled = false }
        #expect(Self.watched(off).nextCheck(at: Self.at(5), off) == .never)
    }

    @Test("With persistence the decision to give up is recorded before an end is sent")
    func records() throws {
        let rules = try Self.rules(survivesRestarts: true)
        var station = Self.watched(rules)
        #expect(station.decisionRecorded() == false)
        // A check that comes too late finds the window over at once.
        #expect(Self.act(&station, at: 161, rules) == .becameRecoverable(since: Self.at(60)))
        #expect(Self.act(&station, at: 161, rules) == .becameSevere(mustRecord: true))
        #expect(station.awaitsRecord)
        #expect(Self.act(&station, at: 161, rules) == .nothing)
        #expect(station.nextCheck(at: Self.at(161), rules) == .never)
        #expect(station.decisionRecorded() == true)
        #expect(Self.act(&station, at: 161, rules) == .sendEnd)
    }

    @Test("After a restart the decision holds for the remaining token")
    func restart() throws {
        let rules = try Self.rules()
        for (isRideOver, isGivenUp) in [(true, false), (false, true)] {
            var station = MonitorStation(isRideOver: isRideOver, isGivenUp: isGivenUp)
            #expect(
                station.tokenPublished(1, showing: Self.content, newest: .confirmed, at: Self.at(5), rules)
                    == .ends(isNews: true)
            )
        }
    }

    @Test("A withdrawn token leaves nothing to do, and is news once")
    func withdrawal() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        #expect(station.withdrawn() == true)
        #expect(station.withdrawn() == false)
        #expect(station.nextCheck(at: Self.at(5), rules) == .never)
        var other = Self.watched(rules)
        #expect(other.endSeen() == true)
        #expect(other.endSeen() == false)
    }
}
