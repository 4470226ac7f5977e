import APNsProtocol
import NIOCore
import Quantities

/// The line that phones elsewhere hold to APNs: pushes go out, deaths of tokens come in.
///
/// One stream carries it both ways, as lines of ASCII. From the phones: `begin <epoch µs> <speed> <payloads 0|1>`,
/// `dead <token> <since µs>`, `end`. To them: `begun` or `busy`, `push <id> <token> <virtual µs> <priority> [<payload>]`,
/// `lost <id>`, `void <id>`.
final class PhoneLink {
    static let path = "/freshet/phones"

    private unowned let connection: PushConnection
    private let shard: LoopShard
    private var partial = ByteBuffer()
    private var isUp = false
    /// Everybody has heard of the run; what concerns it comes after that.
    private var hasBegun: EventLoopFuture<Void>?
    private var isOver = false

    /// Instants of a run that are believed [µs]: thirty years either way.
    private static let instants: ClosedRange<Int64> = -1_000_000_000_000_000...1_000_000_000_000_000
    /// How fast a run may go.
    private static let speeds = 0.001...1_000_000.0
    /// A line of the phones is no longer than this [bytes].
    private static var longestLine: Int { 4096 }
    /// Who reads so slowly that this much waits has lost the line [bytes].
    private static var mostUnderWay: Int { 256 << 20 }

    init(connection: PushConnection, shard: LoopShard) {
        self.connection = connection
        self.shard = shard
    }

    /// A piece of what the phones say.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        partial.writeBytes(bytes)
        var deaths: [(TokenDigest, Instant)] = []
        while !isOver, let length = partial.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let line = partial.readString(length: length - partial.readerIndex) ?? ""
            partial.moveReaderIndex(forwardBy: 1)
            if let death = perform(line) { deaths.append(death) }
        }
        partial.discardReadBytes()
        if !deaths.isEmpty, let hasBegun {
            let (phones, loop) = (shard.phones, shard.loop)
            let bound = NIOLoopBound(self, eventLoop: loop)
            hasBegun.whenSuccess { [deaths] in
                // Once the line is lost, another run has begun, and its tokens are others.
                guard !bound.value.isOver else { return }
                _ = phones.tellAll({ $0.noteDeaths(deaths) }, answeringOn: loop)
            }
        }
        if partial.readableBytes > PhoneLink.longestLine {
            finish()
        }
    }

    /// The phones have nothing more to say.
    func receiveEnd() {
        finish()
    }

    private func perform(_ line: String) -> (TokenDigest, Instant)? {
        let words = line.split(separator: " ")
        switch words.first {
        case "begin": begin(words)
        case "dead":
            guard words.count == 3, let token = TokenDigest(hexadecimal: words[1]), let since = Int64(words[2]),
                PhoneLink.instants.contains(since)
            else {
                finish()
                return nil
            }
            return (token, Instant(microseconds: since))
        default:
            finish()
        }
        return nil
    }

    private func begin(_ words: [Substring]) {
        guard !isUp, words.count == 4, Int64(words[1]) != nil, let speed = Double(words[2]),
            PhoneLink.speeds.contains(speed), words[3] == "0" || words[3] == "1"
        else {
            finish()
            return
        }
        guard shard.phones.connect(self, on: shard.loop) else {
            say("busy\n")
            finish()
            return
        }
        isUp = true
        let clock = RunClock(begin: .now(), speed: speed)
        let mode = PhoneOutbox.Mode.link(withPayloads: words[3] == "1")
        let bound = NIOLoopBound(self, eventLoop: shard.loop)
        hasBegun = begin(clock, mode)
        hasBegun?.whenComplete { _ in bound.value.say("begun\n") }
    }

    /// The phones hang up.
    private func finish() {
        guard !isOver else { return }
        isOver = true
        connection.writeLink(ByteBuffer(), isLast: true)
        connection.flush()
        closed()
    }

    /// The line is gone.
    func closed() {
        isOver = true
        guard isUp else { return }
        isUp = false
        // The stand-in's own phones go on, in the stand-in's own time. Only when all threads know may others come.
        let phones = shard.phones
        let mode: PhoneOutbox.Mode = shard.configuration.playsPhones ? .screens : .none
        begin(phones.clock, mode).whenComplete { _ in phones.disconnect() }
    }

    /// Has everybody begin a run, the servers first: nobody hands them a request of a run that they do not know.
    private func begin(_ clock: RunClock, _ mode: PhoneOutbox.Mode) -> EventLoopFuture<Void> {
        let (phones, loop) = (shard.phones, shard.loop)
        let isReady = shard.desk?.begin(clock).hop(to: loop) ?? loop.makeSucceededVoidFuture()
        return isReady.flatMap { phones.tellAll({ $0.begin(clock, mode: mode) }, answeringOn: loop) }
    }

    private func say(_ text: String) {
        send(ByteBuffer(string: text))
    }

    /// Sends lines to the phones.
    func send(_ lines: ByteBuffer) {
        guard !isOver else { return }
        let waiting = connection.writeLink(lines, isLast: false)
        connection.flush()
        if waiting > PhoneLink.mostUnderWay {
            connection.resetLink()
            closed()
        }
    }
}
