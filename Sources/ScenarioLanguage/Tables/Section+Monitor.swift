import FreshnessCore
import LiveActivityModel
import Quantities

extension Section where Whole == Scenario.Monitor {
    static var monitor: Section {
        Section("The server's Freshness Monitor.", Scenario.Monitor()) {
            Field("enabled", \.enabled, .boolean.seldom).means("If false, there is no monitor.")
            Field("feedback", \.feedback, .name).means("The information that the monitor receives about its pushes.")
            Field("fresh_limit", \.freshLimit, .duration())
                .means("Time past the stale date for which content still counts as fresh; the boundary is excluded.")
            Field("recovery_window", \.recoveryWindow, .duration())
                .means("Time from the lapse to severely stale.")
            Field("scan_interval", \.scanInterval, .optional(.positiveDuration(), .off))
                .means("Time between scans of all instances; off: the monitor acts at each deadline.")
            Field("scan_phase", \.scanPhase, .duration()).means("Time of the first scan.")
            Field("retry", \.retry, .section(.retry)).means("Retries.")
            Field("end_schedule", \.endSchedule, .times(count: 1...20))
                .means("Times at which end events are sent, from the decision, until one is confirmed.")
            Field("end_again_on_new_token", \.endsAgainOnNewToken, .boolean)
                .means(
                    "If true, the end is sent again to a token that arrives after an accepted end."
                )
        }
    }
}

extension Section where Whole == Scenario.Retry {
    static var retry: Section {
        Section("Retries for an instance that is stale but recoverable.", Scenario.Retry()) {
            Field("max_attempts", \.maxAttempts, .optional(.integer(0...1_000_000), .unlimited))
                .means("Maximum number of retries per episode; 0: none; unlimited: until the recovery window ends.")
            Field("schedule", \.schedule, .optional(.times(count: 1...100), .off))
                .means("Times of the retries, from the beginning of the episode; off: by backoff.")
            Field("backoff", \.backoff, .section(.backoff))
                .means("Pauses between the due times of retries; the first retry is due at once.")
            Field("jitter", \.jitter, .name).means("Randomization of the pauses.")
            Field("priorities", \.priorities, .list(of: .name, count: 1...100))
                .means("APNs priority of each retry; the last value applies to all later ones.")
            Field("budget", \.budget, .optional(.section(.retryBudget), .noLimit))
                .means(
                    "A shared limit for the retries of a cell; unlimited: only max_attempts limits them (0: no retries)."
                )
            Field("obeys_fifteen_minutes", \.obeysFifteenMinutes, .boolean)
                .means("If true, retries wait 15 minutes after a 429 or 5xx, as Apple's documentation recommends.")
        }
    }
}

extension Section where Whole == Scenario.Backoff {
    static var backoff: Section {
        Section("Exponential backoff: pauses of base, base·factor, base·factor², … up to the cap.", Scenario.Backoff())
        {
            Field("base", \.base, .positiveDuration()).means("The first pause.")
            Field("factor", \.factor, .thousandths(1...100))
                .means("Factor between successive pauses, in steps of 0.001.")
            Field("cap", \.cap, .positiveDuration()).means("The longest pause.")
        }
    }
}
