import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Content {
    static var content: Section {
        Section(
            "The content that the server sends: at stage changes and at ETA refreshes, with a stale date.",
            Scenario.Content()
        ) {
            Field("ttl", \.ttl, .duration()).means("Time from the generation of content to its stale date.")
            Field("refresh", \.refreshing, .optional(.refreshing, .off))
                .means(
                    "Time between ETA refreshes within a stage, or a policy {when_moved, at_most_every, at_least_every} for an ETA "
                        + "that moves; off sends none."
                )
            Field("wake_app", \.wakeApp, .optional(.section(.wakeApp), .off).seldom)
                .means(
                    "Background pushes instead of updates and retries: each wakes the app, which asks the server for content and "
                        + "updates the card; off: pushes update the card."
                )
            Field("renew_before", \.renewBefore, .optional(.positiveDuration(), .off))
                .means(
                    "Time before devices.system_limit at which a new activity replaces the old one: by the app while it runs, "
                        + "otherwise by a start of the server. off: the limit ends the activity."
                )
            Field("eta", \.eta, .optional(.section(.eta), .off))
                .means("The estimated time of arrival in the content, and how it changes; off: content has no value.")
            Field("refresh_restarts_at_state_change", \.refreshRestartsAtStateChange, .boolean)
                .means("If true, a stage change restarts the wait for the next refresh.")
            Field("sent_on_new_token", \.isSentOnNewToken, .boolean.seldom)
                .means(
                    "If true, the server sends content whenever it receives a token; otherwise only if the ride has entered another "
                        + "stage since the content on the screen."
                )
            Field("updates_at", \.updatesAt, .times(count: 0...10_000))
                .means("Fixed refresh times after the request, instead of drawn ones.")
            Field("stale_date_missing", \.staleDateMissing, .share)
                .means("Share of updates sent without a stale date, by mistake.")
            Field("undecodable", \.undecodable, .share)
                .means("Share of activities whose app cannot decode the content.")
            Field("timestamp_resolution", \.timestampResolution, .duration(.zero ... .hours(1)))
                .means("Resolution of the payload's timestamp; 0s means exact timestamps.")
            Field("timestamps_rise", \.timestampsRise, .boolean)
                .means("If true, each push of an activity has a later timestamp than the previous one.")
            Field("timestamp_in_milliseconds", \.timestampInMilliseconds, .share)
                .means("Share of updates with a timestamp in milliseconds, by mistake.")
            Field("state_change_priority", \.stateChangePriority, .name)
                .means("APNs priority of pushes for stage changes.")
            Field("refresh_priority", \.refreshPriority, .name).means("APNs priority of pushes for ETA refreshes.")
            Field("payload", \.payload, .section(.payload)).means("Payload sizes.")
            Field("endpoint", \.endpoint, .optional(.section(.endpoint), .off).seldom)
                .means(
                    "The endpoint that the server and the app ask for content; off: content takes no time, and only the fault "
                        + "content_down stops it."
                )
        }
    }
}

extension Section where Whole == Scenario.WakeApp {
    fileprivate static var wakeApp: Section {
        Section("Background pushes that wake the app.", Scenario.WakeApp()) {
            Field("limit", \.limit, .integer(0...1_000_000)).means("Times per window that the phone wakes the app.")
            Field("window", \.window, .positiveDuration()).means("Length of the window.")
            Field("fetch", \.fetch, .duration()).means("Time from the push on the phone to the content in the app.")
        }
    }
}

extension Section where Whole == Scenario.ContentEndpoint {
    fileprivate static var endpoint: Section {
        Section("The endpoint that generates content.", Scenario.ContentEndpoint()) {
            Field("time", \.time, .durations)
                .means("Time from a request to its answer. Content is as old as the request that returned it.")
            Field("failure", \.failure, .share).means("Share of requests that return no content.")
            Field("tries", \.tries, .integer(1...100))
                .means(
                    "Times that the server asks for the content of one push. An attempt of the app to start asks once."
                )
            Field("retry_after", \.retryAfter, .duration())
                .means("Time from a failed request to the server's next one.")
            Field("ineligible", \.ineligible, .share)
                .means("Share of rides whose answer allows no Live Activity.")
        }
    }
}

extension Section where Whole == Scenario.Shrink {
    fileprivate static var shrink: Section {
        Section(
            "A photo that does not fit is shrunk in steps, and dropped when it would be too small.",
            Scenario.Shrink()
        ) {
            Field("factor", \.factor, .thousandths(0.01...0.99))
                .means("Size after a step, as a share of the size before.")
            Field("smallest", \.smallest, .integer(1...1_048_576)).means("Smallest useful size.")
        }
    }
}

