import Wire

/// The counters of one thread; read by that thread alone, added up for `/metrics`.
struct RequestCounts: Sendable {
    var connectionsOpened = 0
    var connectionsClosed = 0
    var requests = 0
    /// Answers with status 200.
    var accepted = 0
    /// Rejections, by index in `APNsResponseReason.allCases`.
    var refused = [Int](repeating: 0, count: APNsResponseReason.allCases.count)
    /// Requests that get no answer.
    var silenced = 0
    /// Requests that have joined the queue of APNs' servers, and requests that have left it.
    var queued = 0
    var served = 0
    /// Answers whose stream was already closed.
    var unheard = 0
    var delivered = 0
    var lost = 0
    /// Publications that were sent on from a channel.
    var sentOn = 0
    var copiesDelivered = 0
    var copiesLost = 0
    var deadToken = 0
    var streamsReset = 0
    var streamsTimedOut = 0
    var protocolErrors = 0
    var goAways = 0
    var settingsChanges = 0
    var bodyBytes = 0
    /// Pushes for which the phones had no room.
    var overflowed = 0

    /// All counters except the rejections.
    private static var fields: [WritableKeyPath<RequestCounts, Int>] {
        [
            \.connectionsOpened, \.connectionsClosed, \.requests, \.accepted, \.silenced, \.queued,
            \.served, \.unheard, \.delivered, \.lost, \.sentOn, \.copiesDelivered, \.copiesLost, \.deadToken,
            \.streamsReset, \.streamsTimedOut, \.protocolErrors, \.goAways, \.settingsChanges, \.bodyBytes,
            \.overflowed,
        ]
    }

    mutating func count(_ reason: APNsResponseReason) { refused[reason.place] += 1 }

    /// `true` if any connection is open.
    var hasConnections: Bool { connectionsOpened > connectionsClosed }

    static func += (total: inout RequestCounts, part: RequestCounts) {
        for field in fields { total[keyPath: field] += part[keyPath: field] }
        for place in total.refused.indices { total.refused[place] += part.refused[place] }
    }
}

extension APNsResponseReason {
    /// The index among all reasons.
    var place: Int { APNsResponseReason.places[self] ?? 0 }

    private static let places = Dictionary(
        uniqueKeysWithValues: APNsResponseReason.allCases.enumerated().map { ($1, $0) }
    )
}
