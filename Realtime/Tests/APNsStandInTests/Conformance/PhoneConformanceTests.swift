import LifecycleTraces
import LiveActivityModel
import Quantities
import Testing

@testable import APNsStandIn

@Suite("The stand-in's phones do as the simulator's")
struct PhoneConformanceTests {
    /// Some moment in UNIX time [s].
    private static let epoch: Int64 = 1_700_000_000

    @Test("They come to the log of each history", arguments: PhoneHistory.all)
    func histories(_ history: PhoneHistory) {
        var devices = Scenario.Devices()
        devices.budget.limit = history.budget
        devices.budget.window = .seconds(60)
        devices.budget.endsExempt = history.endsExempt
        let rules = PhoneStation.Rules(devices)
        var screen = PhoneScreen()
        let log = history.arrivals.map { push in
            let content = ActivityPush.Content(
                timestamp: Double(Self.epoch + push.timestamp),
                event: push.isEnd ? "end" : "update",
                staleDate: nil,
                dismissalDate: nil
            )
            let effect = screen.receive(
                content,
                isImmediate: push.isImmediate,
                at: Instant(microseconds: (Self.epoch + push.at) * 1_000_000),
                rules: rules
            )
            let word =
                switch effect {
                case .judged(.shows): "shown"
                case .judged(.ends): "ended"
                case .judged(.older): "older"
                case .judged(.throttled): "throttled"
                case .judged(.undecodable): "undecodable"
                case .judged(.afterEnd): "after end"
                case .started: "started"
                case .unknownEvent: "unknown"
                }
            return "\(push.at) \(word)"
        }
        #expect(log == history.log)
    }

    @Test("A start begins anew, whatever was before; what is no event changes nothing")
    func starts() {
        let rules = PhoneStation.Rules(Scenario.Devices())
        var screen = PhoneScreen()
        func receive(_ event: String, _ timestamp: Double, stale: Double? = nil, dismissal: Double? = nil)
            -> PhoneScreen.Effect
        {
            let content = ActivityPush.Content(
                timestamp: timestamp,
                event: event,
                staleDate: stale,
                dismissalDate: dismissal
            )
            return screen.receive(content, isImmediate: false, at: Instant(microseconds: 1_000_000), rules: rules)
        }
        func display(_ seconds: Int64) -> PhoneScreen.Display {
            screen.display(at: Instant(microseconds: seconds * 1_000_000))
        }
        #expect(receive("update", 5, stale: 20) == .judged(.shows))
        #expect(display(19) == .fresh && display(20) == .stale)
        #expect(receive("pause", 6) == .unknownEvent)
        #expect(receive("end", 7, dismissal: 30) == .judged(.ends))
        #expect(display(29) == .ended && display(30) == .gone)
        #expect(receive("start", 3, stale: 50) == .started)
        #expect(display(49) == .fresh)
        #expect(receive("update", .infinity) == .judged(.older))
    }
}
