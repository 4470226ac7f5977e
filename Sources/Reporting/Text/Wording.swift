import Experiments
import FreshnessCore
import LiveActivityModel

/// Plain words for the names in result files and for the cases of the model.
///
/// A name without words of its own, from a newer version or a server's log, is shown as it is, blanks for underscores.
enum Wording {
    /// A fault.
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
    private static func part(_ kind: String, _ name: String) -> String {
        MetricDescription.scopeWords["\(kind):\(name)"] ?? plain(name)
    }

    /// Why activities ended, failed to start, or pushes were not sent: by the name in `reason:…`.
    static func reason(_ name: String) -> String { part("reason", name) }

    /// What became of pushes: by the name in `fate:…`.
    static func fate(_ name: String) -> String { part("fate", name) }

    /// What APNs answered: by the name in `status:…`.
    static func status(_ name: String) -> String { part("status", name) }

    /// How episodes of staleness ended: by the name in `outcome:…`.
    static func outcome(_ name: String) -> String { part("outcome", name) }

    /// Kinds of pushes: by the name in `kind:…`.
    static func kind(_ name: String) -> String { part("kind", name) }

    /// Where the content of screens came from: by the name in `source:…`.
    static func source(_ name: String) -> String { part("source", name) }

    /// A kind of push.
    static func push(_ kind: StoryLine.PushKind) -> String {
        switch kind {
        case .update: "update"
        case .retry: "retry"
        case .end: "end"
        case .start: "push-to-start"
        }
    }

    /// A bucket of the monitor.
    static func belief(_ belief: FreshnessClass) -> String {
        switch belief {
        case .fresh: "fresh"
        case .recoverable: "recoverable"
        case .severe: "severe"
        }
    }

    /// A name with blanks for underscores.
    static func plain(_ name: String) -> String {
        name.replacing("_", with: " ")
    }
}
