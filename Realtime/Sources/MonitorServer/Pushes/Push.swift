package import FreshnessCore
import LiveActivityModel
package import Wire

/// One push on its way to APNs.
package struct Push: Sendable {
    /// What it is for.
    package enum Kind: Int, CaseIterable, Sendable {
        /// Announced content, the first time.
        case update
        /// An attempt to recover the instance.
        case retry
        /// An end event.
        case end

        /// As pushes are numbered.
        var numbered: StoryLine.PushKind {
            switch self {
            case .update: .update
            case .retry: .retry
            case .end: .end
            }
        }

        /// As metrics name it.
        package var name: String {
            switch self {
            case .update: "update"
            case .retry: "retry"
            case .end: "end"
            }
        }
    }

    /// Counts the pushes of this process.
    package let number: UInt64
    /// Its `apns-id`; another one after a restart.
    package let requestID: RequestID
    /// What it is for.
    package let kind: Kind
    /// The instance, by its place among the monitor's.
    package let row: Int
    /// Which watch over the instance it belongs to; an answer that comes later says nothing about the next one.
    package let watch: UInt8
    /// Where it goes.
    package let token: PublishedToken
    /// The number of that token among the instance's; the answer counts for it alone.
    package let tokenNumber: UInt32
    /// How urgent it is.
    package let priority: PushPriority
    /// The content that it carries.
    package let content: ContentStamp
    /// The JSON document.
    package let payload: [UInt8]
    /// Whether it takes the place of a push with which APNs had not begun.
    package let isRepeat: Bool
}
