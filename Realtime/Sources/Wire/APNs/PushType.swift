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

    /// What a topic of this type has behind the bundle id; empty where the bundle id is all.
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

    /// The most bytes that a payload may have.
    package var largestPayload: Int { self == .voip ? PushRules.largestBody : PushEvent.largestPayload }

    /// The type whose suffix a topic has; nil for a topic without any of them.
    package static func suffixed(_ topic: String) -> PushType? {
        allCases.first { !$0.topicSuffix.isEmpty && topic.hasSuffix($0.topicSuffix) }
    }

    /// Whether a push of this type may have a priority.
    ///
    /// Live Activities: 5 and 10 (Apple, "Starting and updating Live Activities with ActivityKit push notifications"). Apple
    /// calls 10 for a background push an error as well.
    package func allows(priority: UInt8) -> Bool {
        switch self {
        case .liveActivity: priority == 5 || priority == 10
        case .background: priority == 5 || priority == 1
        default: priority == 1 || priority == 5 || priority == 10
        }
    }
}
