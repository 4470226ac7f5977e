import CommandTestSupport
import Foundation
import FreshnessCore
import Quantities
import Synchronization
import TestSupport
import Testing
import Wire

@testable import MonitorServer

/// The guarantees of a monitor that is killed: acknowledged changes are kept, and nothing is sent to a token whose
/// invalidation was acknowledged.
@Suite("A killed monitor", .serialized)
struct KilledMonitorTests {
    /// The knowledge of one worker about its instances.
    private struct Worker: Sendable {
        let number: Int
        var draws: TestStream
        /// The token by instance; `nil` after an acknowledged withdrawal.
        var tokens: [Int: UInt32?] = [:]
        /// The content by instance [µs].
        var contents: [Int: Int64] = [:]
        /// The dismissal date by instance, for instances with one life: published, ended, and not used again.
        var ends: [Int: Int64] = [:]
        var nextLife = Worker.instanceCount
        /// Instances whose last request about the token has no response.
        var unsureTokens: Set<Int> = []
        var unsureContents: Set<Int> = []
        var nextToken: UInt32 = 1
        var invalidated: [(token: String, at: ContinuousClock.Instant)] = []
        /// The number of invalid responses of the monitor.
        var refusals = 0
        /// The number of its requests that the monitor's end has interrupted.
        var interruptions = 0

        static let instanceCount = 20

        func name(_ instance: Int) -> String { "w\(number)-\(instance)" }

        func token(_ instance: Int, _ number: UInt32) -> DeviceToken {
            DeviceToken(ride: UInt64(self.number * 1000 + instance), number: number)
        }

        /// Works until a request has no response.
        ///
        /// - Parameter acknowledged: Called after each response.
        mutating func work(_ client: MonitorClient, _ acknowledged: @Sendable () -> Void) async {
            do {
                while true {
                    if try await step(client) { acknowledged() }
                }
            } catch is Refused {
                refusals += 1
            } catch {
                interruptions += 1
            }
        }

        /// - Returns: `true` if there was a request to send.
        private mutating func step(_ client: MonitorClient) async throws -> Bool {
            let instance = draws.next(below: Worker.instanceCount)
            let path = "/v1/instances/\(name(instance))"
            switch draws.number(1...11) {
            case 1...4:
                let number = nextToken
                nextToken += 1
                unsureTokens.insert(instance)
                let body = "{\"token\":\"\(token(instance, number).hexadecimal)\"}"
                guard [200, 201].contains(try await client.send("PUT", path + "/token", body)) else { throw Refused() }
                tokens[instance] = .some(number)
                unsureTokens.remove(instance)
            case 5...8:
                let generated = (contents[instance] ?? 0) + 1000 + Int64(draws.next(below: 1000))
                unsureContents.insert(instance)
                let body =
                    "{\"content_state\":\(Self.content(generated)),\"generated_at_us\":\(generated),\"stale_date\":4000000000}"
                let status = try await client.send("PUT", path + "/content", body)
                // An announcement without a response may have been newer.
                guard status == 202 || status == 409 else { throw Refused() }
                if status == 202 {
                    contents[instance] = generated
                    unsureContents.remove(instance)
                } else {
                    contents[instance] = generated
                }
            case 9:
                let life = nextLife
                nextLife += 1
                let path = "/v1/instances/\(name(life))"
                let body = "{\"token\":\"\(token(life, 1).hexadecimal)\"}"
                guard try await client.send("PUT", path + "/token", body) == 201 else { throw Refused() }
                let date = 4_000_000_000 + Int64(life)
                let end = try await client.send("POST", path + "/end", "{\"dismissal_date\":\(date)}")
                guard end == 202 else { throw Refused() }
                ends[life] = date
            default:
                guard let known = tokens[instance], !unsureTokens.contains(instance) else { return false }
                unsureTokens.insert(instance)
                guard try await client.send("DELETE", path + "/token") == 204 else { throw Refused() }
                if let known { invalidated.append((token(instance, known).hexadecimal, .now)) }
                tokens[instance] = .some(nil)
                unsureTokens.remove(instance)
            }
            return true
        }

        /// Returns the content of an instant.
        static func content(_ generated: Int64) -> String { "{\"n\":\(generated)}" }

        struct Refused: Error {}
    }

    /// Ends a monitor at a response, counted from its start; by then the other workers have sent further requests, or
    /// are about to.
    private final class Moment: Sendable {
        private let processID: Int32
        private let last: Int
        private let answers = Atomic(0)

