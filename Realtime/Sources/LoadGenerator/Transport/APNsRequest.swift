package import NIOCore
package import Wire

/// One request of a provider: a push to one Live Activity, `POST /3/device/<token>`, or a call about a broadcast channel.
///
/// Source: Apple, "Sending notification requests to APNs" and "Sending channel management requests to APNs".
package struct APNsRequest: Sendable {
    /// The caller's number, which is returned with the outcome; numbers may repeat.
    package var number: UInt64
    /// `apns-id`.
    package var id: RequestID
    /// The addressee.
    package var target: Target
    /// `apns-topic`; for Live Activities the bundle's id and `.push-type.liveactivity`.
    package var topic: String
    /// `apns-priority`: 10, 5 or 1.
    package var priority: Int
    /// `apns-expiration` [s since 1970]; nil: the header is left out.
    package var expiration: Int64?
    /// The JSON document, at most ``ActivityPayload/largest`` bytes for APNs.
    package var payload: ByteBuffer
    /// The due time, which is only returned with the outcome.
    package var due: NIODeadline

    /// The addressee of a request.
    package enum Target: Hashable, Sendable {
        /// A phone, by its token.
        case device(DeviceToken)
        /// The phones that follow a channel: `POST /4/broadcasts/apps/<bundle id>`.
        case broadcast(channel: String)
        /// APNs, which creates a channel: `POST /1/apps/<bundle id>/channels`; the payload has its properties.
        case newChannel
        /// APNs, which deletes a channel: `DELETE /1/apps/<bundle id>/channels`.
        case deletion(channel: String)
    }

    /// The bundle id of the app, from its topic.
    package var bundleID: Substring {
        let suffix = PushType.liveActivity.topicSuffix
        return topic.hasSuffix(suffix) ? topic.dropLast(suffix.count) : topic[...]
    }

    /// A request.
    package init(
        number: UInt64,
        id: RequestID,
        target: Target,
        topic: String,
        priority: Int = 10,
        expiration: Int64? = nil,
        payload: ByteBuffer,
        due: NIODeadline = .now()
    ) {
        self.number = number
        self.id = id
        self.target = target
        self.topic = topic
        self.priority = priority
        self.expiration = expiration
        self.payload = payload
        self.due = due
    }
}
