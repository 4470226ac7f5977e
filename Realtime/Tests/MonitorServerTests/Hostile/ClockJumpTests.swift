import LiveActivityModel
import Quantities
import Studies
import TestSupport
import Testing
import Wire

@testable import LoadGenerator
@testable import MonitorServer
@testable import ServiceLoad

/// The monitor's clock jumps, within a process and between two, and is corrected by a later restart.
///
/// The system's clock does not jump while a process runs, see `SystemClock`; after a sleep of the machine it jumps
/// ahead.
@Suite("Clock jumps")
struct ClockJumpTests {
    /// The target of a jump.
    struct Jump: CustomTestStringConvertible {
        let testDescription: String
        /// The time after the jump [UNIX s].
        let second: Int64

        init(_ description: String, to second: Int64) {
            (testDescription, self.second) = (description, second)
        }

        init(_ description: String, by seconds: Int64) { self.init(description, to: ClockJumpTests.start + seconds) }

        /// `true` if content that is valid for a minute is stale for longer than the fresh limit and the recovery
        /// window.
        var isPastRecovery: Bool { second > ClockJumpTests.start + 480 }
    }

    private static let start: Int64 = 1_700_000_000
    private static let jumps = [
        Jump("a second back", by: -1), Jump("a second ahead", by: 1), Jump("an hour back", by: -3600),
        Jump("an hour ahead", by: 3600), Jump("a day back", by: -86_400), Jump("a day ahead", by: 86_400),
        Jump("to 1970", to: 1), Jump("to the year 2100", to: 4_102_444_800),
        Jump("to the year 2200", to: 7_258_118_400),
    ]

    /// Instances, which are also the rides of their tokens.
    private enum Name: UInt64, CaseIterable {
        /// Has content that never goes stale.
        case lasting = 1
        /// Has content that is valid for a minute.
        case minute
        /// Has a withdrawn token.
        case withdrawn
        /// Its ride is over, and APNs does not answer the end.
        case over
        /// Begins after the jump.
        case late

        var token: DeviceToken { DeviceToken(ride: rawValue, number: 1) }
    }

    /// A monitor's process and its output; its pushes are accepted, except for ends.
    private final class Host {
        private let world: World
        private let scratch = Scratch()
        private var process: ServiceAtWork.Process
        private var copies = 0
        private(set) var pushes: [OutgoingPush] = []

        init() async throws {
            world = try ScenarioLoader.world(Scenario())
            let registry = scratch.path("0.sqlite")
            process = try await ServiceAtWork.Process(world, registry: registry, at: Self.instant(ClockJumpTests.start))
        }

        private static func instant(_ second: Int64) -> Instant { Instant(microseconds: second * 1_000_000) }

        func jump(to second: Int64) async throws {
            process.clock.now = Self.instant(second)
            try await settle()
        }

        /// Kills the process and starts another with the data left on disk, at another time.
        func restart(at second: Int64) async throws {
            let killed = process
            copies += 1
            let left = scratch.path("\(copies).sqlite")
            try Fixture.copyRegistry(scratch.path("\(copies - 1).sqlite"), to: left)
            process = try await ServiceAtWork.Process(world, registry: left, at: Self.instant(second))
            try await killed.end()
            try await settle()
        }

        func end() async throws { try await process.end() }

        /// Sends a request and waits for its effects.
        func ask(_ route: MonitorRoute, _ name: Name, _ body: String? = nil) async throws -> Int {
            let answer = try await process.client.send(route, of: "\(name)", body: body)
            try await settle()
            return answer.status
        }

        func publish(_ name: Name) async throws -> Int {
            try await ask(.publish, name, TokenPublication(token: name.token).json)
        }

        func view(_ name: Name) async throws -> InstanceView? {
            InstanceView(Array(try await process.client.send(.read, of: "\(name)").body.utf8))
        }

