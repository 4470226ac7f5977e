import FreshnessCore
import Quantities
import Testing

@testable import EmbeddedMonitor

@Suite("The embedded monitor, with a clock of the test")
final class RideMonitorTests {
    /// A generator of the highest draw, for which full jitter takes the longest pause.
    private struct Highest: RandomNumberGenerator {
        func next() -> UInt64 { .max }
    }

    private var monitor: RideMonitor
    private var draws = Highest()

    init() throws {
        monitor = RideMonitor(policy: try EmbeddedMonitor.policy(), budget: try EmbeddedMonitor.budget())
    }

    private func instant(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private func kinds(at seconds: Int64) -> [RideMonitor.Push.Kind] {
        monitor.act(at: instant(seconds), draws: &draws).map(\.kind)
    }

    private func content(_ content: String, until staleDate: Int64, at seconds: Int64) -> [RideMonitor.Push]? {
        let change = monitor.changed("r", content: content, staleDate: instant(staleDate), at: instant(seconds))
        return change.isTaken ? change.pushes : nil
    }

    private func acknowledge(_ push: Int, _ refusal: APNsReason? = nil, at seconds: Int64) -> Bool {
        monitor.acknowledged(push, refusal: refusal, at: instant(seconds))
    }

    private func finish(_ ride: String = "r", at seconds: Int64) -> Bool {
        monitor.finished(ride, at: instant(seconds))
    }

    /// Registers a ride whose screen goes stale 60 s after the start, and which is therefore recoverable from 180 s on.
    private func register(token: String = "a", at seconds: Int64 = 0) -> [RideMonitor.Push] {
        monitor.registered("r", token: token, staleDate: instant(seconds + 60), at: instant(seconds))
    }

    @Test(
        "A ride without new content is retried on schedule, given up after the window, and ended until an end succeeds"
    )
    func silence() {
        #expect(register().isEmpty)
        #expect(monitor.nextCheck(at: .start) == instant(180))
        #expect(kinds(at: 179).isEmpty)
        #expect(kinds(at: 180) == [.retry])
        #expect(monitor.classification(of: "r", at: instant(180)) == .recoverable)
        #expect(kinds(at: 200) == [.retry])
        #expect(kinds(at: 240) == [.retry])
        #expect(monitor.nextCheck(at: instant(240)) == instant(480))
        #expect(kinds(at: 480) == [.end])
        #expect(monitor.classification(of: "r", at: instant(480)) == .severe)
        #expect(kinds(at: 510) == [.end])
        // The fifth push was the second end.
        #expect(acknowledge(5, at: 511))
        #expect(monitor.nextCheck(at: instant(511)) == .never)
        #expect(monitor.classification(of: "r", at: instant(511)) == nil)
    }

    @Test("An accepted retry with fresh content ends the episode")
    func recovery() {
        _ = register()
        _ = kinds(at: 180)
        let pushes = content("4 min", until: 300, at: 190)
        #expect(pushes?.map(\.kind) == [.update])
        #expect(pushes?.map(\.content) == ["4 min"])
        #expect(acknowledge(2, at: 191))
        #expect(monitor.classification(of: "r", at: instant(191)) == .fresh)
        #expect(monitor.nextCheck(at: instant(191)) == instant(420))
        #expect(!acknowledge(2, at: 192), "an acknowledgement counts once")
    }

    @Test("After an invalid token a ride gets no pushes until the app posts another, which gets the newest content")
    func rotation() {
        _ = register()
        _ = content("4 min", until: 100, at: 10)
        #expect(acknowledge(1, .unregistered, at: 11))
        #expect(monitor.nextCheck(at: instant(11)) == .never)
        #expect(content("3 min", until: 160, at: 40) == [])
        let pushes = register(token: "b", at: 50)
        #expect(pushes.map(\.token) == ["b"])
        #expect(pushes.map(\.content) == ["3 min"])
    }

    @Test(
        "A ride that is over is ended at once and accepts no more content; a refusal about an old token changes nothing"
    )
    func end() {
        _ = register()
        _ = content("4 min", until: 100, at: 10)
        _ = register(token: "b", at: 20)
        #expect(acknowledge(1, .unregistered, at: 21))
        #expect(finish(at: 30))
        #expect(content("late", until: 100, at: 31) == nil)
        #expect(kinds(at: 30) == [.end])
        #expect(!finish("unknown", at: 30))
    }
}
