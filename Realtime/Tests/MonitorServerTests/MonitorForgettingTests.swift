import FreshnessCore
import LiveActivityModel
import Quantities
import Testing
import Wire

@testable import MonitorServer

@Suite("Instances that are over are forgotten")
struct MonitorForgettingTests {
    private let start = Instant(microseconds: 1_700_000_000_000_000)
    private let hour = TimeSpan.hours(1)

    private func brain() throws -> MonitorBrain {
        try Fixture.brain(forgetAfter: hour, at: start)
    }

    private func publish(_ brain: inout MonitorBrain, _ name: String, revision: Int64, at now: Instant) throws {
        let token = PublishedToken(
            token: DeviceToken(ride: 1, number: UInt32(revision)),
            revision: revision,
            publishedAt: now
        )
        brain.tokenPublished(token, for: try Fixture.id(name), shown: nil, at: now)
    }

    private func announce(_ brain: inout MonitorBrain, _ name: String, at now: Instant) throws {
        let content = Fixture.content(generated: now, stale: now + .hours(9))
        brain.contentAnnounced(content, for: try Fixture.id(name), at: now)
    }

    /// Lets time pass and answers every push at once; returns the names of those that were forgotten.
    private func run(_ brain: inout MonitorBrain, to now: Instant, answers: Bool = true) -> [String] {
        var forgotten: [String] = []
        brain.advance(to: now)
        var actions = brain.takeActions()
        while !actions.changes.isEmpty || !actions.pushes.isEmpty {
            for change in actions.changes {
                if case .forget(let id, let instant) = change {
                    forgotten.append(id.text)
                    #expect(instant + hour == now)
                }
            }
            for push in actions.pushes where answers {
                brain.answered(PushAnswer(number: push.number, outcome: .accepted), at: now)
            }
            actions = brain.takeActions()
        }
        return forgotten
    }

    @Test("Closed ones and such that never had a token go after an hour; what lives or has pushes under way stays")
    func forgotten() throws {
        var brain = try brain()
        for (number, name) in ["closed", "live", "busy"].enumerated() {
            try publish(&brain, name, revision: Int64(number) + 1, at: start)
        }
        try announce(&brain, "waiting", at: start)
        try announce(&brain, "live", at: start)
        #expect(run(&brain, to: start) == [])
        try announce(&brain, "busy", at: start)
        #expect(run(&brain, to: start, answers: false) == [])
        for (revision, name) in [(4, "closed"), (5, "busy")] as [(Int64, String)] {
            _ = brain.tokenWithdrawn(from: try Fixture.id(name), revision: revision, at: start)
        }
        #expect(run(&brain, to: start + .minutes(59)) == [])
        #expect(run(&brain, to: start + hour) == ["closed", "waiting"])
        #expect(brain.instanceCount == 2)
        #expect(brain.counts.forgotten == 2)
        let page = brain.page(of: nil, from: 0, limit: 9, at: start + hour)
        #expect(page.instances.map(\.id.text) == ["live", "busy"])
        #expect(brain.view(of: try Fixture.id("closed"), at: start + hour) == nil)
    }

    @Test("A forgotten row serves another instance, and the old name may come again")
    func reuse() throws {
        var brain = try brain()
        try publish(&brain, "a", revision: 1, at: start)
        _ = brain.tokenWithdrawn(from: try Fixture.id("a"), revision: 2, at: start)
        #expect(run(&brain, to: start + hour) == ["a"])
        let later = start + hour + .minutes(1)
        for (revision, name) in [(3, "b"), (4, "a")] as [(Int64, String)] {
            try publish(&brain, name, revision: revision, at: later)
            try announce(&brain, name, at: later)
        }
        let pushes = brain.takeActions().pushes
        #expect(pushes.map(\.row) == [0, 1])
        #expect(pushes.map(\.token.revision) == [3, 4])
        #expect(brain.view(of: try Fixture.id("a"), at: later)?.phase == "live")
        #expect(brain.instanceCount == 2)
    }

    @Test("Of many, a look takes a part, and looks go on until all are gone")
    func many() throws {
        var brain = try brain()
        let count = 45_000
        for number in 0..<count {
            try announce(&brain, "i\(number)", at: start)
        }
        var now = start + hour
        var sizes: [Int] = []
        while brain.instanceCount > 0, sizes.count < 10 {
            sizes.append(run(&brain, to: now).count)
            #expect(brain.nextWake > now)
            now = brain.nextWake
        }
        #expect(sizes == [20_000, 20_000, 5000])
    }
}
