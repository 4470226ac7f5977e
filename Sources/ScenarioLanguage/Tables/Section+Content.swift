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
            Field("refresh", \.refresh, .optional(.pauses, .off))
                .means("Time between ETA refreshes within a stage; off sends none.")
            Field("refresh_restarts_at_state_change", \.refreshRestartsAtStateChange, .boolean)
                .means("If true, a stage change restarts the wait for the next refresh.")
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
        }
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
        }
    }
}
