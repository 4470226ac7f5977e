package import Quantities

/// The grammar of the phone link, over which a run's phones talk to an APNs stand-in: lines of ASCII over one HTTP/2
/// stream, both ways.
///
/// | from the phones | |
/// |---|---|
/// | `begin <speed> <payloads 0 or 1>` | a run begins |
/// | `dead <token> <since, virtual µs>` | a token has become invalid |
/// | `follow <channel> <ride>` | the card of a ride's phone follows a broadcast channel |
/// | `leave <channel> <ride>` | it no longer does |
/// | `end` | the run is over |
///
/// | to the phones | |
/// |---|---|
/// | `begun` or `busy` | the response to `begin` |
/// | `push <apns-id> <token> <virtual µs> <priority> [<payload in base64>]` | a push reaches its phone |
/// | `lost <apns-id>` | an accepted push never arrives |
/// | `void <apns-id>` | APNs has rejected a push, or never received it |
/// | `sent <apns-request-id> <ride> …` | APNs sends a publication on to the phones of rides |
/// | `copy <apns-request-id> <ride> <virtual µs> <priority> [<payload in base64>]` | a copy reaches its phone |
/// | `missed <apns-request-id> <ride>` | a copy never arrives |
///
/// ``PhoneReport`` goes one way, ``PhoneLineReply`` and ``PhoneNews`` the other.
package enum PhonesLine {
    /// The path of the link on a stand-in.
    package static var path: String { "/freshet/phones" }
    /// The maximum length of a line from the phones [bytes].
    package static var longestReport: Int { 4096 }
    /// The accepted instants of a run [µs]: thirty years either way.
    package static var instants: ClosedRange<Int64> { -1_000_000_000_000_000...1_000_000_000_000_000 }
    /// The allowed speeds of a run.
    package static var speeds: ClosedRange<Double> { 0.001...1_000_000.0 }

    fileprivate typealias Words = [Slice<UnsafeRawBufferPointer>]

    fileprivate static func words(of line: UnsafeRawBufferPointer) -> Words {
        line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    }

    fileprivate static func text(_ word: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: word, as: UTF8.self)
    }

    /// Reads a ride's number; `nil` for anything but its digits.
    fileprivate static func ride(_ word: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        guard !word.isEmpty, word.count <= 20 else { return nil }
        var number: UInt64 = 0
        for byte in word {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(byte - 0x30))
            guard !isTooLarge, !overflows else { return nil }
            number = sum
        }
        return number
    }

    /// The longest accepted name of a channel [characters].
    fileprivate static var longestChannel: Int { 256 }
}

/// The messages from a run's phones to the stand-in.
package enum PhoneReport: Hashable, Sendable {
    /// A run begins.
    ///
    /// Its virtual instant 0 is the moment at which this is read.
    case begin(speed: Double, withPayloads: Bool)
    /// A token became invalid at a virtual instant.
    case dead(TokenDigest, since: Instant)
    /// The card of a ride's phone follows a broadcast channel from now on.
    case follows(channel: String, ride: UInt64)
    /// The card of a ride's phone is over.
    case leaves(channel: String, ride: UInt64)
    /// The run is over.
    case end

    /// The line, with its newline.
    package var line: String {
        switch self {
        case .begin(let speed, let withPayloads): "begin \(speed) \(withPayloads ? 1 : 0)\n"
        case .dead(let token, let since): "dead \(token.hexadecimal) \(since.microseconds)\n"
        case .follows(let channel, let ride): "follow \(channel) \(ride)\n"
        case .leaves(let channel, let ride): "leave \(channel) \(ride)\n"
        case .end: "end\n"
        }
    }

    /// Reads a line without its newline; `nil` for an unknown form or a value out of range.
    package init?(line: UnsafeRawBufferPointer) {
        let words = PhonesLine.words(of: line).map { PhonesLine.text($0)[...] }
        switch (words[0], words.count) {
        case ("begin", 3):
            guard let speed = Double(words[1]), PhonesLine.speeds.contains(speed), words[2] == "0" || words[2] == "1"
            else { return nil }
            self = .begin(speed: speed, withPayloads: words[2] == "1")
        case ("dead", 3):
            guard let token = TokenDigest(hexadecimal: words[1]), let since = Int64(words[2]),
                PhonesLine.instants.contains(since)
            else { return nil }
            self = .dead(token, since: Instant(microseconds: since))
        case ("follow", 3), ("leave", 3):
            guard !words[1].isEmpty, words[1].utf8.count <= PhonesLine.longestChannel, let ride = UInt64(words[2])
            else { return nil }
            let channel = String(words[1])
            self = words[0] == "follow" ? .follows(channel: channel, ride: ride) : .leaves(channel: channel, ride: ride)
        case ("end", 1): self = .end
        default: return nil
        }
    }
}