extension Section where Whole == Scenario.ETA {
    static var eta: Section {
        Section("The server's estimate of a ride's arrival, which changes in steps.", Scenario.ETA()) {
            Field("step", \.step, .duration(.seconds(1) ... .longest)).means("Time between two estimates.")
            Field("drift", \.drift, .thousandths(-1...1))
                .means(
                    "Time by which the arrival moves in a unit of time; above 0 if rides take longer than estimated."
                )
            Field("noise", \.noise, .optional(.durations, .off)).means("Size of the change in each step; off: none.")
            Field("jump_share", \.jumpShare, .share)
                .means("Share of steps in which the estimate jumps, as for another route.")
            Field("jump", \.jump, .durations).means("Size of a jump.")
            Field("late_share", \.lateShare, .share).means("Share of changes and jumps that make the arrival later.")
            Field("timer", \.timer, .boolean)
                .means(
                    "If true, the card has a timer that counts down, so only a change of the estimate makes it wrong."
                )
            Field("bar_timer", \.barTimer, .boolean)
                .means(
                    "If true, the card's progress bar moves without updates, as ProgressView(timerInterval:) does, so only a change of "
                        + "the estimate makes it wrong."
                )
            Field("file", \.file, .optional(.dataFile, .off))
                .means(
                    "A file of recorded estimates, CSV or Parquet, instead of generated ones. A ride of rides.trace has its own; "
                        + "any other ride has those of a ride that is drawn from the file."
                )
            Field("columns", \.columns, .compactSection(.etaColumns))
                .means("The file's names of the columns, where they are not Freshet's.")
        }
    }
}

extension Section where Whole == Scenario.ETAColumns {
    fileprivate static var etaColumns: Section {
        Section(
            "The file's name for each column, or the column's number, from 1; auto: Freshet's.",
            Scenario.ETAColumns()
        ) {
            Field("ride", \.ride, .column.undrawn).means("The ride.")
            Field("stage", \.stage, .column.undrawn)
                .means("The stage. If the file has this column, times count from its beginning instead of the request.")
            Field("time", \.time, .column.undrawn)
                .means(
                    "Time of the estimate since the request, in seconds unless the column's name ends in another unit."
                )
            Field("eta", \.eta, .column.undrawn).means("Estimated time to arrival.")
            Field("arrival", \.arrival, .column.undrawn)
                .means("Estimated time of arrival since the request, instead of eta.")
        }
    }
}

extension Section where Whole == Scenario.RefreshWhenMoved {
    fileprivate static var refreshWhenMoved: Section {
        Section("Refreshes when the ETA has moved.", Scenario.RefreshWhenMoved()) {
            Field("when_moved", \.whenMoved, .positiveDuration())
                .means("Change of the estimate since the last content that calls for a refresh.")
            Field("at_most_every", \.atMostEvery, .positiveDuration())
                .means("Shortest time from content to the next refresh.")
            Field("at_least_every", \.atLeastEvery, .optional(.positiveDuration(), .off))
                .means("Longest time from content to the next refresh; off: none.")
        }
    }
}

extension Notation where Value == Scenario.Content.Refreshing {
    /// Pauses, or a policy, which is recognised by its keys.
    fileprivate static var refreshing: Notation {
        let pauses = Notation<Distribution>.pauses
        let policy = Notation<Scenario.RefreshWhenMoved>.compactSection(.refreshWhenMoved)
        let keys = ["when_moved", "at_most_every", "at_least_every"]
        return Notation(
            read: { node, path, reading in
                guard node.mapping?.contains(where: { keys.contains($0.key) }) ?? false else {
                    return pauses.read(node, path, &reading).map { .pauses($0) }
                }
                return policy.read(node, path, &reading).map { .whenMoved($0) }
            },
            write: { value in
                switch value {
                case .pauses(let value): pauses.write(value)
                case .whenMoved(let value): policy.write(value)
                }
            },
            schema: ["anyOf": [pauses.schema(), policy.schema()]],
            visitDistributions: { value, path, visitor in
                guard case .pauses(var distribution) = value else { return }
                pauses.visitDistributions(&distribution, path, visitor)
                value = .pauses(distribution)
            },
            draw: { draws, usual in
                if case .pauses(let usual)? = usual { return pauses.draw(&draws, usual).map { .pauses($0) } }
                return pauses.draw(&draws, nil).map { .pauses($0) }
            }
        )
    }
}

extension Section where Whole == Scenario.Payload {
    static var payload: Section {
        Section("Payload sizes in bytes, and the steps that make a photo fit.", Scenario.Payload()) {
            Field("bytes", \.bytes, .optional(.numbers, .off))
                .means("Size of the content without a photo; off: sizes are not modelled.")
            Field("limit", \.limit, .integer(1...1_048_576)).means("Largest payload that APNs accepts.")
            Field("photo_stage", \.photoStage, .optional(.identifier, .off))
                .means("The stage whose first update carries the photo; off: no photo.")
            Field("photo_bytes", \.photoBytes, .numbers).means("Size of the encoded photo, first attempt.")
            Field("small_photo_bytes", \.smallPhotoBytes, .numbers).means("Size of the encoded photo, shrunk.")
            Field("ladder", \.ladder, .boolean).means("If true, a photo that does not fit is shrunk and then dropped.")
            Field("shrink", \.shrink, .optional(.section(.shrink), .off))
                .means("Shrinking in steps until the photo fits, instead of small_photo_bytes; off: none.")
            Field("photo_policy", \.photoPolicy, .name)
                .means(
                    "Updates that carry the driver's photo: once for each driver; until_proven: until the server learns that it "
                        + "was shown; always."
                )
            Field("car_photo_bytes", \.carPhotoBytes, .optional(.numbers, .off))
                .means("Size of a photo of the car, sent once after the driver's; off: none.")
        }
    }
}
