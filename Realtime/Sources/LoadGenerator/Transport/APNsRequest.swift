package import NIOCore
package import Wire

/// One push to one Live Activity, as a provider sends it: `POST /3/device/<token>`.
///
/// Source: Apple, "Sending notification requests to APNs".
package struct APNsRequest: Sendable {
    /// The caller's number, which is returned with the outcome; numbers may repeat.
    package var number: UInt64
    /// `apns-id`.
    package var id: RequestID
    /// The device token.
    package var token: DeviceToken
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

    /// A push.
    package init(
        number: UInt64,
        id: RequestID,
        token: DeviceToken,
        topic: String,
        priority: Int = 10,
        expiration: Int64? = nil,
        payload: ByteBuffer,
        due: NIODeadline = .now()
    ) {
        self.number = number
        self.id = id
        self.token = token
        self.topic = topic
        self.priority = priority
        self.expiration = expiration
        self.payload = payload
        self.due = due
    }
}
