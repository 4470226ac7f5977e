import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Sender {
    static var sender: Section {
        Section("The server's connections to APNs and the queue in front of them, per cell.", Scenario.Sender()) {
            Field("connections", \.connections, .integer(1...10_000_000)).means("Number of connections.")
            Field("streams", \.streams, .integer(1...10_000_000).drawn { $0.one(of: [1, 1, 3, 1000]) })
                .means("Concurrent requests (HTTP/2 streams) per connection.")
            Field("request_time", \.requestTime, .durations).means("Time from the start of a request to its answer.")
            Field("timeout", \.timeout, .positiveDuration())
                .means("Longest wait for the answer to a request.")
            Field("attempts", \.attempts, .integer(1...31)).means("Maximum number of requests per push.")
            Field("retry_budget", \.retryBudget, .optional(.section(.retryBudget), .noLimit))
                .means(
                    "A shared limit for repeated requests of a cell; unlimited: only attempts limits them (1: no repeats)."
                )
            Field("reconnect_after", \.reconnectAfter, .duration())
                .means("Time from the loss of a connection to the next one.")
            Field("queue_limit", \.queueLimit, .optional(.integer(0...1_000_000_000), .unlimited))
                .means("Maximum length of the queue; unlimited: no limit.")
            Field("overflow", \.overflow, .name).means("The push to drop when the queue is full.")
            Field("requeue_after", \.requeueAfter, .optional(.pauses, .off))
                .means(
                    "Pause after which a push that found the queue full is offered again; off: it is dropped."
                )
            Field("patience", \.patience, .optional(.durations, .unlimited))
                .means("Longest wait of a push in the queue before it is dropped; unlimited: no limit.")
            Field("coalesce", \.coalesce, .boolean)
                .means("If true, a new update replaces a queued update of the same activity.")
            Field("ranks", \.ranks, .compactSection(.ranks)).means("Order of the queue.")
            Field("preempt", \.preempt, .name)
                .means("Preemption: a new push can take the stream of a request in flight.")
            Field("minimum_interval", \.minimumInterval, .duration())
                .means(
                    "Minimum time between updates of one activity; the sender drops a refresh that comes sooner, and delays a "
                        + "stage change."
                )
            Field("rate_limit", \.rateLimit, .optional(.section(.rateLimit), .noLimit))
                .means("A limit on the rate of requests, before the streams; unlimited: no limit.")
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
            Field("end", \.end, rank).means("End events.")
            Field("retry", \.retry, rank).means("The monitor's retries.")
            Field("update", \.update, rank).means("Updates, unless the ride's stage has a rank.")
        }
    }
}

extension Section where Whole == Scenario.RateLimit {
    static var rateLimit: Section {
        Section("A token bucket with one token per request.", Scenario.RateLimit()) {
            Field("per_second", \.perSecond, .ratePerSecond(0.001...1e6).drawn { $0.thousandths(50...2000) })
                .means("Long-run rate, in requests per second, in steps of 0.001.")
            Field("burst", \.burst, .thousandths(1...1e9).drawn { $0.thousandths(1000...5000) })
                .means("Capacity of the bucket in tokens, in steps of 0.001; it starts full.")
            Field("refill", \.refill, .name).means("Refill: continuous, or whole tokens on a time grid.")
            Field("excess", \.excess, .name).means("Treatment of a push without a token: dropped or queued.")
        }
    }
}

extension Section where Whole == Scenario.Budget {
    /// The budget of the monitor's retries, and of the sender's repeated requests.
    static var retryBudget: Section {
        Section("A token bucket for retries; it starts full.", Scenario.Budget()) {
            Field("capacity", \.capacity, .thousandths(1...1e9).drawn { $0.thousandths(1000...5000) })
                .means("Capacity of the bucket in retries, in steps of 0.001.")
            Field("per_second", \.perSecond, .ratePerSecond(0...1e6).drawn { $0.thousandths(0...100) })
                .means("Refill rate in retries per second, in steps of 0.001.")
            Field("per_push", \.perPush, .thousandths(0...1000))
                .means("Refill per push that is not a retry, in retries, in steps of 0.001.")
            Field("reserve", \.reserve, .thousandths(0...1e9))
                .means("Reserve that retries cannot use, in retries, in steps of 0.001.")
        }
    }
}

extension Notation where Value == Int {
    /// A rank in the sender's queue.
    static var rank: Notation { .integer(0...7) }
}
