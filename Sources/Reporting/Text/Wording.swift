import Evaluation
import FreshnessCore
import LiveActivityModel

/// Words for the names in result files and for the cases of the model.
///
/// An unknown name, from a newer version or a server's log, is shown as it is, with spaces for underscores.
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
        case .contentSlow: "content slow"
        case .tokenPostDown: "token posts fail"
        case .devicesOffline: "phones offline"
        }
    }

    /// Returns the words for a scope of a metric such as `fate:lost`, as declared with the metric.
    static func part(_ kind: String, _ name: String) -> String {
        MetricDescription.scopeWords["\(kind):\(name)"] ?? plain(name)
    }

    static func push(_ kind: StoryLine.PushKind) -> String { kind == .start ? "push-to-start" : "\(kind)" }

    /// Returns the words for a class of the monitor.
    static func belief(_ belief: FreshnessClass) -> String { "\(belief)" }

    static func plain(_ name: String) -> String {
        name.replacing("_", with: " ")
    }
}

extension ActivityRecord.Cause {
    /// The scope's name, such as `lost` or `end_lost`.
    var name: String { place.name(isAfterRide: isAfterRide) }
    var words: String { place.words(isAfterRide: isAfterRide) }
}

extension [String] {
    /// The elements as "a", "a and b", "a, b and c".
    var enumeration: String {
        guard let last, count > 1 else { return self.last ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
