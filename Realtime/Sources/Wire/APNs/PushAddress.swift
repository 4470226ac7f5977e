/// The address of a Live Activity's pushes.
package enum PushAddress: Hashable, Sendable {
    /// The update token of one card.
    case token(DeviceToken)
    /// The broadcast channel that the cards of a group follow.
    case channel(ChannelID)

    /// The token; `nil` for a channel.
    package var token: DeviceToken? { if case .token(let token) = self { token } else { nil } }
    /// The channel; `nil` for a token.
    package var channel: ChannelID? { if case .channel(let channel) = self { channel } else { nil } }
}

/// The id of a broadcast channel, as APNs gives it: base64.
///
/// Source: Apple, "Sending channel management requests to APNs".
package struct ChannelID: Hashable, Sendable {
    /// The base64.
    package let text: String

    /// The accepted lengths of the decoded id [bytes]; Apple states none, and its examples have 16.
    package static var byteCounts: ClosedRange<Int> { 1...64 }

    /// Reads base64; `nil` for any other text, or an id of another length.
    package init?(_ text: String) {
        guard let bytes = Base64Text.bytes(text.utf8), ChannelID.byteCounts ~= bytes.count else { return nil }
        // Written again, because it goes into a header, and the reader ignores what follows the padding.
        var canonical: [UInt8] = []
        bytes.withUnsafeBytes { Base64Text.append($0, to: &canonical) }
        guard text.utf8.elementsEqual(canonical) else { return nil }
        self.text = text
    }
}
