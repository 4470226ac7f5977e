import FreshnessCore
import Quantities

/// A field of a request's body: its name and the values that a monitor accepts.
///
/// The reader of a body applies these rules, and the description of the API states them.
package enum MonitorField: String, CaseIterable, Sendable {
    case token
    case channel
    case contentState = "content_state"
    case generatedAt = "generated_at_us"
    case staleDate = "stale_date"
    case priority
    case renewal = "renewable_for_s"
    case alert
    case relevanceScore = "relevance_score"
    case dismissalDate = "dismissal_date"

    /// The accepted values of a field.
    package enum Values: Hashable, Sendable {
        /// Pairs of hexadecimal digits.
        case hexadecimal(pairs: ClosedRange<Int>)
        /// Base64 of this many bytes.
        case base64(bytes: ClosedRange<Int>)
        /// A JSON object of at most this size [bytes].
        case object(largest: Int)
        /// Whole microseconds of UNIX time.
        case microseconds(ClosedRange<Int64>)
        /// Seconds of UNIX time, possibly fractional.
        case seconds(ClosedRange<Int64>)
        /// A span in seconds, above zero, possibly fractional.
        case span(longest: Int64)
        /// A number of a list.
        case choice([Int])
        /// An alert; see ``PushAlert``.
        case alert
        /// A finite number.
        case number
    }

    /// The name in the body.
    package var name: String { rawValue }

    /// `true` if a request without this field is refused.
    package var isRequired: Bool { self == .token || self == .contentState }

    /// The required field that may be missing if this one is there; a request with both is refused.
    package var replaced: MonitorField? { self == .channel ? .token : nil }

    /// The accepted values.
    package var values: Values {
        let latest = ContentAnnouncement.latestInstant
        return switch self {
        case .token: .hexadecimal(pairs: 1...DeviceToken.largestByteCount)
        case .channel: .base64(bytes: ChannelID.byteCounts)
        case .contentState: .object(largest: ActivityPayload.largestContent)
        case .generatedAt: .microseconds(0...latest)
        case .staleDate, .dismissalDate: .seconds(0...latest / 1_000_000)
        case .priority: .choice(PushPriority.allCases.map(\.rawValue).sorted())
        case .alert: .alert
        case .relevanceScore: .number
        case .renewal: .span(longest: ContentAnnouncement.longestRenewal.microseconds / 1_000_000)
        }
    }

    /// The accepted values in words, for errors.
    package var allowed: String {
        switch values {
        case .hexadecimal(let pairs):
            "an even number of hexadecimal digits, \(2 * pairs.lowerBound) to \(2 * pairs.upperBound)"
        case .base64(let bytes): "base64 of \(bytes.lowerBound) to \(bytes.upperBound) bytes, and no token beside it"
        case .object(let largest): "an object of at most \(largest) bytes, for which a payload has room"
        case .microseconds(let range): "microseconds of UNIX time, \(range.lowerBound) to \(range.upperBound)"
        case .seconds(let range): "seconds of UNIX time, \(range.lowerBound) to \(range.upperBound)"
        case .span(let longest): "seconds, above 0, at most \(longest)"
        case .alert: "an object with title, body and an optional sound, each a text that is not empty"
        case .number: "a finite number"
        case .choice(let numbers): numbers.map { "\($0)" }.joined(separator: " or ")
        }
    }

    /// The meaning, and the effect of leaving the field out.
    package var meaning: String {
        switch self {
        case .token: "The activity's push token."
        case .channel:
            "The broadcast channel that the instance's cards follow, instead of a token. One push to it reaches all of them."
        case .contentState: "The content state, which pushes carry unchanged."
        case .generatedAt: "The time at which the content was generated. Default: now."
        case .staleDate: "The time at which the content becomes stale. Default: never."
        case .priority: "The priority of the push. Default: 10."
        case .renewal: "The time for which a repeated push is valid. Default: until the stale date."
        case .alert:
            "An alert that lights up the screen with this content. It is sent once: no retry repeats it. Default: none."
        case .relevanceScore:
            "The relevance among the app's activities on the phone: a larger number is more relevant. Default: none."
        case .dismissalDate: "The time at which the phone removes the card. Default: the phone decides."
        }
    }
}

extension MonitorRoute {
    /// The fields that the request's body may have.
    package var fields: [MonitorField] {
        switch self {
        case .publish: [.token, .channel, .generatedAt, .staleDate]
        case .announce: [.contentState, .generatedAt, .staleDate, .priority, .renewal, .alert, .relevanceScore]
        case .end: [.dismissalDate]
        case .withdraw, .read, .list, .health, .metrics, .openAPI: []
        }
    }
}
