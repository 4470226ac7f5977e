/// The broadcast channels of an app at APNs, and the phones whose cards follow them.
///
/// Like every station it has no clock and no socket. Its host sends an accepted push on to ``phones(of:)``, each with the
/// passage of ``APNsStation/Request/copy(toRide:)``.
///
/// ```
///  create ─► follow, leave ─► phones(of:) ─► delete: no phone follows it
/// ```
///
/// Source: Apple, "Sending channel management requests to APNs".
public struct ChannelStation<Channel: Hashable & Sendable, Phone: Hashable & Sendable>: Sendable {
    private struct Row {
        let storesNewest: Bool
        var phones: [Phone] = []
        var places: [Phone: Int] = [:]
    }

    private var rows: [Channel: Row] = [:]
    /// The number of channels that can exist at once.
    public let most: Int

    /// Creates an app without channels.
    ///
    /// - Parameter most: The number of channels that APNs allows it.
    public init(most: Int) {
        self.most = most
    }

    /// The number of channels.
    public var count: Int { rows.count }

    /// The channels, in no particular order.
    public var channels: some Sequence<Channel> { rows.keys }

    /// `true` if APNs stores the newest push of a channel; nil if there is no such channel.
    public func storesNewest(_ channel: Channel) -> Bool? { rows[channel]?.storesNewest }

    /// Creates a channel; returns `false`, and changes nothing, if the app has as many as APNs allows.
    public mutating func create(_ channel: Channel, storesNewest: Bool) -> Bool {
        guard rows.count < most else { return false }
        rows[channel] = Row(storesNewest: storesNewest)
        return true
    }

    /// Deletes a channel, with its followers; returns `false` if there is none.
    @discardableResult
    public mutating func delete(_ channel: Channel) -> Bool { rows.removeValue(forKey: channel) != nil }

    /// Adds a phone whose card follows a channel from now on; nothing happens if there is no such channel.
    public mutating func follow(_ channel: Channel, _ phone: Phone) {
        // Row by row in place, because a copy of a channel with many followers would be slow.
        guard let place = rows[channel]?.phones.count, rows[channel]?.places[phone] == nil else { return }
        rows[channel]?.places[phone] = place
        rows[channel]?.phones.append(phone)
    }

    /// Removes a phone whose card is over.
    ///
    /// - Complexity: O(1).
    public mutating func leave(_ channel: Channel, _ phone: Phone) {
        guard let place = rows[channel]?.places.removeValue(forKey: phone),
            let last = rows[channel]?.phones.popLast(), last != phone
        else { return }
        rows[channel]?.phones[place] = last
        rows[channel]?.places[last] = place
    }

    /// The phones whose cards follow a channel; without one, none.
    public func phones(of channel: Channel) -> [Phone] { rows[channel]?.phones ?? [] }

    /// Removes the phones that do not satisfy a condition from all channels.
    public mutating func keep(_ isKept: (Phone) -> Bool) {
        for channel in Array(rows.keys) {
            let kept = rows[channel]?.phones.filter(isKept) ?? []
            rows[channel]?.phones = kept
            rows[channel]?.places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        }
    }
}

extension APNsStation.Request {
    /// The request of a copy that APNs sends on from a channel to the phone of a ride: it has the draws of a push to that
    /// ride's token.
    public func copy(toRide ride: UInt64) -> APNsStation.Request {
        APNsStation.Request(ride: ride, drawIndex: drawIndex, tokenNumber: 0, priority: priority, bytes: bytes)
    }
}
