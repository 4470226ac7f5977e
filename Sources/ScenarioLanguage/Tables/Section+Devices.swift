import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Devices {
    static var devices: Section {
        Section("Riders' phones, from the start of an activity to its end.", Scenario.Devices()) {
            Field("activities_enabled", \.activitiesEnabled, .share)
                .means("Share of rides whose phone allows Live Activities.")
            Field("start", \.start, .section(.start)).means("The start of activities.")
            Field("push_to_start", \.pushToStart, .section(.pushToStart))
                .means("Starts by the server, through push-to-start.")
            Field("token", \.token, .section(.token))
                .means("The update token: its way to the server and its rotation.")
            Field("initial_content_limit", \.initialContentLimit, .optional(.positiveDuration(), .off))
                .means("An activity that has received no push after this time ends itself; off: never.")
            Field("stale_content_limit", \.staleContentLimit, .optional(.duration(), .off))
                .means("An activity whose content has been stale for this time ends itself; off: never.")
            Field("local_updates", \.localUpdates, .section(.localUpdates))
                .means("Updates by the app, without a push.")
            Field("render_interval", \.renderInterval, .optional(.pauses, .off).seldom)
                .means(
                    "Time from one of the app's own updates on the screen to the next; updates between wait, and the newest is "
                        + "drawn. Pushes are drawn at once. off: each update is."
                )
            Field("connectivity", \.connectivity, .section(.connectivity)).means("Online and offline periods.")
            Field("budget", \.budget, .section(.updateBudget)).means("Apple's budget for pushes of priority 10.")
            Field("considerate_priority_delay", \.consideratePriorityDelay, .durations)
                .means("Additional delivery delay of a push of priority 5.")
            Field("swipe", \.swipe, .section(.swipe)).means("Removal by the rider (swipe).")
            Field("dismissal", \.dismissal, .section(.dismissal))
                .means("Cards that stay on the screen after their activity's end.")
            Field("renders_stale", \.rendersStale, .optional(.share, .off))
                .means(
                    "Share of activities whose app marks content past its stale date, as iOS lets it; off: not modelled. Stale "
                        + "content without a mark misleads its rider."
                )
            Field("pictures", \.pictures, .optional(.section(.pictures), .off))
                .means("The driver's photo on the card, from content.payload.photo_stage on; off: it is not followed.")
            Field("system_limit", \.systemLimit, .positiveDuration()).means("Time after which iOS ends an activity.")
            Field("end_report", \.endReport, .durations)
                .means(
                    "Time from the end on the phone to the invalidation of the token at the server, for each attempt."
                )
            Field("end_report_failure", \.endReportFailure, .optional(.section(.endReportFailure), .off))
                .means(
                    "Reports of ends that fail, by chance or while the fault token_post_down lasts; off: every report arrives, "
                        + "whatever the fault."
                )
        }
    }
}

extension Section where Whole == Scenario.Start {
    static var start: Section {
        Section("The start of an activity on the phone.", Scenario.Start()) {
            Field("by", \.by, .name)
                .means(
                    "The side that starts the activity: app, the server by push, or the server after the app's last attempt has failed "
                        + "(app_then_push)."
                )
            Field("time", \.time, .durations).means("Time from the ride's request to the activity on the screen.")
            Field("background", \.background, .share)
                .means("Share of attempts that fail because the app is in the background.")
            Field("foreground", \.foreground, .optional(.section(.foreground), .off))
                .means(
                    "Spans in which the app is in the foreground; attempts outside them fail, and the next one comes with the next "
                        + "span. off: the share background decides."
                )
            Field("schedules", \.schedules, .boolean)
                .means(
                    "If true, the app schedules the card of a ride that is booked ahead at its booking (iOS 26): the card appears "
                        + "when the ride begins, with content as old as the booking. Needs rides.booked."
                )
            Field("at_system_limit", \.atSystemLimit, .share)
                .means("Share of attempts that fail because the phone already has too many activities.")
            Field("too_large", \.tooLarge, .share)
                .means("Share of rides whose attributes and content exceed 4 KB, so that every attempt fails.")
            Field("retry_after", \.retryAfter, .durations).means("Time from a failed attempt to the next.")
            Field("attempts", \.attempts, .integer(1...20)).means("Maximum number of attempts.")
            Field("push_budget", \.pushBudget, .optional(.section(.startBudget), .off))
                .means("A phone's budget for starts by push; it drops those beyond. off: no budget.")
            Field("token_rotation", \.tokenRotation, .optional(.pauses, .off))
                .means(
                    "Time from one push-to-start token of a phone to the next; the server has the old one until the app runs. "
                        + "off: no rotation."
                )
            Field("presents_stale", \.presentsStale, .boolean)
                .means(
                    "If false, a start by push whose stale date has passed when it reaches the phone is never presented."
                )
            Field("most_cards", \.mostCards, .optional(.integer(1...20), .off))
                .means(
                    "If set, the app starts a card beside those of earlier rides, and iOS refuses one beyond this number of live cards "
                        + "(at_system_limit). off: the app has one card at a time. Needs rides.again, and excludes compares_rides."
                )
            Field("without_alert", \.withoutAlert, .share)
                .means("Share of starts by push without an alert, which iOS does not present.")
            Field("compares_rides", \.comparesRides, .boolean)
                .means(
                    "If true, the app that starts a card ends the cards of the rider's earlier rides, by ride ID. If false, it takes "
                        + "such a card for that of the latest ride and starts none. Needs rides.again."
                )
        }
    }
}

