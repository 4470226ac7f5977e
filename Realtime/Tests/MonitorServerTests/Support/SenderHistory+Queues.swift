import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

extension SenderHistory {
    /// Histories of ranks, a full queue, patience, coalescing and the rate limit.
    static let queues: [SenderHistory] = [
        SenderHistory(
            "in turn: waiting pushes are sent in order, an end before updates, whose token is then gone",
            updatesAt: [10, 12, 14],
            rideOverAt: 50,
            until: 200,
            log: [
                "10 send r0 update p10 #0", "40 accepted r0 update", "40 send r0 update p10 #0",
                "70 accepted r0 update", "70 send r0 end p10 #0",
                "100 accepted r0 end", "100 not sent: abandoned",
            ]
        ),
        SenderHistory(
            "ranks: if ends come last, they wait for updates that are no longer needed",
            updatesAt: [10, 12],
            rideOverAt: 35,
            until: 200,
            { ($0.sender.ranks.end, $0.sender.ranks.update) = (7, 0) },
            log: [
                "10 send r0 update p10 #0", "40 accepted r0 update", "40 not sent: abandoned", "40 send r0 end p10 #0",
                "70 accepted r0 end",
            ]
        ),
        SenderHistory(
            "a full queue drops the newcomer",
            updatesAt: [10, 12, 14],
            until: 100,
            { $0.sender.queueLimit = 1 },
            log: [
                "10 send r0 update p10 #0", "14 not sent: queue_full", "40 accepted r0 update",
                "40 send r0 update p10 #0",
                "70 accepted r0 update",
            ]
        ),
        SenderHistory(
            "a full queue drops the oldest for the newcomer",
            updatesAt: [10, 12, 14],
            until: 100,
            {
                $0.sender.queueLimit = 1
                $0.sender.overflow = .dropOldest
            },
            log: [
                "10 send r0 update p10 #0", "14 not sent: displaced", "40 accepted r0 update",
                "40 send r0 update p10 #0",
                "70 accepted r0 update",
            ]
        ),
        SenderHistory(
            "a full queue: a push without a place returns until it has one",
            updatesAt: [10, 12],
            until: 100,
            {
                $0.sender.queueLimit = 0
                $0.sender.requeueAfter = .constant(13e6)
            },
            log: [
                "10 send r0 update p10 #0", "40 accepted r0 update", "51 send r0 update p10 #0",
                "81 accepted r0 update",
            ]
        ),
        SenderHistory(
            "patience ends, in the queue and outside it",
            updatesAt: [10, 12, 14],
            until: 100,
            {
                $0.sender.queueLimit = 1
                $0.sender.requeueAfter = .constant(7e6)
                $0.sender.patience = .constant(12e6)
            },
            log: ["10 send r0 update p10 #0", "24 not sent: expired", "26 not sent: expired", "40 accepted r0 update"]
        ),
        SenderHistory(
            "waiting updates are merged",
            updatesAt: [10, 12, 14],
            until: 100,
            { $0.sender.coalesce = true },
            log: [
                "10 send r0 update p10 #0", "14 not sent: coalesced", "40 accepted r0 update",
                "40 send r0 update p10 #0",
                "70 accepted r0 update",
            ]
        ),
        SenderHistory(
            "above the rate: dropped",
            updatesAt: [10, 12, 14, 25],
            until: 100,
            {
                $0.sender.streams = 100
                $0.sender.rateLimit = Scenario.RateLimit()
                $0.sender.rateLimit?.perSecond = 0.1
                $0.sender.rateLimit?.burst = 1
                $0.sender.rateLimit?.excess = .drop
            },
            log: [
                "10 send r0 update p10 #0", "12 not sent: rate_limited", "14 not sent: rate_limited",
                "25 send r0 update p10 #0",
                "40 accepted r0 update", "55 accepted r0 update",
            ]
        ),
        SenderHistory(
            "above the rate: waits for the next token",
            updatesAt: [10, 12, 14],
            until: 100,
            {
                $0.sender.streams = 100
                $0.sender.rateLimit = Scenario.RateLimit()
                $0.sender.rateLimit?.perSecond = 0.1
                $0.sender.rateLimit?.burst = 1
            },
            log: [
                "10 send r0 update p10 #0", "20 send r0 update p10 #0", "30 send r0 update p10 #0",
                "40 accepted r0 update", "50 accepted r0 update",
                "60 accepted r0 update",
            ]
        ),
        SenderHistory(
            "several rides: the end of one goes before the update of another",
            rides: 2,
            updatesAt: [10, 14],
            rideOverAt: 50,
            until: 200,
            log: [
                "10 send r0 update p10 #0", "40 accepted r0 update", "40 send r1 update p10 #0",
                "70 accepted r1 update", "70 send r0 end p10 #0", "100 accepted r0 end", "100 send r1 end p10 #0",
                // Both updates, and the end that was created after 30 s because the first one still waited.
                "130 accepted r1 end", "130 not sent: abandoned", "130 not sent: abandoned", "130 not sent: abandoned",
            ]
        ),
        SenderHistory(
            "several rides: a full queue drops the push of one for that of another",
            rides: 3,
            updatesAt: [10],
            until: 100,
            {
                $0.sender.queueLimit = 1
                $0.sender.overflow = .dropOldest
            },
            log: [
                "10 send r0 update p10 #0", "12 not sent: displaced", "40 accepted r0 update",
                "40 send r2 update p10 #0", "70 accepted r2 update",
            ]
        ),
        SenderHistory(
            "several rides: an end displaces updates and older ends, an update displaces no end",
            rides: 3,
            updatesAt: [10, 46.5],
            rideOverAt: 48,
            until: 90,
            {
                $0.sender.queueLimit = 1
                $0.sender.overflow = .dropOldest
            },
            log: [
                "10 send r0 update p10 #0", "12 not sent: displaced", "40 accepted r0 update",
                "40 send r2 update p10 #0", "47.5 not sent: displaced", "48 not sent: displaced",
                "48.5 not sent: queue_full", "49 not sent: displaced", "50 not sent: displaced",
                "70 accepted r2 update", "70 send r2 end p10 #0",
                // Displaced ends are created again after 30 s: r0's takes the place, and r1's then displaces it.
                "79 not sent: displaced",
            ]
        ),
        SenderHistory(
            "several rides: updates join that of their own ride, in its place with their priority",
            rides: 2,
            updatesAt: [10, 12],
            until: 150,
            {
                $0.sender.coalesce = true
                $0.content.refreshPriority = .considerate
            },
            log: [
                "10 send r0 update p5 #0", "13 not sent: coalesced", "40 accepted r0 update",
                "40 send r1 update p5 #0", "70 accepted r1 update", "70 send r0 update p5 #0",
                "100 accepted r0 update",
            ]
        ),
    ]
}
