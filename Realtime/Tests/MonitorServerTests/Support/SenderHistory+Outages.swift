import LiveActivityModel
import Quantities
import SimulationKernel

extension SenderHistory {
    private static func silence(_ scenario: inout Scenario, from: Int64, to: Int64) {
        var silence = Scenario.Fault(kind: .apnsSilent, at: .seconds(from), duration: .seconds(to - from))
        silence.share = .always
        scenario.faults = [silence]
    }

    private static func loseConnection(_ scenario: inout Scenario, at second: Int64) {
        scenario.faults.append(Scenario.Fault(kind: .connectionLost, at: .seconds(second)))
        scenario.sender.reconnectAfter = .seconds(15)
    }

    /// Histories without an answer, without a connection, or with another token.
    static let outages: [SenderHistory] = [
        SenderHistory(
            "outage: a request that timed out is repeated until the attempts are used up",
            updatesAt: [10],
            until: 250,
            {
                $0.sender.attempts = 3
                silence(&$0, from: 5, to: 300)
            },
            log: [
                "10 send r0 update p10 #0", "70 send r0 update p10 #1", "70 unanswered r0 update",
                "130 send r0 update p10 #2", "130 unanswered r0 update",
                "190 unanswered r0 update",
            ]
        ),
        SenderHistory(
            "outage: the repeat meets APNs again",
            updatesAt: [10],
            until: 250,
            {
                $0.sender.attempts = 3
                silence(&$0, from: 5, to: 60)
            },
            log: [
                "10 send r0 update p10 #0", "70 send r0 update p10 #1", "70 unanswered r0 update",
                "100 accepted r0 update",
            ]
        ),
        SenderHistory(
            "outage: a budget withholds repeats, and a waiting push takes the stream",
            updatesAt: [10, 12],
            until: 250,
            {
                $0.sender.attempts = 3
                $0.sender.retryBudget = Scenario.Budget()
                $0.sender.retryBudget?.capacity = 1
                $0.sender.retryBudget?.perSecond = 0
                silence(&$0, from: 5, to: 300)
            },
            log: [
                "10 send r0 update p10 #0", "70 send r0 update p10 #0", "70 unanswered r0 update", "130 not repeated",
                "130 send r0 update p10 #1",
                "130 unanswered r0 update", "190 not repeated", "190 unanswered r0 update",
            ]
        ),
        SenderHistory(
            "lost connection: requests in flight are repeated after waiting ones, once a connection exists",
            rides: 2,
            updatesAt: [10],
            until: 150,
            {
                $0.sender.attempts = 2
                loseConnection(&$0, at: 20)
            },
            log: [
                "10 send r0 update p10 #0", "20 unanswered r0 update", "35 send r1 update p10 #0",
                "65 accepted r1 update", "65 send r0 update p10 #1", "95 accepted r0 update",
            ]
        ),
        SenderHistory(
            "lost connection: attempts are used up",
            rides: 2,
            updatesAt: [10],
            until: 150,
            { loseConnection(&$0, at: 20) },
            log: [
                "10 send r0 update p10 #0", "20 unanswered r0 update", "35 send r1 update p10 #0",
                "65 accepted r1 update",
            ]
        ),
        SenderHistory(
            "lost connection: an end that arrives meanwhile is sent before updates",
            rides: 2,
            updatesAt: [10],
            rideOverAt: 25,
            until: 150,
            { loseConnection(&$0, at: 20) },
            log: [
                "10 send r0 update p10 #0", "20 unanswered r0 update", "35 send r0 end p10 #0",
                "65 accepted r0 end", "65 send r1 end p10 #0", "95 accepted r1 end",
                // Its update, and the end that was created after 30 s because the first one still waited.
                "95 not sent: abandoned", "95 not sent: abandoned",
            ]
        ),
        SenderHistory(
            "lost connection: patience ends, with and without one",
            rides: 3,
            updatesAt: [10],
            until: 150,
            {
                $0.sender.patience = .constant(20e6)
                loseConnection(&$0, at: 20)
            },
            log: [
                "10 send r0 update p10 #0", "20 unanswered r0 update", "31 not sent: expired",
                "32 not sent: expired",
            ]
        ),
        // The cell knows when its connection is back; see `SenderRules.joins(whileConnected:)`.
        SenderHistory(
            "lost connection: by joins(whileConnected:) a service keeps only the newest update, whatever the scenario",
            updatesAt: [10, 22, 24],
            until: 96,
            { loseConnection(&$0, at: 20) },
            log: [
                "10 send r0 update p10 #0", "20 unanswered r0 update", "35 send r0 update p10 #0",
                "65 accepted r0 update", "65 send r0 update p10 #0", "95 accepted r0 update",
            ],
            serviceLog: [
                "10 send r0 update p10 #0", "20 unanswered r0 update", "24 not sent: coalesced",
                "35 send r0 update p10 #0", "65 accepted r0 update",
            ]
        ),
        SenderHistory(
            "GOAWAY: a request named as unprocessed is repeated like one without an answer",
            rides: 2,
            updatesAt: [10],
            until: 150,
            namesUnprocessed: true,
            {
                $0.sender.attempts = 2
                loseConnection(&$0, at: 20)
            },
            log: [
                "10 send r0 update p10 #0", "20 unanswered r0 update", "35 send r1 update p10 #0",
                "65 accepted r1 update", "65 send r0 update p10 #1", "95 accepted r0 update",
            ]
        ),
        // Without a wire the cell sees no streams: requests on a lost connection got no answer.
        SenderHistory(
            "GOAWAY: after the last attempt, a request named as unprocessed is repeated once in a service",
            updatesAt: [10],
            until: 150,
            namesUnprocessed: true,
            {
                loseConnection(&$0, at: 20)
                loseConnection(&$0, at: 45)
            },
            log: ["10 send r0 update p10 #0", "20 unanswered r0 update"],
            serviceLog: [
                "10 send r0 update p10 #0", "20 unanswered r0 update", "35 send r0 update p10 #1",
                "45 unanswered r0 update",
            ]
        ),
        // A service sends content that may not have arrived to a new token; a server in the cell only sends content
        // that it never sent: see `MonitorRules.sendsUnconfirmed`.
        SenderHistory(
            "rotation: waiting pushes are not dropped with the old token; by sendsUnconfirmed a service also sends them to the new one",
            updatesAt: [10, 12],
            until: 41,
            {
                $0.devices.token.post = .constant(2e6)
                $0.devices.token.rotation = .constant(21e6)
                $0.apns.expiredTokenLag = .constant(3600e6)
                $0.sender.coalesce = true
            },
            log: ["10 send r0 update p10 #0", "40 accepted r0 update", "40 send r0 update p10 #0"],
            serviceLog: [
                "10 send r0 update p10 #0", "23 not sent: coalesced", "40 accepted r0 update",
                "40 send r0 update p10 #0",
            ]
        ),
    ]
}
