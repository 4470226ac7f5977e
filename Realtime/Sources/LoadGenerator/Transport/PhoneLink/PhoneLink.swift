import HTTP2
package import NIOCore
package import Quantities
package import Wire

/// A receiver of the news of a phone line.
package protocol PhoneLinkListener: Sendable {
    /// Takes news that have arrived together, in order; called on the line's event loop, it must not block.
    func heard(_ news: [PhoneNews])
    /// Notes the end of the line.
    ///
    /// - Parameter asWished: `true` if ``PhoneLink/end()`` was called before.
    func hungUp(asWished: Bool)
}

/// The line of a run's phones to an APNs stand-in, like the connection of an iPhone to APNs.
///
/// It has its own connection, so that pushes to phones do not queue behind answers to the sender. While it is open, the
/// stand-in sends all pushes over it and plays no phones.
package final class PhoneLink: Sendable {
    private let line: NIOLoopBound<PhoneLine>
    private let loop: any EventLoop

    /// Connects and begins the run, whose virtual instant 0 is the instant at which the stand-in reads the first line.
    ///
    /// - Parameters:
    ///   - secret: The stand-in's secret for phones; nil without one.
    ///   - speed: The number of virtual seconds per wall-clock second.
    /// - Returns: The line, once the stand-in has reported that the run has begun.
    /// - Throws: ``PhoneLinkError``, or the error of the connection.
    package static func connect(
        to endpoint: APNsEndpoint,
        secret: String? = nil,
        speed: Double,
        withPayloads: Bool = false,
        group: any EventLoopGroup,
        listener: any PhoneLinkListener
    ) async throws -> PhoneLink {
        let loop = group.next()
        let connector = try EndpointConnector(endpoint)
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
            let http2 = NIOLoopBound(HTTP2Connection(PhoneLine.http2Configuration, peer: line), eventLoop: loop)
            let connected = connector.connect(on: loop) { try $0.addHandler(http2.value) }
            connected.cascadeFailure(to: begun)
            let limit = loop.scheduleTask(in: longestSilence) { begun.fail(PhoneLinkError.silent) }
            begun.futureResult.whenComplete { _ in limit.cancel() }
            return begun.futureResult.map { PhoneLink(line: bound, loop: loop) }
        }
        return try await connecting.get()
    }

    /// The longest wait for the stand-in to begin.
    private static let longestSilence = TimeAmount.seconds(20)

    private init(line: NIOLoopBound<PhoneLine>, loop: any EventLoop) {
        self.line = line
        self.loop = loop
    }

    /// Reports dead update tokens, each with the virtual instant of its death; may be called from any thread.
    package func tellDead(_ tokens: [(token: TokenDigest, since: Instant)]) {
        guard !tokens.isEmpty else { return }
        let lines = tokens.map { PhoneReport.dead($0.token, since: $0.since).line }.joined()
        loop.execute { self.line.value.say(lines) }
    }

    /// Reports cards that follow channels from now on, or no longer; may be called from any thread.
    package func report(_ reports: [PhoneReport]) {
        guard !reports.isEmpty else { return }
        let lines = reports.map(\.line).joined()
        loop.execute { self.line.value.say(lines) }
    }

    /// Ends the run and closes the line.
    package func end() async { try? await loop.submit { self.line.value.end() }.get() }
}

/// The reason why there is no line.
package enum PhoneLinkError: Error, Hashable, CustomStringConvertible {
    case busy
    case refused(status: String)
    case closed
    case silent
    case unreadable

    /// The problem, with what was received and what is allowed.
    package var description: String {
        switch self {
        case .busy: "the stand-in already has phones; only one run at a time can have the phone line"
        case .refused(let status):
            "the server rejects phones: POST \(PhonesLine.path) got status \(status); allowed: 200"
        case .silent: "the server does not answer the phones, so it is not a stand-in of this version"
        case .closed: "the server has closed the phone line"
        case .unreadable:
            "the server has sent the phones an unknown line; allowed: begun, busy, push, lost, void, sent, copy, missed"
        }
    }
}