/// The stand-in's response to ``PhoneReport/begin(speed:withPayloads:)``.
package enum PhoneLineReply: String, CaseIterable, Sendable {
    /// The run has begun.
    case begun
    /// Other phones are already connected.
    case busy

    /// The line, with its newline.
    package var line: String { rawValue + "\n" }

    /// Reads a line without its newline; `nil` for any other text.
    package init?(line: UnsafeRawBufferPointer) {
        guard let reply = PhoneLineReply.allCases.first(where: { line.elementsEqual($0.rawValue.utf8) }) else {
            return nil
        }
        self = reply
    }
}

/// The messages from a stand-in to the connected phones.
package enum PhoneNews: Hashable, Sendable {
    /// A push reaches the phone at a virtual instant; its payload is included if the phones requested it.
    case push(id: RequestID, token: DeviceToken, at: Instant, priority: Int, payload: [UInt8]?)
    /// An accepted push will never arrive.
    case lost(RequestID)
    /// APNs has rejected a push or never received it.
    case void(RequestID)
    /// APNs sends a publication on to the phones of rides.
    case sentOn(RequestID, to: [UInt64])
    /// The copy of a publication reaches the phone of a ride at a virtual instant.
    case copy(RequestID, ride: UInt64, at: Instant, priority: Int, payload: [UInt8]?)
    /// The copy of a publication will never reach the phone of a ride.
    case missed(RequestID, ride: UInt64)

    /// Appends the line of a push, with its newline.
    ///
    /// - Parameters:
    ///   - id: Its `apns-id`.
    ///   - token: The token in hexadecimal digits, as its provider wrote it.
    ///   - payload: The payload, if the phones requested it.
    package static func appendPush(
        id: RequestID,
        token: Substring,
        at instant: Instant,
        priority: UInt8,
        payload: UnsafeRawBufferPointer?,
        to lines: inout [UInt8]
    ) {
        append("push ", id, to: &lines)
        lines.append(UInt8(ascii: " "))
        lines.append(contentsOf: token.utf8)
        lines.append(UInt8(ascii: " "))
        lines.append(contentsOf: String(instant.microseconds).utf8)
        lines.append(UInt8(ascii: " "))
        lines.append(contentsOf: String(priority).utf8)
        if let payload {
            lines.append(UInt8(ascii: " "))
            Base64Text.append(payload, to: &lines)
        }
        lines.append(UInt8(ascii: "\n"))
    }

    /// Appends the line of a push that will never arrive, with its newline.
    package static func appendLost(id: RequestID, to lines: inout [UInt8]) {
        append("lost ", id, to: &lines)
        lines.append(UInt8(ascii: "\n"))
    }

    /// Appends the line of a push that APNs has not accepted, with its newline.
    package static func appendVoid(id: RequestID, to lines: inout [UInt8]) {
        append("void ", id, to: &lines)
        lines.append(UInt8(ascii: "\n"))
    }

    /// Appends the line of a publication that is sent on, with its newline.
    package static func appendSentOn(id: RequestID, to rides: some Sequence<UInt64>, lines: inout [UInt8]) {
        append("sent ", id, to: &lines)
        for ride in rides { append(ride, to: &lines) }
        lines.append(UInt8(ascii: "\n"))
    }

    /// Appends the line of a copy that reaches its phone, with its newline.
    package static func appendCopy(
        id: RequestID,
        ride: UInt64,
        at instant: Instant,
        priority: UInt8,
        payload: UnsafeRawBufferPointer?,
        to lines: inout [UInt8]
    ) {
        append("copy ", id, to: &lines)
        append(ride, to: &lines)
        lines.append(UInt8(ascii: " "))
        lines.append(contentsOf: String(instant.microseconds).utf8)
        append(UInt64(priority), to: &lines)
        if let payload {
            lines.append(UInt8(ascii: " "))
            Base64Text.append(payload, to: &lines)
        }
        lines.append(UInt8(ascii: "\n"))
    }

    /// Appends the line of a copy that will never arrive, with its newline.
    package static func appendMissed(id: RequestID, ride: UInt64, to lines: inout [UInt8]) {
        append("missed ", id, to: &lines)
        append(ride, to: &lines)
        lines.append(UInt8(ascii: "\n"))
    }

    private static func append(_ number: UInt64, to lines: inout [UInt8]) {
        lines.append(UInt8(ascii: " "))
        lines.append(contentsOf: String(number).utf8)
    }

    private static func append(_ word: String, _ id: RequestID, to lines: inout [UInt8]) {
        lines.append(contentsOf: word.utf8)
        id.withText(.lowercase) { lines.append(contentsOf: $0) }
    }

    /// Reads a line without its newline; `nil` for an unknown form.
    package init?(line: UnsafeRawBufferPointer) {
        let words = PhonesLine.words(of: line)
        guard words.count >= 2, let id = RequestID(canonical: words[1]) else { return nil }
        if words[0].elementsEqual("lost".utf8), words.count == 2 {
            self = .lost(id)
        } else if words[0].elementsEqual("void".utf8), words.count == 2 {
            self = .void(id)
        } else if words[0].elementsEqual("push".utf8), (5...6).contains(words.count),
            let token = DeviceToken(hexadecimal: words[2]), let at = Int64(PhonesLine.text(words[3])),
            let priority = Int(PhonesLine.text(words[4]))
        {
            var payload: [UInt8]?
            if words.count == 6 {
                guard let bytes = Base64Text.bytes(words[5]) else { return nil }
                payload = bytes
            }
            self = .push(id: id, token: token, at: Instant(microseconds: at), priority: priority, payload: payload)
        } else if let copy = PhoneNews(ofChannel: words, id) {
            self = copy
        } else {
            return nil
        }
    }

    /// Reads the words of a line about a publication; `nil` for an unknown form.
    private init?(ofChannel words: PhonesLine.Words, _ id: RequestID) {
        if words[0].elementsEqual("sent".utf8) {
            let rides = words.dropFirst(2).map { PhonesLine.ride($0) }
            guard !rides.contains(nil) else { return nil }
            self = .sentOn(id, to: rides.compactMap { $0 })
            return
        }
        guard words.count >= 3, let ride = PhonesLine.ride(words[2]) else { return nil }
        if words[0].elementsEqual("missed".utf8), words.count == 3 {
            self = .missed(id, ride: ride)
        } else if words[0].elementsEqual("copy".utf8), (5...6).contains(words.count),
            let at = Int64(PhonesLine.text(words[3])), let priority = Int(PhonesLine.text(words[4]))
        {
            var payload: [UInt8]?
            if words.count == 6 {
                guard let bytes = Base64Text.bytes(words[5]) else { return nil }
                payload = bytes
            }
            self = .copy(id, ride: ride, at: Instant(microseconds: at), priority: priority, payload: payload)
        } else {
            return nil
        }
    }
}
