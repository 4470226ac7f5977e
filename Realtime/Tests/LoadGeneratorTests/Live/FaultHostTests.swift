import LiveActivityModel
import LoadGenerator
import Quantities
import Testing

@Suite("Faults by host")
struct FaultHostTests {
    private typealias Kind = Scenario.Fault.Kind

    private static func leftOut(_ host: FaultHost) -> [Kind] { Kind.allCases.filter { !host.plays($0) } }

    @Test("Each host leaves out the faults that happen elsewhere")
    func hosts() {
        let apns: [Kind] = [.apnsSilent, .apnsUnavailable, .apnsSlow, .apnsCapacity]
        let outside: [Kind] = [
            .senderPaused, .monitorPaused, .contentDown, .contentSlow, .tokenPostDown, .devicesOffline,
        ]
        #expect(Self.leftOut(.standIn(losesConnections: true)) == outside)
        #expect(Self.leftOut(.standIn(losesConnections: false)) == [.connectionLost] + outside)
        #expect(Self.leftOut(.scenario(playsAPNs: true)) == [])
        #expect(Self.leftOut(.scenario(playsAPNs: false)) == apns)
        #expect(Self.leftOut(.monitor) == [.senderPaused, .monitorPaused, .contentSlow])
    }

    @Test("The warning names faults with their instants, in the scenario's order")
    func warning() {
        var scenario = Scenario()
        #expect(FaultHost.monitor.warning(about: scenario) == nil)
        scenario.faults = [
            Scenario.Fault(kind: .senderPaused, at: .minutes(90), duration: .minutes(1)),
            Scenario.Fault(kind: .apnsSilent, at: .minutes(2), duration: .minutes(1)),
            Scenario.Fault(kind: .monitorPaused, at: .seconds(5), duration: .minutes(1)),
        ]
        #expect(
            FaultHost.monitor.warning(about: scenario)
                == "faults that are not played here: sender_paused at 1h30m, monitor_paused at 5s; played are: "
                + "apns_silent, apns_unavailable, apns_slow, apns_capacity, connection_lost, content_down, "
                + "token_post_down, devices_offline"
        )
    }
}
