import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

/// One ride with scripted outcomes, and the log that every host of the monitor must produce, line by line.
///
/// Pushes reach the phone after a second. The server receives the response after 0.2 s, or at the scripted time.
struct MonitorHistory: Sendable, CustomTestStringConvertible {
    let name: String
    let scenario: Scenario
    /// The time at which the monitor is killed and restarted [s]; `nil` for never.
    var restartsAt: Int64?
    /// The expected log, with the time in seconds at the start of each line.
    let log: [String]

    var testDescription: String { name }

    /// Creates a history of a ride that lasts for a time [s] and is observed until an instant [s].
    private init(
        _ name: String,
        ride: Double,
        until end: Int64,
        restartsAt: Int64? = nil,
        _ change: (inout Scenario) -> Void,
        log: [String]
    ) {
        var scenario = Scenario()
        scenario.clock.duration = .seconds(end)
        scenario.clock.drain = .zero
        scenario.rides.arrivals.process = .even
        scenario.rides.stages = [Scenario.Stage(name: "trip", duration: .constant(ride * 1e6))]
        scenario.content.ttl = .minutes(1)
        scenario.devices.initialContentLimit = nil
        scenario.sender.timeout = .seconds(60)
        scenario.sender.requestTime = .constant(200_000)
        scenario.apns.latency = .constant(1e6)
        scenario.monitor.freshLimit = .zero
        scenario.monitor.recoveryWindow = .seconds(100)
        scenario.monitor.retry.maxAttempts = nil
        scenario.monitor.retry.schedule = [.zero]
        change(&scenario)
        self.name = name
        self.scenario = scenario
        self.restartsAt = restartsAt
        self.log = log
    }

    static func seconds(_ instant: Instant) -> String {
        let (whole, part) = instant.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return part == 0 ? "\(whole)" : "\(Double(instant.microseconds) / 1e6)"
    }

    private static func silence(_ scenario: inout Scenario, from: Int64, to: Int64) {
        var silence = Scenario.Fault(kind: .apnsSilent, at: .seconds(from), duration: .seconds(to - from))
        silence.share = .always
        scenario.faults = [silence]
    }

    /// All histories.
    static let all: [MonitorHistory] = [
        MonitorHistory(
            "rotation: an accepted end to the old token closes nothing",
            ride: 110,
            until: 190,
            {
                $0.monitor.freshLimit = .hours(1)
                $0.monitor.endSchedule = [.zero, .seconds(40)]
                $0.devices.token.post = .constant(20e6)
                $0.devices.token.rotation = .constant(100e6)
                $0.apns.expiredTokenLag = .constant(60e6)
                $0.sender.requestTime = .constant(30e6)
            },
            log: [
                "20 token", "110 send end", "120 token", "140 accepted end", "150 send end", "151 token invalidated",
                "180 accepted end",
            ]
        ),
        MonitorHistory(
            "rotation: a late refusal of the old token does not affect the new one",
            ride: 1000,
            until: 140,
            {
                $0.monitor.retry.schedule = [.zero, .seconds(40)]
                $0.devices.token.post = .constant(15e6)
                $0.devices.token.rotation = .constant(55e6)
                $0.sender.requestTime = .constant(30e6)
            },
            log: [
                "15 token", "60 class stale", "60 send retry", "70 token", "90 refused retry", "100 send retry",
                "125 token", "130 accepted retry", "130 class fresh",
            ]
        ),
        MonitorHistory(
            "rotation: an invalid token is discarded; the next one restores the instance with its belief",
            ride: 1000,
            until: 108,
            {
                $0.monitor.retry.schedule = [.zero, .seconds(20)]
                $0.devices.token.post = .constant(50e6)
                $0.devices.token.rotation = .constant(55e6)
            },
            log: [
                "50 token", "60 class stale", "60 send retry", "60.2 refused retry", "60.2 token discarded",
                "105 token",
                "105 class stale", "105 send retry", "105.2 accepted retry", "105.2 class fresh",
            ]
        ),
        MonitorHistory(
            "outage: attempts continue until one is answered",
            ride: 1000,
            until: 130,
            {
                $0.monitor.retry.schedule = [.zero, .seconds(30), .seconds(65)]
                silence(&$0, from: 50, to: 110)
            },
            log: [
                "0 token", "60 class stale", "60 send retry", "90 send retry", "125 send retry", "125.2 accepted retry",
                "125.2 class fresh",
            ]
        ),
        MonitorHistory(
            "outage: given up, and ended by the schedule",
            ride: 1000,
            until: 195,
            {
                $0.monitor.endSchedule = [.zero, .seconds(30)]
                silence(&$0, from: 50, to: 180)
            },
            log: [
                "0 token", "60 class stale", "60 send retry", "160 class severe", "160 send end", "190 send end",
                "190.2 accepted end", "190.2 token invalidated",
            ]
        ),
        MonitorHistory(
            "tie: an answer at the exact instant of the severe class comes first",
            ride: 1000,
            until: 165,
            {
                $0.monitor.retry.schedule = [.seconds(80)]
                $0.sender.requestTime = .constant(20e6)
            },
            log: ["0 token", "60 class stale", "140 send retry", "160 accepted retry", "160 class fresh"]
        ),
        MonitorHistory(
            "scans: a lapse waits for the next scan, the end of the ride does not",
            ride: 90,
            until: 95,
            { $0.monitor.scanInterval = .seconds(25) },
            log: [
                "0 token", "75 class stale", "75 send retry", "75.2 accepted retry", "75.2 class fresh", "90 send end",
                "90.2 accepted end", "90.2 token invalidated",
            ]
        ),
        MonitorHistory(
            "scans: an end scheduled at a scan before the ride was over comes at that scan",
            ride: 190,
            until: 230,
            {
                $0.monitor.scanInterval = .seconds(25)
                $0.monitor.endSchedule = [.zero, .seconds(40)]
                silence(&$0, from: 50, to: 300)
            },
            log: [
                "0 token", "75 class stale", "75 send retry", "175 class severe", "175 send end", "225 send end",
            ]
        ),
        MonitorHistory(
            "reordering: the answer to older content comes last and changes nothing",
            ride: 1000,
            until: 130,
            {
                $0.content.updatesAt = [.seconds(55)]
                $0.sender.requestTime = .constant(20e6)
            },
            log: [
                "0 token", "55 send update", "60 class stale", "60 send retry", "75 accepted update", "75 class fresh",
                "80 accepted retry", "120 class stale", "120 send retry",
            ]
        ),
    ]

