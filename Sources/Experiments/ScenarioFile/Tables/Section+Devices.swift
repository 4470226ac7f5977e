import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Devices {
    static var devices: Section {
        Section("Riders' phones, from the start of an activity to its end.", Scenario.Devices()) {
            Field("activities_enabled", \.activitiesEnabled, .share)
                .means("Rides whose phone allows Live Activities at all.")
            Field("start", \.start, .section(.start)).means("How activities start.")
            Field("push_to_start", \.pushToStart, .section(.pushToStart)).means("The server's own way to start one.")
            Field("token", \.token, .section(.token))
                .means("The update token on its way to the server, and its rotations.")
            Field("initial_content_limit", \.initialContentLimit, .optional(.positiveDuration(), .off))
                .means("An activity whose first content no push has followed after this time ends itself; off: never.")
            Field("stale_content_limit", \.staleContentLimit, .optional(.duration(), .off))
                .means("An activity whose content is past its stale date by this much ends itself; off: never.")
            Field("local_updates", \.localUpdates, .section(.localUpdates))
                .means("Updates by the app itself, without a push.")
            Field("connectivity", \.connectivity, .section(.connectivity)).means("Times with and without a connection.")
            Field("budget", \.budget, .section(.updateBudget)).means("Apple's budget for pushes of priority 10.")
            Field("considerate_priority_delay", \.consideratePriorityDelay, .durations)
                .means("Extra time that a push of priority 5 waits on its way.")
            Field("swipe", \.swipe, .section(.swipe)).means("Riders who swipe the activity away.")
            Field("system_limit", \.systemLimit, .positiveDuration()).means("Apple ends an activity after this time.")
            Field("end_report", \.endReport, .durations).means("From the end on the device to the token invalidation.")
        }
    }
}

extension Section where Whole == Scenario.Start {
    static var start: Section {
        Section("How an activity is started on the device.", Scenario.Start()) {
            Field("by", \.by, .name).means("Who starts it.")
            Field("time", \.time, .durations).means("From the ride's request to the activity on the screen.")
            Field("background", \.background, .share).means("Attempts that fail because the app is in the background.")
            Field("at_system_limit", \.atSystemLimit, .share)
                .means("Attempts that fail because the phone has too many activities already.")
            Field("too_large", \.tooLarge, .share)
                .means("Rides whose attributes and content exceed 4 KB, so that every attempt fails.")
            Field("retry_after", \.retryAfter, .durations).means("From a failed attempt to the next.")
            Field("attempts", \.attempts, .integer(1...20)).means("Attempts in all.")
        }
    }
}

extension Section where Whole == Scenario.PushToStart {
    static var pushToStart: Section {
        Section("Push-to-start: its token, its budget and its accidents.", Scenario.PushToStart()) {
            Field("has_token", \.hasToken, .share).means("Phones whose push-to-start token the server has.")
            Field("dead", \.dead, .share).means("Tokens that are dead while APNs still accepts pushes to them.")
            Field("budget_exhausted", \.budgetExhausted, .share).means("Phones that have used up the system's budget.")
            Field("resend_after", \.resendAfter, .optional(.positiveDuration(), .off))
                .means("The start is sent again when no update token has come after this time; off: never.")
            Field("attempts", \.attempts, .integer(1...20)).means("Starts in all.")
        }
    }
}

extension Section where Whole == Scenario.Token {
    static var token: Section {
        Section("The update token.", Scenario.Token()) {
            Field("never", \.never, .share).means("Activities for which iOS never yields a token.")
            Field("delay", \.delay, .durations).means("From the start of the activity to its token.")
            Field("post", \.post, .durations).means("From the token to its receipt by the server, for each attempt.")
            Field("post_failure", \.postFailure, .share).means("Posts that fail.")
            Field("post_retry_after", \.postRetryAfter, .durations).means("From a failed post to the next.")
            Field("post_attempts", \.postAttempts, .integer(1...100)).means("Posts in all.")
            Field("rotation", \.rotation, .optional(.pauses, .off))
                .means("From one token to the next; off: no rotation.")
        }
    }
}

extension Section where Whole == Scenario.LocalUpdates {
    static var localUpdates: Section {
        Section("Updates by the app itself.", Scenario.LocalUpdates()) {
            Field("enabled", \.enabled, .boolean).means("Whether the app updates the activity while it lives.")
            Field("alive_for", \.aliveFor, .optional(.durations(seconds: 200), .unlimited))
                .means("From the start of the activity to the app's suspension; unlimited: as long as the ride.")
        }
    }
}

extension Section where Whole == Scenario.Connectivity {
    static var connectivity: Section {
        Section("A phone's connection: stretches with and without, in turn.", Scenario.Connectivity()) {
            Field("online", \.online, .optional(.pauses, .unlimited))
                .means("A connected stretch; unlimited: always connected.")
            Field("offline", \.offline, .durations).means("A stretch without connection.")
            Field("initially_offline", \.initiallyOffline, .share).means("Phones that begin without connection.")
        }
    }
}

extension Section where Whole == Scenario.UpdateBudget {
    static var updateBudget: Section {
        Section("A budget of shown pushes in fixed windows, per activity.", Scenario.UpdateBudget()) {
            Field("limit", \.limit, .optional(.integer(0...1_000_000), .unlimited))
                .means("Pushes of priority 10 per window; unlimited: no budget.")
            Field("window", \.window, .positiveDuration()).means("The window's length.")
            Field("ends_exempt", \.endsExempt, .boolean)
                .means("Whether an end event takes effect however much of the budget is spent.")
        }
    }
}

extension Section where Whole == Scenario.Swipe {
    static var swipe: Section {
        Section("Swipes.", Scenario.Swipe()) {
            Field("share", \.share, .share).means("Activities that would be swiped away if nothing ended them first.")
            Field("after", \.after, .durations).means("From the start of the activity to the swipe.")
            Field("recreated", \.recreated, .share).means("Swiped activities that the app starts again by mistake.")
        }
    }
}
