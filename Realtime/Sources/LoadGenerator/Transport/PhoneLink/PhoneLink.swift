import HTTP2
package import NIOCore
package import Quantities
package import Wire

/// Who hears what phones are told.
package protocol PhoneLinkListener: Sendable {
    /// Takes what has come together, in its order; called on the line's event loop, must not block.
    func heard(_ news: [PhoneNews])
    /// The line is gone; as wished where ``PhoneLink/end()`` was called before.
    func hungUp(asWished: Bool)
}

/// The line of a run's phones to an APNs stand-in, as iPhones hold one to APNs.
///
/// It is a connection of its own, so that pushes to phones do not queue behind answers to the sender. While it is up, the
/// stand-in sends all pushes over it and plays no phones of its own.
package final class PhoneLink: Sendable {
    private let line: NIOLoopBound<PhoneLine>
    private let loop: any EventLoop

    /// Connects and begins the run: its virtual instant 0 is when the stand-in reads the first line.
    ///
    /// - Parameters:
    ///   - secret: What the stand-in wants phones to show, if anything.
    ///   - speed: How many virtual seconds pass in a real one.
    /// - Returns: The line, once the stand-in has said that the run has begun.
    /// - Throws: ``PhoneLinkError``, or why there is no connection.
    package static func connect(
        to endpoint: APNsEndpoint,
        secret: String? = nil,
        speed: Double,
        withPayloads: Bool = false,
        group: any EventLoopGroup,
        listener: any PhoneLinkListener
    ) async throws -> PhoneLink {
        let loop = group.next()
        let connector = try APNsConnector(endpoint: endpoint)
        let begin = PhoneReport.begin(speed: speed, withPayloads: withPayloads)
        let begun = loop.makePromise(of: Void.self)
        let connecting = loop.flatSubmit { () -> EventLoopFuture<PhoneLink> in
            let line = PhoneLine(
                endpoint: endpoint,
                secret: secret,
                firstLine: begin.line,
                listener: listener,
                begun: begun
            )
            let bound = NIOLoopBound(line, eventLoop: loop)
            let http2 = HTTP2Connection(PhoneLine.http2Configuration, peer: line)
            let connected = connector.connect(on: loop, handler: NIOLoopBound(http2, eventLoop: loop))
            connected.cascadeFailure(to: begun)
            let limit = loop.scheduleTask(in: longestSilence) { begun.fail(PhoneLinkError.silent) }
            begun.futureResult.whenComplete { _ in limit.cancel() }
            return begun.futureResult.map { PhoneLink(line: bound, loop: loop) }
        }
        return try await connecting.get()
    }

    /// How long the stand-in may take to begin.
    private static let longestSilence = TimeAmount.seconds(20)

    private init(line: NIOLoopBound<PhoneLine>, loop: any EventLoop) {
        self.line = line
        self.loop = loop
    }

    /// Says that update tokens have stopped working, each since a virtual instant; may be called from any thread.
    package func tellDead(_ tokens: [(token: TokenDigest, since: Instant)]) {
        guard !tokens.isEmpty else { return }
        let lines = tokens.map { PhoneReport.dead($0.token, since: $0.since).line }.joined()
        loop.execute { self.line.value.say(lines) }
    }

    /// Ends the run and hangs up.
    package func end() async { try? await loop.submit { self.line.value.end() }.get() }
}

/// Why there is no line, in the words of its description.
package enum PhoneLinkError: Error, Hashable, CustomStringConvertible {
    case busy
    case refused(status: String)
    case closed
    case silent
    case unreadable

    /// What, got, allowed.
    package var description: String {
        switch self {
        case .busy: "the stand-in has phones already: only one run can hold the line"
        case .refused(let status):
            "the server does not let phones in: POST \(PhonesLine.path) got status \(status), not 200"
        case .silent: "the server does not answer the phones: it is no stand-in of this version"
        case .closed: "the server has hung up on the phones"
        case .unreadable: "the server has sent the phones a line that is none of begun, busy, push, lost, void"
        }
    }
}
