import Experiments
import FreshnessCore
import LiveActivityModel

/// Plain words for the names in result files and for the cases of the model.
///
/// A name without words of its own, from a newer version or a server's log, is shown as it is, blanks for underscores.
enum Wording {
    static func fault(_ kind: Scenario.Fault.Kind) -> String {
        switch kind {
        case .apnsSilent: "APNs silent"
        case .apnsUnavailable: "APNs unavailable"
        case .apnsSlow: "APNs slow"
        case .apnsCapacity: "APNs at part of its speed"
        case .connectionLost: "connections lost"
        case .senderPaused: "sender paused"
        case .monitorPaused: "monitor paused"
        case .contentDown: "no new content"
        case .tokenPostDown: "token posts fail"
        case .devicesOffline: "phones offline"
        }
    }

    /// A part of a metric by its scope, as `fate:lost`: the words that its declaration gives it.
    static func part(_ kind: String, _ name: String) -> String {
        MetricDescription.scopeWords["\(kind):\(name)"] ?? plain(name)
    }

    static func push(_ kind: StoryLine.PushKind) -> String { kind == .start ? "push-to-start" : "\(kind)" }

    /// A bucket of the monitor.
    static func belief(_ belief: FreshnessClass) -> String { "\(belief)" }

    static func plain(_ name: String) -> String {
        name.replacing("_", with: " ")
    }
}

extension ActivityRecord.Cause {
    /// As `lost` or `end_lost`.
    var name: String { place.name(isAfterRide: isAfterRide) }
    var words: String { place.words(isAfterRide: isAfterRide) }
}

extension [String] {
    /// "a", "a and b", "a, b and c".
    var enumeration: String {
        guard let last, count > 1 else { return self.last ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
