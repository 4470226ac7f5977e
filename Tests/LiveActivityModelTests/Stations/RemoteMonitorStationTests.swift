import FreshnessCore
import Quantities
import Testing

@testable import LiveActivityModel

@Suite("The station of a monitor outside the app's server")
struct RemoteMonitorStationTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    /// Fresh for a minute; an attempt at the lapse, given up 100 s later.
    private static func rules() throws -> MonitorRules {
        var monitor = Scenario.Monitor()
        monitor.freshLimit = .zero
        monitor.recoveryWindow = .seconds(100)
        monitor.retry.schedule = [.zero]
        monitor.endSchedule = [.zero]
        return try MonitorRules(monitor, survivesRestarts: true)
    }

    private static func content(_ generated: Int64, stale: Int64 = 60) -> ContentStamp {
        ContentStamp(generatedAt: at(generated), staleDate: at(stale))
    }

    private static func announcement(_ generated: Int64, renewal: TimeSpan? = nil) -> Announcement {
        Announcement(content: content(generated), priority: .considerate, renewal: renewal)
    }

    /// An instance whose token was published, with content announced, at the same instant.
    private static func watched(_ rules: MonitorRules, announced: Announcement? = announcement(0))
        -> RemoteMonitorStation
    {
        var station = RemoteMonitorStation()
        _ = station.tokenPublished(publishedAt: .start, shown: nil, at: .start, rules)
        if let announced { _ = station.contentAnnounced(announced, at: .start, rules) }
        return station
    }

    private func made(_ push: RemoteMonitorStation.Push?) throws -> RemoteMonitorStation.Push { try #require(push) }

    // MARK: - Content

    @Test("An announcement is new, a repetition or older; once an end is decided, none is accepted")
    func reception() throws {
        let rules = try Self.rules()
        var station = RemoteMonitorStation()
        #expect(station.contentAnnounced(Self.announcement(5), at: Self.at(5), rules) == .new(isSent: false))
        _ = station.tokenPublished(publishedAt: Self.at(6), shown: nil, at: Self.at(6), rules)
        #expect(station.reception(of: Self.announcement(5)) == .repeated)
        #expect(station.reception(of: Self.announcement(5), isSameState: false) == .other)
        var renewable = Self.announcement(5)
        renewable.renewal = .seconds(1)
        #expect(station.reception(of: renewable) == .other)
        #expect(station.reception(of: Self.announcement(4)) == .older(thanGeneratedAt: Self.at(5)))
        #expect(station.reception(of: Self.announcement(6)) == .new(isSent: true))
        let before = station.announced
        #expect(
            station.contentAnnounced(Self.announcement(4), at: Self.at(7), rules) == .older(thanGeneratedAt: Self.at(5))
        )
        #expect(station.announced == before)
        #expect(station.rideOver(at: Self.at(8)) == true)
        #expect(station.reception(of: Self.announcement(9)) == .ended)
        let isNewAgain = RemoteMonitorStation().reception(of: Self.announcement(9))
        #expect(isNewAgain == .new(isSent: false))
    }

    @Test("An unknown screen is outdated once content is announced, and not before")
    func unknownScreens() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules, announced: nil)
        #expect(station.monitor.nextCheck(at: Self.at(1), rules) == .never)
        let watch = station.monitor.watch
        _ = station.contentAnnounced(Self.announcement(1), at: Self.at(9), rules)
        #expect(station.monitor.watch == watch + 1)
        #expect(station.monitor.nextCheck(at: Self.at(9), rules) == Self.at(9))
        // The second announcement adds no information about it.
        _ = station.contentAnnounced(Self.announcement(2), at: Self.at(10), rules)
        #expect(station.monitor.watch == watch + 1)
        // If the app has reported the content of the screen, that is believed.
        var told = RemoteMonitorStation()
        _ = told.tokenPublished(publishedAt: .start, shown: Self.content(0), at: .start, rules)
        _ = told.contentAnnounced(Self.announcement(1), at: Self.at(9), rules)
        #expect(told.monitor.watch == 1)
        #expect(told.monitor.nextCheck(at: Self.at(9), rules) == Self.at(60))
    }

    @Test("A token gets at once the announced content that is newer than the believed content of the screen")
    func contentForTokens() throws {
        let rules = try Self.rules()
        var station = RemoteMonitorStation()
        func publish(shown: Int64? = nil, _ now: Int64) -> MonitorStation.Publication {
            station.tokenPublished(
                publishedAt: Self.at(now),
                shown: shown.map { Self.content($0) },
                at: Self.at(now),
                rules
            )
        }
        #expect(publish(1) == .watched(sendsContent: false))
        _ = station.contentAnnounced(Self.announcement(2), at: Self.at(2), rules)
        let update = try made(station.update())
        #expect(publish(3) == .watched(sendsContent: true))
        #expect(station.accepted(update, at: Self.at(4), rules) == .believed(recovers: true))
        #expect(station.confirmed == Self.content(2))
        #expect(publish(5) == .watched(sendsContent: false))
        #expect(publish(shown: 1, 6) == .watched(sendsContent: true))
        #expect(publish(shown: 3, 7) == .watched(sendsContent: false))
        #expect(station.rideOver(at: Self.at(8)) == true)
        #expect(publish(shown: 1, 9) == .ends(isNews: false))
    }

    // MARK: - Pushes

    @Test("An update carries the announced content, a retry its renewal, an end the last content")
    func pushes() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules, announced: Self.announcement(0, renewal: .seconds(30)))
        let update = try made(station.update())
        #expect(update.kind == .update && update.priority == .considerate)
        #expect(update.content == Self.content(0))
        let retry = try made(station.retry(.immediate, at: Self.at(60)))
        #expect(retry.kind == .retry && retry.priority == .immediate)
        #expect(retry.content == Self.content(60, stale: 90))
        let end = try made(station.end(at: Self.at(70)))
        #expect(end.kind == .end && end.priority == .immediate && end.content == Self.content(0))
        var fixed = Self.watched(rules)
        #expect(try made(fixed.retry(.immediate, at: Self.at(60))).content == Self.content(0))
    }

    @Test("Timestamps increase, whatever instants contents have; after a restart they begin above its second")
    func timestamps() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules, announced: Self.announcement(10))
        let now = Self.at(9) + .milliseconds(900)
        let timestamps = [station.update(), station.retry(.immediate, at: now), station.end(at: Self.at(50))]
        #expect(timestamps.map { $0?.timestamp } == [10, 11, 50])
        var restarted = RemoteMonitorStation(
            isRideOver: false,
            isGivenUp: false,
            announced: Self.announcement(10),
            confirmed: nil,
            life: 1,
            at: Self.at(50)
        )
        let publication = restarted.tokenPublished(publishedAt: .start, shown: nil, at: Self.at(50), rules)
        #expect(publication == .watched(sendsContent: true))
        // A push of the last process may have the current second: with the content's own, a phone would ignore the new
        // push.
        #expect(try made(restarted.update()).timestamp == 51)
    }

    @Test("Without a token there is no push; without content there is an end")
    func nothingToSend() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules, announced: nil)
        var pushes = [station.update(), station.retry(.immediate, at: Self.at(1))]
        #expect(pushes == [nil, nil])
        let end = try made(station.end(at: Self.at(1)))
        #expect(end.content == ContentStamp(generatedAt: Self.at(1), staleDate: .never))
        station = Self.watched(rules)
        station.withdrawn()
        pushes = [station.update(), station.retry(.immediate, at: Self.at(1)), station.end(at: Self.at(1))]
        #expect(pushes == [nil, nil, nil])
    }

    // MARK: - Responses of APNs

    @Test("A token that APNs found dead before it was published once more is not discarded")
    func deadTokens() throws {
        let rules = try Self.rules()
        var station = RemoteMonitorStation()
        _ = station.tokenPublished(publishedAt: Self.at(10), shown: nil, at: Self.at(12), rules)
        _ = station.contentAnnounced(Self.announcement(13), at: Self.at(13), rules)
        let push = try made(station.update())
        func refused(_ reason: APNsReason, deadSince: Int64?) -> MonitorStation.Refusal {
            // Each on a copy, so that no response changes the next.
            var station = station
            return station.refused(push, reason, deadSince: deadSince.map(Self.at), at: Self.at(14), rules)
        }
        #expect(refused(.unregistered, deadSince: 9) == .publishedSince)
        #expect(refused(.unregistered, deadSince: 10) == .discardToken)
        #expect(refused(.unregistered, deadSince: nil) == .discardToken)
        #expect(refused(.serviceUnavailable, deadSince: 9) == .carryOn)
        _ = station.tokenPublished(publishedAt: Self.at(15), shown: nil, at: Self.at(15), rules)
        #expect(refused(.unregistered, deadSince: 12) == .outdated)
    }

    @Test("A push goes to the token that is valid when it is sent, and is dropped once the instance does not accept it")
    func addresses() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        let push = try made(station.update())
        #expect(station.addressed(push) == push)
        _ = station.tokenPublished(publishedAt: Self.at(1), shown: nil, at: Self.at(1), rules)
        let rotated = try #require(station.addressed(push))
        #expect(rotated != push)
        #expect(rotated.timestamp == push.timestamp && rotated.requestIndex == push.requestIndex)
        // APNs' response counts for the new token.
        #expect(station.accepted(push, at: Self.at(2), rules) == station.accepted(rotated, at: Self.at(2), rules))
        station.withdrawn()
        #expect(station.addressed(push) == nil)
    }

    @Test("A retry is the same push in another request")
    func repeats() throws {
        var station = Self.watched(try Self.rules())
        let push = try made(station.update())
        var again = push
        again.repeated()
        #expect(again.requestIndex == push.requestIndex + 1)
        #expect(again.timestamp == push.timestamp && again.content == push.content)
    }

    @Test("A waiting push takes newer content and keeps its place; regular content passes on its index")
    func renewals() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        let push = try made(station.update())
        _ = station.contentAnnounced(Self.announcement(1), at: Self.at(1), rules)
        let update = try made(station.update())
        let retry = try made(station.retry(.immediate, at: Self.at(1)))
        for newer in [update, retry] {
            var renewed = push
            #expect(renewed.joined(by: newer) != .no)
            #expect(renewed.content == newer.content && renewed.timestamp == newer.timestamp)
            #expect(renewed.requestIndex == (newer.kind == .update ? newer : push).requestIndex)
        }
        var unchanged = push
        #expect(unchanged.joined(by: try made(station.end(at: Self.at(1)))) == .no)
        #expect(unchanged.timestamp == push.timestamp && unchanged.requestIndex == push.requestIndex)
    }

    @Test("An accepted push counts for its watch and its token")
    func acceptances() throws {
        let rules = try Self.rules()
        var station = Self.watched(rules)
        let old = try made(station.update())
        _ = station.contentAnnounced(Self.announcement(1), at: Self.at(1), rules)
        let new = try made(station.update())
        #expect(station.accepted(new, at: Self.at(2), rules) == .believed(recovers: true))
        #expect(station.accepted(old, at: Self.at(2), rules) == .nothing)
        #expect(station.confirmed == Self.content(1))
        #expect(station.rideOver(at: Self.at(3)) == true)
        let end = try made(station.end(at: Self.at(3)))
        #expect(station.accepted(new, at: Self.at(4), rules) == .nothing)
        #expect(station.accepted(end, at: Self.at(4), rules) == .ended)
        #expect(station.accepted(end, at: Self.at(4), rules) == .nothing)
    }
}