extension Section where Whole == Scenario.Foreground {
    fileprivate static var foreground: Section {
        Section("Spans in which the app is in the foreground, from the request of a ride on.", Scenario.Foreground()) {
            Field("stays", \.stays, .pauses)
                .means("Length of a span in the foreground; the first begins with the request.")
            Field("away", \.away, .pauses).means("Length of a span outside it.")
        }
    }
}

extension Section where Whole == Scenario.EndReportFailure {
    fileprivate static var endReportFailure: Section {
        Section("Reports of ends that fail.", Scenario.EndReportFailure(share: .never)) {
            Field("share", \.share, .share, isRequired: true).means("Share of attempts that fail.")
            Field("retry_after", \.retryAfter, .durations).means("Time from a failed attempt to the next.")
            Field("attempts", \.attempts, .integer(1...100)).means("Maximum number of attempts.")
        }
    }
}

extension Section where Whole == Scenario.StartBudget {
    fileprivate static var startBudget: Section {
        Section("A phone's budget for starts by push.", Scenario.StartBudget()) {
            Field("starts", \.starts, .integer(1...1000).drawn { draws in draws.count(1...3) })
                .means("Starts that a phone accepts at once.")
            Field("refill", \.refill, .positiveDuration()).means("Time after which one of them comes back.")
        }
    }
}

extension Section where Whole == Scenario.PushToStart {
    static var pushToStart: Section {
        Section("Push-to-start: token, budget and failures.", Scenario.PushToStart()) {
            Field("has_token", \.hasToken, .share).means("Share of phones whose push-to-start token the server has.")
            Field("dead", \.dead, .share)
                .means("Share of push-to-start tokens that are dead although APNs still accepts pushes to them.")
            Field("budget_exhausted", \.budgetExhausted, .share)
                .means("Share of phones that have exhausted the system's budget for push-to-start.")
            Field("resend_after", \.resendAfter, .optional(.positiveDuration(), .off))
                .means("Time without an update token after which the start is sent again; off: never.")
            Field("attempts", \.attempts, .integer(1...20)).means("Maximum number of starts.")
        }
    }
}

extension Section where Whole == Scenario.Token {
    static var token: Section {
        Section("The update token.", Scenario.Token()) {
            Field("never", \.never, .share).means("Share of activities for which iOS never issues a token.")
            Field("never_after_push", \.neverAfterPush, .optional(.share, .inherit))
                .means("Share of activities started by push for which iOS never issues a token; inherit: never.")
            Field("delay", \.delay, .durations).means("Time from the start of the activity to its token.")
            Field("post", \.post, .durations).means("Time of one attempt to post the token to the server.")
            Field("post_failure", \.postFailure, .share).means("Share of posts that fail.")
            Field("post_retry_after", \.postRetryAfter, .durations).means("Time from a failed post to the next.")
            Field("post_attempts", \.postAttempts, .integer(1...100)).means("Maximum number of posts.")
            Field("rotation", \.rotation, .optional(.pauses, .off))
                .means("Time from one token to the next; off: no rotation.")
        }
    }
}

