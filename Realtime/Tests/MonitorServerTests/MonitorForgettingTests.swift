import FreshnessCore
import LiveActivityModel
import Quantities
import Testing
import Wire

@testable import MonitorServer

@Suite("Finished instances are deleted")
struct MonitorForgettingTests {
    private let start = Instant(microseconds: 1_700_000_000_000_000)
    private let hour = TimeSpan.hours(1)

    private func machine() throws -> MonitorStateMachine {
        try Fixture.machine(forgetAfter: hour, at: start)
    }

    private func publish(_ machine: inout MonitorStateMachine, _ name: String, revision: Int64, at now: Instant) throws
    {
        let token = PublishedToken(
            address: .token(DeviceToken(ride: 1, number: UInt32(revision))),
            revision: revision,
            publishedAt: now
        )
        machine.tokenPublished(token, for: try Fixture.id(name), shown: nil, at: now)
    }

    private func announce(_ machine: inout MonitorStateMachine, _ name: String, at now: Instant) throws {
        let content = Fixture.content(generated: now, stale: now + .hours(9))
        machine.contentAnnounced(content, for: try Fixture.id(name), at: now)
    }

    /// Advances time and answers every push at once; returns the names of deleted instances.
    private func run(_ machine: inout MonitorStateMachine, to now: Instant, answers: Bool = true) -> [String] {
        var forgotten: [String] = []
        machine.advance(to: now)
        var actions = machine.takeActions()
        while !actions.changes.isEmpty || !actions.pushes.isEmpty {
            for change in actions.changes {
                if case .forget(let id, let instant) = change {
                    forgotten.append(id.text)
                    #expect(instant + hour == now)
                }
            }
            for push in actions.pushes where answers {
                machine.answered(PushAnswer(number: push.number, outcome: .accepted), at: now)
            }
            actions = machine.takeActions()
        }
        return forgotten
    }

    @Test(
        "Closed instances and those without a token are deleted after an hour; live ones and those with pushes in flight stay"
    )
    func forgotten() throws {
        var machine = try machine()
        for (number, name) in ["closed", "live", "busy"].enumerated() {
            try publish(&machine, name, revision: Int64(number) + 1, at: start)
        }
        try announce(&machine, "waiting", at: start)
        try announce(&machine, "live", at: start)
        #expect(run(&machine, to: start) == [])
        try announce(&machine, "busy", at: start)
        #expect(run(&machine, to: start, answers: false) == [])
        for (revision, name) in [(4, "closed"), (5, "busy")] as [(Int64, String)] {
            _ = machine.tokenWithdrawn(from: try Fixture.id(name), revision: revision, at: start)
        }
        #expect(run(&machine, to: start + .minutes(59)) == [])
        #expect(run(&machine, to: start + hour) == ["closed", "waiting"])
        #expect(machine.instanceCount == 2)
        #expect(machine.counts.forgotten == 2)
        let page = machine.page(of: nil, from: 0, limit: 9, at: start + hour)
        #expect(page.instances.map(\.instance) == ["live", "busy"])
        #expect(machine.view(of: try Fixture.id("closed"), at: start + hour) == nil)
    }

    @Test("The row of a deleted instance is reused, and its name may be used again")
    func reuse() throws {
        var machine = try machine()
        try publish(&machine, "a", revision: 1, at: start)
        _ = machine.tokenWithdrawn(from: try Fixture.id("a"), revision: 2, at: start)
        #expect(run(&machine, to: start + hour) == ["a"])
        let later = start + hour + .minutes(1)
        for (revision, name) in [(3, "b"), (4, "a")] as [(Int64, String)] {
            try publish(&machine, name, revision: revision, at: later)
            try announce(&machine, name, at: later)
        }
        let pushes = machine.takeActions().pushes
        #expect(pushes.map(\.row) == [0, 1])
        #expect(pushes.map(\.token.revision) == [3, 4])
        #expect(machine.view(of: try Fixture.id("a"), at: later)?.phase == .live)
        #expect(machine.instanceCount == 2)
    }

    @Test("A sweep covers part of many rows, and sweeps continue until all are deleted")
    func many() throws {
        var machine = try machine()
        let count = 45_000
        for number in 0..<count {
            try announce(&machine, "i\(number)", at: start)
        }
        var now = start + hour
        var sizes: [Int] = []
        while machine.instanceCount > 0, sizes.count < 10 {
            sizes.append(run(&machine, to: now).count)
            #expect(machine.nextWake > now)
            now = machine.nextWake
        }
        #expect(sizes == [20_000, 20_000, 5000])
    }
}
