public import NIOCore
public import Wire

/// One push to one device, as a provider sends it: `POST /3/device/<token>`.
///
/// Source: Apple, "Sending notification requests to APNs".
public struct APNsRequest: Sendable {
    /// The caller's own number for it, which comes back with the outcome; numbers may repeat.
    public var number: UInt64
    /// `apns-id`.
    public var id: RequestID
    /// Whom it is for.
    public var token: DeviceToken
    /// `apns-topic`; for Live Activities the bundle's id and `.push-type.liveactivity`.
    public var topic: String
    /// `apns-push-type`.
    public var pushType: String
    /// `apns-priority`: 10, 5 or 1.
    public var priority: Int
    /// `apns-expiration` [s since 1970]; nil: the header is left out.
    public var expiration: Int64?
    /// `apns-collapse-id`, at most 64 bytes; nil: the header is left out.
    public var collapseID: String?
    /// The JSON document, at most 4,096 bytes for APNs.
    public var payload: ByteBuffer
    /// When it ought to be sent; comes back with the outcome, and nothing else is done with it.
    public var due: NIODeadline

    /// A push.
    public init(
        number: UInt64,
        id: RequestID,
        token: DeviceToken,
        topic: String,
        pushType: String = "liveactivity",
        priority: Int = 10,
        expiration: Int64? = nil,
        collapseID: String? = nil,
        payload: ByteBuffer,
        due: NIODeadline = .now()
    ) {
        self.number = number
        self.id = id
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.payload = payload
        self.due = due
    }
}