        init(processID: Int32, after last: Int) {
            self.processID = processID
            self.last = last
        }

        func answered() {
            if answers.add(1, ordering: .relaxed).newValue == last { kill(processID, SIGKILL) }
        }

        var hasCome: Bool { answers.load(ordering: .relaxed) >= last }
    }

    private static let killCount = Loop.isHostile ? 50 : 20

    @Test("kill -9 at twenty or more moments under load: registry, acknowledgements and pushes agree")
    func kills() async throws {
        let tally = HostileTally("kills under load", checks: Self.killCount + 8)
        let scratch = Scratch()
        let recorder = try await PushRecorder.start()
        var draws = TestStream(seed: 20_261_122)
        var workers = (0..<8).map { Worker(number: $0, draws: TestStream(seed: UInt64(100 + $0))) }
        for _ in 0..<Self.killCount {
            let process = try await MonitorProcess(scratch: scratch, apnsPort: recorder.port)
            let client = try MonitorClient(port: process.port)
            let moment = Moment(processID: process.processID, after: Int(draws.number(20...200)))
            workers = await withTaskGroup(of: Worker.self) { group in
                for worker in workers {
                    group.addTask {
                        var worker = worker
                        await worker.work(client) { moment.answered() }
                        return worker
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(tally.counts(moment.hasCome))
            process.kill()
        }
        // Started once more, until all pushes of the restart have responses; then an orderly shutdown.
        let last = try await MonitorProcess(scratch: scratch, apnsPort: recorder.port)
        let client = try MonitorClient(port: last.port)
        let isQuiet = try await eventually {
            try await client.read("/metrics").contains("\nfreshet_monitor_pushes_in_flight 0\n")
        }
        #expect(isQuiet)
        #expect(last.terminate() == 143)

        // Each of eight workers was interrupted in each round, and only by the kill.
        #expect(workers.map(\.interruptions) == Array(repeating: Self.killCount, count: 8))
        for worker in workers { #expect(tally.counts(worker.refusals == 0), "worker \(worker.number)") }
        try expectRegistry(scratch, agreesWith: workers, tally)
        expectPushes(recorder.arrivals, agreeWith: workers, tally)
        let invalidations = workers.reduce(0) { $0 + $1.invalidated.count }
        // The test was not vacuous.
        #expect(invalidations >= 1, "\(invalidations)")
        #expect(recorder.arrivals.count >= 10, "\(recorder.arrivals.count)")
        try await recorder.stop()
    }

    private func expectRegistry(_ scratch: Scratch, agreesWith workers: [Worker], _ tally: HostileTally) throws {
        let registry = try Registry(path: scratch.path("tokens.sqlite"))
        let stored = Dictionary(uniqueKeysWithValues: try registry.load().map { ($0.id.text, $0) })
        var compared = 0
        for worker in workers {
            for (instance, token) in worker.tokens where !worker.unsureTokens.contains(instance) {
                let found = stored[worker.name(instance)]
                let isThere = found?.token?.token == token.map { worker.token(instance, $0) }
                #expect(tally.counts(isThere), "\(worker.name(instance))")
                compared += 1
            }
            for (instance, generated) in worker.contents where !worker.unsureContents.contains(instance) {
                let found = stored[worker.name(instance)]?.announced
                let isThere =
                    found?.stamp.generatedAt.microseconds == generated
                    && found?.state == Array(Worker.content(generated).utf8)
                #expect(tally.counts(isThere), "\(worker.name(instance))")
                compared += 1
            }
            for (instance, date) in worker.ends {
                let found = stored[worker.name(instance)]
                #expect(tally.counts(found?.end != nil && found?.dismissalDate == date), "\(worker.name(instance))")
                compared += 1
            }
        }
        #expect(compared > 100, "\(compared)")
        tally.tells("\(Self.killCount) kills; \(compared) acknowledged facts compared")
    }

    private func expectPushes(
        _ arrivals: [PushRecorder.Arrival],
        agreeWith workers: [Worker],
        _ tally: HostileTally
    ) {
        var invalidated: [String: ContinuousClock.Instant] = [:]
        for worker in workers {
            for (token, at) in worker.invalidated { invalidated[token] = at }
        }
        let wrong = arrivals.filter { arrival in invalidated[arrival.token].map { $0 < arrival.at } ?? false }
        tally.tells("\(arrivals.count) pushes, \(wrong.count) of them to withdrawn tokens")
        #expect(tally.counts(wrong.isEmpty), "\(wrong.count) of \(arrivals.count) pushes went to invalidated tokens")
    }
}