    /// Histories for hosts with a disk only.
    static let restarts: [MonitorHistory] = [
        MonitorHistory(
            "kill and restart: the decision to end is kept, and its schedule begins again",
            ride: 1000,
            until: 210,
            restartsAt: 170,
            {
                $0.monitor.endSchedule = [.zero, .seconds(30)]
                silence(&$0, from: 50, to: 180)
            },
            log: [
                "0 token", "60 class stale", "60 send retry", "160 class severe", "160 send end", "170 restart",
                "170 send end", "200 send end", "200.2 accepted end", "200.2 token invalidated",
            ]
        ),
        MonitorHistory(
            "kill and restart: a fresh instance stays fresh until its content lapses",
            ride: 1000,
            until: 61,
            restartsAt: 30,
            { _ in },
            log: [
                "0 token", "30 restart", "60 class stale", "60 send retry", "60.2 accepted retry", "60.2 class fresh",
            ]
        ),
        MonitorHistory(
            "kill and restart: content whose push has no answer is sent again",
            ride: 1000,
            until: 115,
            restartsAt: 35,
            {
                $0.content.updatesAt = [.seconds(30)]
                $0.sender.requestTime = .constant(20e6)
            },
            log: [
                "0 token", "30 send update", "35 restart", "35 send update", "55 accepted update", "90 class stale",
                "90 send retry", "110 accepted retry", "110 class fresh",
            ]
        ),
        MonitorHistory(
            "kill and restart: the ride is over, and its end without an answer is sent again",
            ride: 50,
            until: 90,
            restartsAt: 55,
            {
                $0.monitor.endSchedule = [.zero, .seconds(30)]
                silence(&$0, from: 45, to: 52)
            },
            log: [
                "0 token", "50 send end", "55 restart", "55 send end", "55.2 accepted end", "55.2 token invalidated",
            ]
        ),
        MonitorHistory(
            "kill and restart: an unacknowledged withdrawal is kept",
            ride: 50,
            until: 90,
            restartsAt: 55,
            {
                $0.monitor.endSchedule = [.zero, .seconds(30)]
                $0.sender.requestTime = .constant(20e6)
            },
            log: ["0 token", "50 send end", "51 token invalidated", "55 restart"]
        ),
        MonitorHistory(
            "kill and restart: the ride was over after the decision to end, and no end waits for a scan",
            ride: 180,
            until: 230,
            restartsAt: 185,
            {
                $0.monitor.scanInterval = .seconds(25)
                $0.monitor.endSchedule = [.zero, .seconds(40)]
                silence(&$0, from: 50, to: 300)
            },
            log: [
                "0 token", "75 class stale", "75 send retry", "175 class severe", "175 send end", "185 restart",
                "185 send end", "225 send end",
            ]
        ),
        MonitorHistory(
            "kill and restart: content goes to the token that was published last",
            ride: 1000,
            until: 79,
            restartsAt: 51,
            {
                $0.content.updatesAt = [.seconds(47)]
                $0.devices.token.post = .constant(10e6)
                $0.devices.token.rotation = .constant(40e6)
                $0.sender.requestTime = .constant(5e6)
            },
            log: [
                "10 token", "47 send update", "50 token", "50 send update", "51 restart", "51 send update",
                "56 accepted update",
            ]
        ),
        MonitorHistory(
            "kill and restart: an episode continues, and its retries begin again",
            ride: 1000,
            until: 130,
            restartsAt: 95,
            {
                $0.monitor.retry.schedule = [.zero, .seconds(25), .seconds(70)]
                silence(&$0, from: 50, to: 110)
            },
            log: [
                "0 token", "60 class stale", "60 send retry", "85 send retry", "95 restart", "95 class stale",
                "95 send retry", "120 send retry", "120.2 accepted retry", "120.2 class fresh",
            ]
        ),
    ]
}
