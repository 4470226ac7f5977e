import Wire

/// What one thread has counted; read by that thread alone, added up for `/metrics`.
struct RequestCounts: Sendable {
    var connectionsOpened = 0
    var connectionsClosed = 0
    var requests = 0
    /// Status 200.
    var accepted = 0
    /// By place in `APNsResponseReason.allCases`.
    var refused = [Int](repeating: 0, count: APNsResponseReason.allCases.count)
    /// Requests that get no answer.
    var silenced = 0
    /// Requests that have joined the queue of APNs' servers, and that have left it.
    var queued = 0
    var served = 0
    /// Responses whose stream was gone.
    var unheard = 0
    var delivered = 0
    var lost = 0
    var deadToken = 0
    var streamsReset = 0
    var streamsTimedOut = 0
    var protocolErrors = 0
    var goAways = 0
    var settingsChanges = 0
    var bodyBytes = 0
    /// Pushes that the phones had no room for.
    var overflowed = 0

    /// All but the refusals.
    private static var fields: [WritableKeyPath<RequestCounts, Int>] {
        [
            \.connectionsOpened, \.connectionsClosed, \.requests, \.accepted, \.silenced, \.queued,
            \.served, \.unheard, \.delivered, \.lost, \.deadToken, \.streamsReset, \.streamsTimedOut, \.protocolErrors,
            \.goAways, \.settingsChanges, \.bodyBytes, \.overflowed,
        ]
    }

    mutating func count(_ reason: APNsResponseReason) { refused[reason.place] += 1 }

    /// Whether any connection is open.
    var hasConnections: Bool { connectionsOpened > connectionsClosed }

    static func += (total: inout RequestCounts, part: RequestCounts) {
        for field in fields { total[keyPath: field] += part[keyPath: field] }
        for place in total.refused.indices { total.refused[place] += part.refused[place] }
    }
}

extension APNsResponseReason {
    /// The place among all reasons.
    var place: Int { APNsResponseReason.places[self] ?? 0 }

    private static let places = Dictionary(
        uniqueKeysWithValues: APNsResponseReason.allCases.enumerated().map { ($1, $0) }
    )
}