extension Section where Whole == Scenario.LocalUpdates {
    static var localUpdates: Section {
        Section("Updates by the app.", Scenario.LocalUpdates()) {
            Field("enabled", \.enabled, .boolean).means("If true, the app updates the activity while the app runs.")
            Field("alive_for", \.aliveFor, .optional(.durations(seconds: 200), .unlimited))
                .means("Time from the start of the activity to the suspension of the app; unlimited: the whole ride.")
            Field("needs_connection", \.needsConnection, .boolean)
                .means(
                    "If true, the app asks the server for content, so it updates nothing while the phone is offline or the "
                        + "server cannot generate content. If false, its content comes from sensors."
                )
        }
    }
}

extension Section where Whole == Scenario.Connectivity {
    static var connectivity: Section {
        Section("A phone's connection: alternating online and offline periods.", Scenario.Connectivity()) {
            Field("online", \.online, .optional(.pauses, .unlimited))
                .means("Length of an online period; unlimited: always online.")
            Field("offline", \.offline, .durations).means("Length of an offline period.")
            Field("initially_offline", \.initiallyOffline, .share).means("Share of phones that are offline at first.")
        }
    }
}

extension Section where Whole == Scenario.UpdateBudget {
    static var updateBudget: Section {
        Section("A budget of shown pushes per activity, in fixed windows.", Scenario.UpdateBudget()) {
            Field("limit", \.limit, .optional(.integer(0...1_000_000), .unlimited))
                .means("Pushes of priority 10 per window; unlimited: no budget.")
            Field("window", \.window, .positiveDuration()).means("Length of the window.")
            Field("ends_exempt", \.endsExempt, .boolean)
                .means("If true, an end event takes effect even when the budget is exhausted.")
            Field("shared", \.isShared, .boolean)
                .means("If true, all cards on a phone share one budget. Needs rides.again.")
        }
    }
}

extension Section where Whole == Scenario.Pictures {
    fileprivate static var pictures: Section {
        Section("The driver's photo on the card.", Scenario.Pictures()) {
            Field("download", \.download, .optional(.durations, .off))
                .means(
                    "Time in which the app, while it runs and is connected, downloads the original for the card; off: it does "
                        + "not."
                )
        }
    }
}

extension Section where Whole == Scenario.Dismissal {
    static var dismissal: Section {
        Section(
            "Time from the end of an activity to the removal of its card: immediate, default (4 hours) or up to 4h.",
            Scenario.Dismissal()
        ) {
            Field("by_app", \.byApp, .dismissal).means("After an end by the app.")
            Field("by_push", \.byPush, .dismissal).means("After an end by push: the time to its dismissal date.")
            Field("at_limit", \.atLimit, .dismissal).means("After an end at devices.system_limit.")
            Field("removed_after", \.removedAfter, .optional(.durations, .off))
                .means("Time from the end to the removal of the card by its rider; off: riders leave it.")
        }
    }
}

extension Notation where Value == TimeSpan {
    /// A dismissal policy: a word of Apple's or a time.
    fileprivate static var dismissal: Notation {
        let duration = Notation.duration(.zero...Scenario.Dismissal.longest)
        let words: KeyValuePairs<String, TimeSpan> = ["immediate": .zero, "default": Scenario.Dismissal.longest]
        return Notation(
            "a dismissal policy",
            allowed: "immediate, default, or 0s … 4h",
            write: { span in words.first { $0.value == span }.map { .word($0.key) } ?? duration.write(span) },
            schema: ["anyOf": [duration.schema(), ["enum": .list(words.map { .text($0.key) })]]],
            draw: duration.draw,
            parse: { text throws(Remark) in
                if let word = words.first(where: { $0.key == text }) { return word.value }
                return try duration.parsed(text)
            }
        )
    }
}

extension Section where Whole == Scenario.Swipe {
    static var swipe: Section {
        Section("Removal of activities by the rider.", Scenario.Swipe()) {
            Field("share", \.share, .share)
                .means("Share of activities that the rider swipes away unless they end first.")
            Field("after", \.after, .durations).means("Time from the start of the activity to the swipe.")
            Field("recreated", \.recreated, .share)
                .means("Share of swiped activities that the app starts again by mistake.")
        }
    }
}
