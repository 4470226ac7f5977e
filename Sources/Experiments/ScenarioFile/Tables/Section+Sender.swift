import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Sender {
    static var sender: Section {
        Section("The server's connections to APNs and the queue in front of them, per cell.", Scenario.Sender()) {
            Field("connections", \.connections, .integer(1...10_000_000)).means("Connections.")
            Field("streams", \.streams, .integer(1...10_000_000).drawn { $0.one(of: [1, 1, 3, 1000]) })
                .means("Requests that one connection carries at a time.")
            Field("request_time", \.requestTime, .durations).means("From the start of a request to its response.")
            Field("timeout", \.timeout, .positiveDuration())
                .means("A request without response is given up after this time.")
            Field("attempts", \.attempts, .integer(1...31)).means("Requests in all for one push.")
            Field("retry_budget", \.retryBudget, .optional(.section(.retryBudget), .noLimit))
                .means("A limit for the repeated requests of a cell as a whole; unlimited: no limit.")
            Field("reconnect_after", \.reconnectAfter, .duration()).means("From a lost connection to its successor.")
            Field("queue_limit", \.queueLimit, .optional(.integer(0...1_000_000_000), .unlimited))
                .means("How many pushes may wait; unlimited: any number.")
            Field("overflow", \.overflow, .name).means("Which push goes when the queue is full.")
            Field("requeue_after", \.requeueAfter, .optional(.pauses, .off))
                .means(
                    "After what time a push that found no place is offered again, until it gets in; off: it is dropped."
                )
            Field("patience", \.patience, .optional(.durations, .unlimited))
                .means("How long a push waits for its request to begin until it is dropped; unlimited: for ever.")
            Field("coalesce", \.coalesce, .boolean)
                .means("Whether a new update replaces a waiting one of its activity.")
            Field("ranks", \.ranks, .compactSection(.ranks)).means("Who goes first in the queue.")
            Field("preempt", \.preempt, .name).means("Whether a new push may take the stream of a request under way.")
            Field("minimum_interval", \.minimumInterval, .duration())
                .means("Updates of one activity closer together than this are dropped by the sender.")
            Field("rate_limit", \.rateLimit, .optional(.section(.rateLimit), .noLimit))
                .means("A limit for the rate of requests, in front of the streams; unlimited: no limit.")
        }
    }
}

extension Section where Whole == Scenario.Ranks {
    static var ranks: Section {
        let rank = Notation<Int>.rank
        return Section(
            "Ranks of pushes in the queue; lower goes first, first in first out within a rank.",
            Scenario.Ranks()
        ) {
            Field("start", \.start, rank).means("Push-to-start.")
            Field("end", \.end, rank).means("Ends of activities.")
            Field("retry", \.retry, rank).means("The monitor's retries.")
            Field("update", \.update, rank).means("Regular content, unless the ride's stage has a rank.")
        }
    }
}

extension Section where Whole == Scenario.RateLimit {
    static var rateLimit: Section {
        Section("A token bucket of one token for each request.", Scenario.RateLimit()) {
            Field("per_second", \.perSecond, .ratePerSecond(0.001...1e6).drawn { $0.thousandths(50...2000) })
                .means("Requests per second in the long run, in steps of 0.001.")
            Field("burst", \.burst, .thousandths(1...1e9).drawn { $0.thousandths(1000...5000) })
                .means("The most tokens that the bucket holds, in steps of 0.001; it starts full.")
            Field("refill", \.refill, .name).means("Whether tokens flow in steadily or come whole, on a grid.")
            Field("excess", \.excess, .name).means("Whether a push that finds no token is dropped or waits.")
        }
    }
}

extension Section where Whole == Scenario.Budget {
    /// The budget of the monitor's retries, and that of the sender's repeated requests.
    static var retryBudget: Section {
        Section("A token bucket for retries; it starts full.", Scenario.Budget()) {
            Field("capacity", \.capacity, .thousandths(1...1e9).drawn { $0.thousandths(1000...5000) })
                .means("Retries that may be made at once.")
            Field("per_second", \.perSecond, .ratePerSecond(0...1e6).drawn { $0.thousandths(0...100) })
                .means("What comes in with time, in retries per second, in steps of 0.001.")
            Field("per_push", \.perPush, .thousandths(0...1000))
                .means("What comes in with each push that is no retry, in retries, in steps of 0.001.")
            Field("reserve", \.reserve, .thousandths(0...1e9))
                .means("What no retry may use up, in retries, in steps of 0.001.")
        }
    }
}

extension Notation where Value == Int {
    /// A rank in the sender's queue.
    static var rank: Notation { .integer(0...7) }
}
