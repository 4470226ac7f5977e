import FreshnessCore
import LiveActivityModel
import Quantities

extension Section where Whole == Scenario.Monitor {
    static var monitor: Section {
        Section("The server's Freshness Monitor.", Scenario.Monitor()) {
            Field("enabled", \.enabled, .boolean.seldom).means("Whether there is one at all.")
            Field("feedback", \.feedback, .name).means("What the monitor learns about its pushes.")
            Field("fresh_limit", \.freshLimit, .duration())
                .means("How far past its stale date content still counts as fresh; the boundary instant does not.")
            Field("recovery_window", \.recoveryWindow, .duration())
                .means("From stale but recoverable to severely stale.")
            Field("scan_interval", \.scanInterval, .optional(.positiveDuration(), .off))
                .means("Time between scans of all instances; off: the monitor acts at the very instant.")
            Field("scan_phase", \.scanPhase, .duration()).means("The first scan.")
            Field("retry", \.retry, .section(.retry)).means("Attempts to recover an instance.")
            Field("end_schedule", \.endSchedule, .times(count: 1...20))
                .means("When end events are sent, counted from the decision, until one is known to have worked.")
            Field("end_again_on_new_token", \.endsAgainOnNewToken, .boolean)
                .means(
                    "Whether a token that comes after an end that APNs accepted has the end sent again, to that token."
                )
        }
    }
}

extension Section where Whole == Scenario.Retry {
    static var retry: Section {
        Section("Attempts to recover an instance that is stale.", Scenario.Retry()) {
            Field("max_attempts", \.maxAttempts, .optional(.integer(0...1_000_000), .unlimited))
                .means("Attempts in one episode; 0: no retries; unlimited: as many as the recovery window takes.")
            Field("schedule", \.schedule, .optional(.times(count: 1...100), .off))
                .means("When attempts are made, counted from the beginning of the episode; off: by backoff.")
            Field("backoff", \.backoff, .section(.backoff))
                .means("Pauses from when an attempt is due to when the next one is; the first is due at once.")
            Field("jitter", \.jitter, .name).means("How pauses are spread.")
            Field("priorities", \.priorities, .list(of: .name, count: 1...100))
                .means("The priority of each attempt; the last one holds for the rest.")
            Field("budget", \.budget, .optional(.section(.retryBudget), .noLimit))
                .means("A limit for the retries of a cell as a whole; unlimited: no limit.")
            Field("obeys_fifteen_minutes", \.obeysFifteenMinutes, .boolean)
                .means("Whether retries wait 15 minutes after a 429 or 5xx, as Apple's page asks.")
        }
    }
}

extension Section where Whole == Scenario.Backoff {
    static var backoff: Section {
        Section("Exponential backoff: pauses of base, base·factor, base·factor², … up to the cap.", Scenario.Backoff())
        {
            Field("base", \.base, .positiveDuration()).means("The first pause.")
            Field("factor", \.factor, .thousandths(1...100))
                .means("What each pause is multiplied with, in steps of 0.001.")
            Field("cap", \.cap, .positiveDuration()).means("The longest pause.")
        }
    }
}
