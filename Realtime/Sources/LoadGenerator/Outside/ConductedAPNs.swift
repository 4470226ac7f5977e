public import LiveActivityModel
public import Quantities

/// An APNs in place, made of the model's conduct: what a stand-in at the other end of a wire would do, without the wire.
///
/// Told of a request it says at once all that will come of it, with the instants at which it will; only where something
/// depends on the state of things at a later instant it has to be asked again then (``nextDue``).
///
/// ```
///  received ─► silent, refused            ─► void, answered
///           ─► accepted, decided at once  ─► answered, arrived or lost
///           ─► accepted, decided later    ─► answered   … proceed: arrived or lost
/// ```
///
/// For scenarios without a queue at APNs.
public struct ConductedAPNs: Sendable {
    /// Something that comes of a request, and when.
    public struct Happening: Hashable, Sendable {
        /// What the cell is to be told.
        public let news: IncomingNews
        /// When it comes; an earlier piece of news may come later.
        public let at: Instant
    }

    private struct Token: Hashable {
        let ride: UInt64
        let number: UInt32
    }

    private struct Undecided {
        let request: OutgoingRequest
        let at: Instant
        /// Whether the sender gives up before it has the response: then nothing comes of it.
        let isTooLate: Bool
    }

    private let conduct: APNsConduct
    private var deaths: [Token: Instant] = [:]
    /// Requests whose passage is decided with their response, in the order of that.
    private var undecided: [Undecided] = []

    /// An APNs to which nobody has sent anything.
    public init(_ conduct: APNsConduct) {
        self.conduct = conduct
    }

    /// When ``proceed(to:tell:)`` is to be called next; `never` while nothing is undecided.
    public var nextDue: Instant { undecided.first?.at ?? .never }

    /// A piece of news from the sender's side.
    ///
    /// - Complexity: O(1) without requests that are decided later, else in their number.
    public mutating func hear(_ news: OutgoingNews, at now: Instant, tell: (Happening) -> Void) {
        switch news {
        case .request(let request):
            received(request, at: now, tell: tell)
        case .tokenDied(let ride, let number, let since):
            let token = Token(ride: ride, number: number)
            deaths[token] = min(since, deaths[token] ?? .never)
        case .givenUp(let id):
            guard let index = undecided.firstIndex(where: { $0.request.id == id }) else { return }
            undecided.remove(at: index)
            tell(Happening(news: .void(id), at: now))
        case .server:
            // Not said to APNs.
            break
        }
    }

    private mutating func received(_ request: OutgoingRequest, at now: Instant, tell: (Happening) -> Void) {
        switch conduct.answer(subject(of: request), at: now) {
        case .silence:
            tell(Happening(news: .void(request.id), at: now))
        case .refused(let reason, let span):
            tell(Happening(news: .answered(request.id, .refused(reason)), at: now + span))
            tell(Happening(news: .refused(request.id), at: now))
        case .accepted(let span):
            tell(Happening(news: .answered(request.id, .accepted), at: now + span))
            if !conduct.decidesWithResponse {
                decide(request, at: now, tell: tell)
            } else {
                let at = now + min(span, conduct.timeout)
                let place = undecided.firstIndex { $0.at > at } ?? undecided.endIndex
                undecided.insert(Undecided(request: request, at: at, isTooLate: span > conduct.timeout), at: place)
            }
        }
    }

    /// Decides what is due.
    public mutating func proceed(to now: Instant, tell: (Happening) -> Void) {
        while let first = undecided.first, first.at <= now {
            undecided.removeFirst()
            guard !first.isTooLate else {
                tell(Happening(news: .void(first.request.id), at: first.at))
                continue
            }
            decide(first.request, at: first.at, tell: tell)
        }
    }

    private func decide(_ request: OutgoingRequest, at now: Instant, tell: (Happening) -> Void) {
        switch conduct.passage(subject(of: request), at: now) {
        case .lost, .deadToken: tell(Happening(news: .lost(request.id), at: now))
        case .arrives(let span): tell(Happening(news: .arrived(request.id), at: now + span))
        }
    }

    /// What APNs sees of a request.
    private func subject(of request: OutgoingRequest) -> APNsConduct.Request {
        APNsConduct.Request(
            ride: request.id.ride,
            drawIndex: request.id.drawIndex,
            tokenNumber: request.tokenNumber,
            tokenDeadSince: request.tokenNumber == 0
                ? nil : deaths[Token(ride: request.id.ride, number: request.tokenNumber)],
            priority: request.priority,
            bytes: request.bytes
        )
    }
}