        /// Returns the timestamps of an instance's pushes [UNIX s].
        func timestamps(_ name: Name) -> [Int64] {
            pushes.filter { $0.token.token == name.token }.map(\.decision.timestamp)
        }

        private func settle() async throws {
            let (process, outbox) = (process, process.outbox)
            let isSettled = await eventually {
                await process.clock.ringAlarms()
                await process.monitor.work()
                let taken = outbox.take()
                pushes += taken
                for push in taken where push.kind != .end {
                    outbox.answer(PushAnswer(number: push.number, outcome: .accepted))
                }
                let report = await process.monitor.report()
                return taken.isEmpty && report.waitingWrites == 0 && report.waitingDecisions == 0
            }
            guard isSettled else { throw Fixture.Broken() }
        }
    }

    @Test("no acknowledged change is lost, and only stale instances end", arguments: jumps, [false, true])
    func jumping(jump: Jump, isRestart: Bool) async throws {
        let host = try await Host()
        do {
            try await history(of: host, jump, isRestart: isRestart)
        } catch {
            Issue.record("\(jump.testDescription): \(error)")
        }
        // Also after a failure: a client that is left open ends the process.
        try await host.end()
    }

    private func history(of host: Host, _ jump: Jump, isRestart: Bool) async throws {
        let tally = HostileTally("clock jumps", checks: 27)
        func holds(_ isSo: Bool, _ what: String) { #expect(tally.counts(isSo), "\(jump.testDescription): \(what)") }

        for name in [Name.lasting, .minute, .withdrawn, .over] { holds(try await host.publish(name) == 201, "\(name)") }
        let minute = #"{"content_state":{"a":1},"stale_date":\#(Self.start + 60)}"#
        holds(try await host.ask(.announce, .lasting, #"{"content_state":{"a":1}}"#) == 202, "content")
        holds(try await host.ask(.announce, .minute, minute) == 202, "content of a minute")
        holds(try await host.ask(.withdraw, .withdrawn) == 204, "the withdrawal")
        holds(try await host.ask(.end, .over, #"{"dismissal_date":1700000999}"#) == 202, "the end")

        if isRestart { try await host.restart(at: jump.second) } else { try await host.jump(to: jump.second) }
        try await facts(host, holds, mayHaveEnded: jump.isPastRecovery)
        holds(try await host.publish(.late) == 201, "a first token after the jump")
        holds(try await host.ask(.announce, .lasting, #"{"content_state":{"a":2}}"#) == 202, "content after the jump")
        let changed = try await host.view(.lasting)?.announcedAt
        for name in Name.allCases {
            let timestamps = host.timestamps(name)
            holds(zip(timestamps, timestamps.dropFirst()).allSatisfy(<), "\(name): \(timestamps)")
        }

        // The clock is corrected.
        try await host.restart(at: Self.start + 1)
        try await facts(host, holds, mayHaveEnded: jump.isPastRecovery)
        holds(try await host.view(.late)?.token == .active, "the token that was published after the jump")
        holds(try await host.view(.lasting)?.announcedAt == changed, "the content that was announced after the jump")
        holds(host.timestamps(.withdrawn).isEmpty, "no push to the withdrawn token")
        let ends = host.pushes.filter { $0.token.token == Name.over.token }
        let areDated = ends.allSatisfy { String(decoding: $0.payload, as: UTF8.self).contains("1700000999") }
        holds(ends.count > 1 && areDated, "ends keep their date over a restart")
    }

    private func facts(_ host: Host, _ holds: (Bool, String) -> Void, mayHaveEnded: Bool) async throws {
        let (lasting, minute) = (try await host.view(.lasting), try await host.view(.minute))
        holds(lasting?.phase == .live && lasting?.token == .active, "\(String(describing: lasting))")
        holds(minute?.phase == .live || mayHaveEnded && minute != nil, "\(String(describing: minute))")
        holds(try await host.view(.withdrawn)?.token == .invalidated, "withdrawn")
        holds(try await host.view(.over)?.phase == .ending, "over")
    }
}
