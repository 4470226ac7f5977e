import FreshnessCore
import InputFiles
import LiveActivityModel
import Quantities
import Statistics

/// Rules about content: its refreshes, estimates and payloads.
extension ScenarioRules {
    func checkRefresh(_ reading: inout Reading) {
        let (content, retries) = (scenario.content, scenario.monitor.retry.priorities)
        let priorities =
            [("content.refresh_priority", content.refreshPriority)]
            + [("content.state_change_priority", content.stateChangePriority)]
            + retries.enumerated().map { ("monitor.retry.priorities.\($0)", $1) }
        for (path, priority) in priorities where content.wakeApp != nil {
            reading.require(priority == .considerate, path, given: "content.wake_app") {
                "must be 5 with content.wake_app, got \(priority.rawValue): APNs takes background pushes at priority 5 only"
            }
        }
        checkETA(&reading)
        guard let policy = scenario.content.refreshWhenMoved else { return }
        let path = "content.refresh"
        reading.require(scenario.content.eta != nil, path, given: "content.eta") {
            "needs content.eta: without an ETA, nothing moves"
        }
        reading.require(
            policy.atLeastEvery ?? policy.atMostEvery >= policy.atMostEvery,
            "\(path).at_least_every",
            given: "\(path).at_most_every"
        ) {
            let (least, most) = (DurationText.text(policy.atLeastEvery ?? .zero), DurationText.text(policy.atMostEvery))
            return "must be at least content.refresh.at_most_every (\(most)), got \(least)"
        }
    }

    func checkETA(_ reading: inout Reading) {
        guard let eta = scenario.content.eta else { return }
        let (path, file) = ("content.eta", "content.eta.file")
        guard !eta.file.isEmpty else {
            reading.require(eta.columns == Scenario.ETAColumns(), "\(path).columns", given: file) {
                "needs \(file), which is off: generated estimates have no columns"
            }
            return
        }
        let generated = [
            ("step", eta.step == Scenario.ETA().step), ("drift", eta.drift == 0), ("noise", eta.noise == nil),
            ("jump_share", eta.jumpShare == .never),
        ]
        for (key, isLeftOut) in generated {
            reading.require(isLeftOut, "\(path).\(key)", given: file) {
                "must be left out with \(file): recorded estimates change as they did"
            }
        }
    }

    func checkPayload(_ reading: inout Reading) {
        let payload = scenario.content.payload
        for (index, stage) in scenario.rides.stages.enumerated() {
            let path = "rides.stages.\(index).payload_bytes"
            reading.require(stage.payloadBytes == nil || payload.bytes != nil, path, given: "content.payload.bytes") {
                "needs content.payload.bytes, which is off: sizes are not modelled"
            }
        }
        reading.require(
            payload.shrink == nil || payload.ladder,
            "content.payload.shrink",
            given: "content.payload.ladder"
        ) {
            "needs content.payload.ladder, which is false: no photo is shrunk"
        }
        let least = (try? payload.photoBytes.support().lowerBound) ?? 0
        let mayShrink = payload.ladder || payload.photoStage.isEmpty || payload.bytes == nil
        reading.require(
            mayShrink || least <= Double(payload.limit),
            "content.payload.photo_bytes",
            given: "content.payload.limit",
            "content.payload.ladder"
        ) {
            "must be at most content.payload.limit (\(payload.limit)) if content.payload.ladder is false, got at least "
                + "\(NumberText.text(least)): APNs would reject each push with it"
        }
        reading.require(
            payload.carPhotoBytes == nil || payload.photoPolicy == .once,
            "content.payload.car_photo_bytes",
            given: "content.payload.photo_policy"
        ) {
            "needs content.payload.photo_policy once, got \(payload.photoPolicy.rawValue): the driver's photo takes its place"
        }
        let pictures = scenario.devices.pictures
        let isPhotoShown = pictures == nil || pictures?.download != nil
        reading.require(
            isPhotoShown || !payload.photoStage.isEmpty,
            "devices.pictures",
            given: "content.payload.photo_stage"
        ) {
            "needs content.payload.photo_stage or devices.pictures.download: there is no photo to show"
        }
        reading.require(
            isPhotoShown || payload.photoStage.isEmpty || payload.bytes != nil,
            "devices.pictures",
            given: "content.payload.bytes"
        ) {
            "needs content.payload.bytes or devices.pictures.download: no photo would come by push or by download"
        }
        for (index, stage) in scenario.rides.stages.enumerated() where scenario.content.wakeApp != nil {
            reading.require(!stage.alert, "rides.stages.\(index).alert", given: "content.wake_app") {
                "must be false with content.wake_app, got true: background pushes carry no alert"
            }
        }
    }
}
