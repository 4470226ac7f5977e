import FreshnessCore

/// The kinds of push that `apns-push-type` can name.
///
/// Source: Apple, "Sending notification requests to APNs".
package enum PushType: String, CaseIterable, BitwiseCopyable, Sendable {
    case alert
    case background
    case complication
    case controls
    case fileProvider = "fileprovider"
    case liveActivity = "liveactivity"
    case location
    case mobileDeviceManagement = "mdm"
    case pushToTalk = "pushtotalk"
    case voip
    case widgets

    /// The suffix that a topic of this type has after the bundle id; empty if the topic is the bundle id.
    package var topicSuffix: String {
        switch self {
        case .alert, .background, .mobileDeviceManagement: ""
        case .complication: ".complication"
        case .controls: ".push-type.controls"
        case .fileProvider: ".pushkit.fileprovider"
        case .liveActivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .pushToTalk: ".voip-ptt"
        case .voip: ".voip"
        case .widgets: ".push-type.widgets"
        }
    }

    /// The maximum size of a payload [bytes].
    package var largestPayload: Int { self == .voip ? PushRules.largestBody : PushEvent.largestPayload }

    /// Returns the type whose suffix a topic has; `nil` for a topic without a known suffix.
    package static func suffixed(_ topic: String) -> PushType? {
        allCases.first { !$0.topicSuffix.isEmpty && topic.hasSuffix($0.topicSuffix) }
    }

    /// Returns `true` if a push of this type may have a priority.
    ///
    /// Live Activities: 5 and 10 (Apple, "Starting and updating Live Activities with ActivityKit push notifications").
    /// For a background push Apple also calls 10 an error.
    package func allows(priority: UInt8) -> Bool {
        switch self {
        case .liveActivity: priority == 5 || priority == 10
        case .background: priority == 5 || priority == 1
        default: priority == 1 || priority == 5 || priority == 10
        }
    }
}
