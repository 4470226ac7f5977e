import Evaluation
import InputFiles
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import TextFormats

/// The rules of groups and their channels.
extension ScenarioRules {
    func checkGroups(_ reading: inout Reading) {
        guard let groups = scenario.groups else { return }
        let size = try? groups.size.support()
        reading.require(size.map { $0.upperBound >= 1 } ?? true, "groups.size") {
            "must be at least 1, got \(NumberText.text(size?.upperBound ?? 0)): a group has a member"
        }
        let most = Double(Scenario.Groups.mostMembers)
        reading.require(size.map { $0.lowerBound <= most } ?? true, "groups.size") {
            "must be at most \(Scenario.Groups.mostMembers), got \(NumberText.text(size?.lowerBound ?? 0))"
        }
        let content = scenario.content
        let excluded = [
            ("rides.trace", scenario.rides.trace != nil, "a trace has no groups"),
            ("content.eta", content.eta != nil, "the model has no ETA that a group shares"),
            ("content.renew_before", content.renewBefore != nil, "the model does not renew the cards of groups"),
            ("content.wake_app", content.wakeApp != nil, "the model sends groups no background pushes"),
            ("content.endpoint", content.endpoint != nil, "the model has no endpoint that a group shares"),
            ("rides.again", scenario.rides.again != nil, "the members of a group take one ride"),
            ("rides.stops", scenario.rides.stops != nil, "the model has no stops that a group shares"),
            ("rides.booked", scenario.rides.booked != nil, "the members of a group do not book"),
            ("apns.script", scenario.apns.script != nil, "a script is for single rides"),
        ]
        for (path, isUsed, reason) in excluded {
            reading.require(!isUsed, path, given: "groups") { "must be off with groups: \(reason)" }
        }
        for (index, cohort) in scenario.cohorts.enumerated() {
            let setting = cohort.settings.firstIndex { $0.path.hasPrefix("content.") }
            reading.require(setting == nil, "cohorts.\(index).set", given: "groups") {
                "must have no values of content with groups: the members of a group have one content"
            }
        }
        if groups.by == .channel { checkChannel(&reading) }
    }

    private func checkChannel(_ reading: inout Reading) {
        let (content, by) = (scenario.content, "groups.by")
        let resends = scenario.devices.pushToStart.resendAfter != nil && scenario.hasPushStarts
        reading.require(!resends, "devices.push_to_start.resend_after", given: by) {
            "must be off with groups.by channel: it waits for an update token, and a card that follows a channel has none"
        }
        reading.require(scenario.monitor.feedback == .acceptance, "monitor.feedback", given: by) {
            "must be acceptance with groups.by channel, got \(scenario.monitor.feedback.rawValue): the monitor watches the "
                + "channel, which shows no screen"
        }
        reading.require(content.payload.photoStage.isEmpty, "content.payload.photo_stage", given: by) {
            "must be off with groups.by channel: a channel carries no photo for one rider"
        }
        reading.require(scenario.devices.pictures == nil, "devices.pictures", given: by) {
            "must be off with groups.by channel: the model does not follow the pictures of groups"
        }
        let limit = Scenario.Channel.payloadLimit
        let stages = scenario.rides.stages.enumerated().map { ("rides.stages.\($0).payload_bytes", $1.payloadBytes) }
        for (path, bytes) in [("content.payload.bytes", content.payload.bytes)] + stages {
            guard case .constant(let bytes)? = bytes else { continue }
            reading.require(bytes <= Double(limit), path, given: by) {
                "must be at most \(limit) with groups.by channel, got \(NumberText.text(bytes)): APNs would reject each push"
            }
        }
    }
}
