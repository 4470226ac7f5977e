import HTTP2
import Testing

/// Input from a peer, with the output that RFC 9113 or RFC 7541 allows.
///
/// The list follows that of h2spec (github.com/summerwind/h2spec): its 95 checks of HTTP/2, 8 of HPACK and 44 general
/// ones, by its numbers. Its sections are those of RFC 7540; in RFC 9113, 5.3 is 5.3.2 and 8.1.2 is 8.2 and 8.3.
/// Numbers that begin with "own" are ours.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// The expected output.
    enum Wanted: Hashable, Sendable {
        /// No frame that ends a stream or the connection.
        case lives
        /// The head of a response; the connection stays open.
        case headers(UInt32)
        /// Exactly this many bytes of a response's body; the connection stays open.
        case data(UInt32, count: Int)
        /// The end of one stream with one of some codes; the connection stays open.
        case reset(UInt32, Set<Code>)
        /// The end of one stream or of the connection, with one of some codes.
        case error(UInt32, Set<Code>)
        /// The end of the connection: GOAWAY with one of some codes.
        case goAway(Set<Code>)
        /// The end of the connection, with or without GOAWAY.
        case closed
        /// An open or closed connection.
        case livesOrCloses
        /// Exactly these frames; the connection stays open.
        case frames([ConformanceAnswer])
    }

    /// Error codes (RFC 9113, section 7).
    enum Code: UInt32, Sendable {
        case none = 0
        case `protocol` = 1
        case flowControl = 3
        case streamClosed = 5
        case frameSize = 6
        case refusedStream = 7
        case compression = 9
        case enhanceYourCalm = 11
    }

    /// A tolerated deviation: the actual output, and the reason.
    struct Exception: Sendable {
        let comesBack: Wanted
        let reason: String
    }

    let number: String
    let title: String
    let sent: [RawFrame]
    let wanted: Wanted
    /// The side under test.
    let side: HTTP2Configuration.Role
    /// `true` if the peer sends this first, instead of after a valid greeting.
    let isFirst: Bool
    let exception: Exception?

    init(
        _ number: String,
        _ title: String,
        _ sent: [RawFrame],
        _ wanted: Wanted,
        side: HTTP2Configuration.Role = .server,
        isFirst: Bool = false,
        but exception: Exception? = nil
    ) {
        self.number = number
        self.title = title
        self.sent = sent
        self.wanted = wanted
        self.side = side
        self.isFirst = isFirst
        self.exception = exception
    }

    var testDescription: String { "\(number) \(title)" }

    static let all = [generic, frames, streams, frameTypes, messages, compression, own, ofServers].flatMap { $0 }
}

/// A frame of the output.
enum ConformanceAnswer: Hashable, Sendable {
    case headers(UInt32)
    case data(UInt32, count: Int)
    case reset(UInt32, code: UInt32)
    case settings
    case settingsACK
    case pong([UInt8])
    case goAway(code: UInt32)
    case windowUpdate(UInt32)
    case other(type: UInt8)

    /// Parses frames from bytes.
    static func list(_ bytes: [UInt8]) -> [ConformanceAnswer] {
        func word(_ place: Int) -> UInt32 { bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        var answers: [ConformanceAnswer] = []
        var place = 0
        while place + 9 <= bytes.count {
            let count = Int(word(place) >> 8)
            let stream = word(place + 5)
            let payload = place + 9
            let isACK = bytes[place + 4] & 1 != 0
            switch bytes[place + 3] {
            case 0: answers.append(.data(stream, count: count))
            case 1: answers.append(.headers(stream))
            case 3: answers.append(.reset(stream, code: word(payload)))
            case 4: answers.append(isACK ? .settingsACK : .settings)
            case 6 where isACK: answers.append(.pong(Array(bytes[payload..<payload + count])))
            case 7: answers.append(.goAway(code: word(payload + 4)))
            case 8: answers.append(.windowUpdate(stream))
            case let type: answers.append(.other(type: type))
            }
            place = payload + count
        }
        return answers
    }
}
