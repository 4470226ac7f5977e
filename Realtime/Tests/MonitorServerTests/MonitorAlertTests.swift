import FreshnessCore
import LiveActivityModel
import Quantities
import Testing
import Wire

@testable import MonitorServer

@Suite("Alerts and relevance scores in the monitor's pushes")
struct MonitorAlertTests {
    private static let start = Instant(microseconds: 1_700_000_000_000_000)
    private static let alert = PushAlert(title: "Here", body: "Your driver waits")

    private static func at(_ seconds: Int64) -> Instant { start + .seconds(seconds) }

    private static func content(
        _ generated: Int64,
        alert: PushAlert? = alert,
        score: Double? = 75,
        state: String = "{}"
    ) -> AnnouncedContent {
        AnnouncedContent(
            stamp: ContentStamp(generatedAt: at(generated), staleDate: at(generated + 60)),
            state: Array(state.utf8),
            priority: .immediate,
            alert: alert,
            relevanceScore: score
        )
    }

    private static func publish(_ machine: inout MonitorStateMachine, _ revision: Int64, at now: Int64) throws {
        let token = DeviceToken(ride: 1, number: UInt32(revision))
        machine.tokenPublished(
            PublishedToken(address: .token(token), revision: revision, publishedAt: at(now)),
            for: try Fixture.id("r"),
            shown: nil,
            at: at(now)
        )
    }

    /// Takes the pushes that are due, each as its kind, its alert's title and its relevance, and accepts them.
    private static func pushes(_ machine: inout MonitorStateMachine, at now: Int64) throws -> [String] {
        machine.advance(to: at(now))
        return try machine.takeActions().pushes
            .map { push in
                machine.answered(PushAnswer(number: push.number, outcome: .accepted), at: at(now))
                let payload = try #require(ActivityPayload(push.payload))
                let score = payload.relevanceScore.map { "\($0)" } ?? "none"
                return "\(push.kind) \(payload.alert?.title ?? "silent") \(score)"
            }
    }

    @Test("Content's own push carries its alert, a retry does not; both carry the relevance, an end neither")
    func once() throws {
        var machine = try Fixture.machine(at: Self.start)
        let id = try Fixture.id("r")
        try Self.publish(&machine, 1, at: 0)
        machine.contentAnnounced(Self.content(0), for: id, at: Self.at(0))
        #expect(try Self.pushes(&machine, at: 0) == ["update Here 75.0"])
        #expect(try Self.pushes(&machine, at: 180) == ["retry silent 75.0"])
        machine.contentAnnounced(Self.content(190, alert: nil, score: nil), for: id, at: Self.at(190))
        #expect(try Self.pushes(&machine, at: 190) == ["update silent none"])
        machine.rideOver(id, dismissalDate: nil, at: Self.at(191))
        #expect(try Self.pushes(&machine, at: 191) == ["end silent none"])
    }

    @Test("An alert waits for the first token; after that, another token gets the content without it")
    func tokens() throws {
        var machine = try Fixture.machine(at: Self.start)
        machine.contentAnnounced(Self.content(0), for: try Fixture.id("r"), at: Self.at(0))
        #expect(try Self.pushes(&machine, at: 0) == [])
        try Self.publish(&machine, 1, at: 1)
        try Self.publish(&machine, 2, at: 1)
        #expect(try Self.pushes(&machine, at: 1) == ["update Here 75.0", "update silent 75.0"])
    }

    @Test("A push that waits keeps its alert when newer content joins it, if both fit")
    func joined() throws {
        let room = ActivityPayload.largestContent - Self.alert.byteCount
        func full(_ count: Int) -> String { #"{"p":""# + String(repeating: "x", count: count - 8) + #""}"# }
        let other = PushAlert(title: "Gone", body: "The ride has begun")
        let rows: [(PushAlert?, String, String)] = [
            (nil, "{}", "Here"), (other, "{}", "Gone"), (nil, full(room), "Here"), (nil, full(room + 1), "silent"),
        ]
        for (alert, state, title) in rows {
            var machine = try Fixture.machine(at: Self.start)
            let id = try Fixture.id("r")
            try Self.publish(&machine, 1, at: 0)
            machine.connected(false, at: Self.at(0))
            machine.contentAnnounced(Self.content(0), for: id, at: Self.at(0))
            machine.contentAnnounced(Self.content(1, alert: alert, state: state), for: id, at: Self.at(1))
            machine.connected(true, at: Self.at(2))
            #expect(try Self.pushes(&machine, at: 2) == ["update \(title) 75.0"])
        }
    }

    @Test(
        "After a restart an alert is sent only if no push can have carried it",
        arguments: [TokenState.none, .active, .discarded]
    )
    func restart(state: TokenState) throws {
        var machine = try Fixture.machine(at: Self.start)
        let token = DeviceToken(ride: 1, number: 1)
        let published = PublishedToken(address: .token(token), revision: 5, publishedAt: Self.start)
        var stored = StoredInstance(id: try Fixture.id("r"), revision: 5, tokenState: state)
        stored.token = state == .active ? published : nil
        stored.announced = Self.content(-1)
        machine.restore(stored, at: Self.start)
        try Self.publish(&machine, 6, at: 1)
        let pushes = try Self.pushes(&machine, at: 1)
        #expect(pushes.first == (state == .none ? "update Here 75.0" : "update silent 75.0"))
    }

    @Test("A repetition has the same content, alert and relevance")
    func repetitions() throws {
        var machine = try Fixture.machine(at: Self.start)
        let id = try Fixture.id("r")
        machine.contentAnnounced(Self.content(0), for: id, at: Self.at(0))
        #expect(machine.reception(of: Self.content(0), for: id) == .repeated)
        #expect(machine.reception(of: Self.content(0, alert: nil), for: id) == .other)
        #expect(machine.reception(of: Self.content(0, score: 1), for: id) == .other)
    }
}
