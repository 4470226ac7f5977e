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
        append("push", id, to: &lines)
        append(token, to: &lines)
        appendArrival(at: instant, priority: priority, payload: payload, to: &lines)
    }

    /// Appends the line of a push that will never arrive, with its newline.
    package static func appendLost(id: RequestID, to lines: inout [UInt8]) {
        appendLine("lost", id, to: &lines)
    }

    /// Appends the line of a push that APNs has not accepted, with its newline.
    package static func appendVoid(id: RequestID, to lines: inout [UInt8]) {
        appendLine("void", id, to: &lines)
    }

    /// Appends the line of a publication that is sent on, with its newline.
    package static func appendSentOn(id: RequestID, to rides: some Sequence<UInt64>, lines: inout [UInt8]) {
        appendLine("sent", id, rides, to: &lines)
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
        append("copy", id, to: &lines)
        append(String(ride), to: &lines)
        appendArrival(at: instant, priority: priority, payload: payload, to: &lines)
    }

    /// Appends the line of a copy that will never arrive, with its newline.
    package static func appendMissed(id: RequestID, ride: UInt64, to lines: inout [UInt8]) {
        appendLine("missed", id, CollectionOfOne(ride), to: &lines)
    }

    /// Appends what the lines of a push and of a copy have last.
    private static func appendArrival(
        at instant: Instant,
        priority: UInt8,
        payload: UnsafeRawBufferPointer?,
        to lines: inout [UInt8]
    ) {
        append(String(instant.microseconds), to: &lines)
        append(String(priority), to: &lines)
        if let payload {
            lines.append(UInt8(ascii: " "))
            Base64Text.append(payload, to: &lines)
        }
        lines.append(UInt8(ascii: "\n"))
    }

    private static func appendLine(
        _ word: String,
        _ id: RequestID,
        _ rides: some Sequence<UInt64> = EmptyCollection(),
        to lines: inout [UInt8]
    ) {
        append(word, id, to: &lines)
        for ride in rides { append(String(ride), to: &lines) }
        lines.append(UInt8(ascii: "\n"))
    }

    private static func append(_ word: some StringProtocol, to lines: inout [UInt8]) {
        lines.append(UInt8(ascii: " "))
        lines.append(contentsOf: word.utf8)
    }

    private static func append(_ word: String, _ id: RequestID, to lines: inout [UInt8]) {
        lines.append(contentsOf: word.utf8)
        lines.append(UInt8(ascii: " "))
        id.withText(.lowercase) { lines.append(contentsOf: $0) }
    }

    /// Reads a line without its newline; `nil` for an unknown form.
    package init?(line: UnsafeRawBufferPointer) {
        let words = PhonesLine.words(of: line)
        guard words.count >= 2, let id = RequestID(canonical: words[1]) else { return nil }
        switch (PhonesLine.text(words[0]), words.count) {
        case ("lost", 2): self = .lost(id)
        case ("void", 2): self = .void(id)
        case ("push", 5...6):
            guard let token = DeviceToken(hexadecimal: words[2]), let arrival = Self.arrival(words) else { return nil }
            self = .push(id: id, token: token, at: arrival.at, priority: arrival.priority, payload: arrival.payload)
        case ("sent", _):
            let rides = words.dropFirst(2).map { PhonesLine.ride($0) }
            guard !rides.contains(nil) else { return nil }
            self = .sentOn(id, to: rides.compactMap { $0 })
        case ("missed", 3):
            guard let ride = PhonesLine.ride(words[2]) else { return nil }
            self = .missed(id, ride: ride)
        case ("copy", 5...6):
            guard let ride = PhonesLine.ride(words[2]), let arrival = Self.arrival(words) else { return nil }
            self = .copy(id, ride: ride, at: arrival.at, priority: arrival.priority, payload: arrival.payload)
        default: return nil
        }
    }

    /// Reads what the lines of a push and of a copy have last.
    private static func arrival(_ words: PhonesLine.Words) -> (at: Instant, priority: Int, payload: [UInt8]?)? {
        guard let at = Int64(PhonesLine.text(words[3])), let priority = Int(PhonesLine.text(words[4])) else {
            return nil
        }
        var payload: [UInt8]?
        if words.count == 6 {
            guard let bytes = Base64Text.bytes(words[5]) else { return nil }
            payload = bytes
        }
        return (Instant(microseconds: at), priority, payload)
    }
}
