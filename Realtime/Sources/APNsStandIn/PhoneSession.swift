import NIOCore
import Quantities
import Wire

/// The phone link of a run elsewhere: pushes go out, invalid tokens come in.
///
/// One stream carries both directions, in the grammar of ``PhonesLine``.
final class PhoneSession {
    private unowned let connection: PushConnection
    private let shard: LoopShard
    private var partial = ByteBuffer()
    private var isUp = false
    /// Completes when all threads know the run; later events of the run wait for it.
    private var hasBegun: EventLoopFuture<Void>?
    private var isOver = false

    /// The backlog at which slow phones lose the link [bytes].
    private static var mostUnderWay: Int { 256 << 20 }

    init(connection: PushConnection, shard: LoopShard) {
        self.connection = connection
        self.shard = shard
    }

    /// Handles bytes from the phones.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        partial.writeBytes(bytes)
        var deaths: [(TokenDigest, Instant)] = []
        var cards: [PhoneReport] = []
        while !isOver, let end = partial.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let count = end - partial.readerIndex
            let report = partial.withUnsafeReadableBytes {
                PhoneReport(line: UnsafeRawBufferPointer(rebasing: $0[..<count]))
            }
            partial.moveReaderIndex(to: end + 1)
            switch report {
            case .begin(let speed, let withPayloads): begin(speed: speed, withPayloads: withPayloads)
            case .dead(let token, let since): deaths.append((token, since))
            case .follows, .leaves: cards.append(report ?? .end)
            case .end, nil: finish()
            }
        }
        partial.discardReadBytes()
        if !deaths.isEmpty, let hasBegun {
            let (phones, loop) = (shard.phones, shard.loop)
            let bound = NIOLoopBound(self, eventLoop: loop)
            hasBegun.whenSuccess { [deaths] in
                // After the link is lost, another run has begun with other tokens.
                guard !bound.value.isOver else { return }
                _ = phones.tellAll({ $0.noteDeaths(deaths) }, answeringOn: loop)
            }
        }
        if isUp, !isOver { note(cards) }
        if partial.readableBytes > PhonesLine.longestReport { finish() }
    }

    /// Notes cards that follow channels from now on, or no longer.
    private func note(_ cards: [PhoneReport]) {
        for report in cards {
            switch report {
            case .follows(let channel, let ride):
                shard.channels.follow(channel, BroadcastChannels.Follower(ride: ride, token: nil))
            case .leaves(let channel, let ride):
                shard.channels.leave(channel, BroadcastChannels.Follower(ride: ride, token: nil))
            case .begin, .dead, .end: break
            }
        }
    }

    private func begin(speed: Double, withPayloads: Bool) {
        guard !isUp else {
            finish()
            return
        }
        guard shard.phones.connect(self, on: shard.loop) else {
            say(.busy)
            finish()
            return
        }
        isUp = true
        let clock = RunClock(speed: speed, by: shard.phones.clock.wall)
        let mode = PhoneOutbox.Mode.link(withPayloads: withPayloads)
        let bound = NIOLoopBound(self, eventLoop: shard.loop)
        hasBegun = begin(clock, mode)
        hasBegun?.whenComplete { _ in bound.value.say(.begun) }
    }

    /// Handles the end of the phones' input.
    func finish() {
        guard !isOver else { return }
        isOver = true
        connection.writeLink(ByteBuffer(), isLast: true)
        connection.flush()
        closed()
    }

    /// Handles the closing of the link.
    func closed() {
        isOver = true
        guard isUp else { return }
        isUp = false
        shard.channels.forgetLinkedPhones()
        // The stand-in's own phones continue, in the stand-in's own time. Another link may open only after all threads
        // know this.
        let phones = shard.phones
        let mode: PhoneOutbox.Mode = shard.configuration.playsPhones ? .screens : .none
        begin(phones.clock, mode).whenComplete { _ in phones.disconnect() }
    }

    /// Starts a run on all threads, the servers first: no thread may send them a request of a run that they do not
    /// know.
    private func begin(_ clock: RunClock, _ mode: PhoneOutbox.Mode) -> EventLoopFuture<Void> {
        let (phones, loop) = (shard.phones, shard.loop)
        let isReady = shard.serverQueue?.begin(clock).hop(to: loop) ?? loop.makeSucceededVoidFuture()
        return isReady.flatMap { phones.tellAll({ $0.begin(clock, mode: mode) }, answeringOn: loop) }
    }

    private func say(_ reply: PhoneLineReply) { send(ByteBuffer(string: reply.line)) }

    /// Sends lines to the phones.
    func send(_ lines: ByteBuffer) {
        guard !isOver else { return }
        let waiting = connection.writeLink(lines, isLast: false)
        connection.flush()
        if waiting > PhoneSession.mostUnderWay {
            connection.resetLink()
            closed()
        }
    }
}
