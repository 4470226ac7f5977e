import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

extension Section where Whole == Scenario.Content {
    static var content: Section {
        Section(
            "What the server tells the rider: content with a stale date, at state changes and at ETA refreshes.",
            Scenario.Content()
        ) {
            Field("ttl", \.ttl, .duration()).means("From the generation of content to its stale date.")
            Field("refresh", \.refresh, .optional(.pauses, .off))
                .means("Time between ETA refreshes within a stage; off sends none.")
            Field("refresh_restarts_at_state_change", \.refreshRestartsAtStateChange, .boolean)
                .means("Whether a state change restarts the wait for the next refresh.")
            Field("updates_at", \.updatesAt, .times(count: 0...10_000))
                .means("Refreshes at fixed times after the request, in place of drawn ones.")
            Field("stale_date_missing", \.staleDateMissing, .share)
                .means("Pushed updates whose stale date is forgotten.")
            Field("undecodable", \.undecodable, .share)
                .means("Activities whose app cannot decode what the server sends.")
            Field("timestamp_resolution", \.timestampResolution, .duration(.zero ... .hours(1)))
                .means("The resolution of the payload's timestamp; 0s stands for exact timestamps.")
            Field("timestamps_rise", \.timestampsRise, .boolean)
                .means("Whether each push of an activity is stamped later than the one before.")
            Field("timestamp_in_milliseconds", \.timestampInMilliseconds, .share)
                .means("Updates stamped in milliseconds by mistake.")
            Field("state_change_priority", \.stateChangePriority, .name)
                .means("The priority of pushes for state changes.")
            Field("refresh_priority", \.refreshPriority, .name).means("The priority of pushes for ETA refreshes.")
            Field("payload", \.payload, .section(.payload)).means("The size of what is sent.")
        }
    }
}

extension Section where Whole == Scenario.Payload {
    static var payload: Section {
        Section("Payload sizes in bytes and the ladder by which a photo is made to fit.", Scenario.Payload()) {
            Field("bytes", \.bytes, .optional(.numbers, .off))
                .means("The content without a photo; off: sizes do not matter.")
            Field("limit", \.limit, .integer(1...1_048_576)).means("The largest payload that APNs accepts.")
            Field("photo_stage", \.photoStage, .optional(.identifier, .off))
                .means("The stage whose first update carries the photo; off: no photo.")
            Field("photo_bytes", \.photoBytes, .numbers).means("The photo at its first size, encoded.")
            Field("small_photo_bytes", \.smallPhotoBytes, .numbers).means("The photo shrunk further, encoded.")
            Field("ladder", \.ladder, .boolean).means("Whether a photo that does not fit is shrunk and then dropped.")
        }
    }
}
