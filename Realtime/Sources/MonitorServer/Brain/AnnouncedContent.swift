package import FreshnessCore
package import Quantities

/// Content that the app's server wants on a screen.
package struct AnnouncedContent: Hashable, Sendable {
    /// When it was generated, and until when it is good.
    package var stamp: ContentStamp
    /// The `content-state` of the payload: a JSON object, byte by byte as it came.
    package var state: [UInt8]
    /// The priority of its first push; retries take that of the policy.
    package var priority: PushPriority
    /// How long the content is good for from the moment of a retry on; nil: a retry carries the stale date that was announced.
    ///
    /// Content that says "your driver waits" is as true a minute later, and only its owner knows that.
    package var renewal: TimeSpan?

    /// Content.
    package init(stamp: ContentStamp, state: [UInt8], priority: PushPriority, renewal: TimeSpan? = nil) {
        self.stamp = stamp
        self.state = state
        self.priority = priority
        self.renewal = renewal
    }
}
