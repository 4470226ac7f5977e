import NIOCore

/// The requests of a connection whose bodies are still coming in, by stream.
///
/// Clients send many heads before the first body, so that nearly every request is kept here for a moment. Streams are
/// opened in the order of their numbers: among those of one moment each has a place of its own, found by its number.
struct IncomingRequests {
    private typealias Entry = (stream: Int32, request: IncomingRequest)

    /// A power of two of them; a stream has the place that the last bits of its number say.
    private var places = ContiguousArray<Entry?>(repeating: nil, count: 16)
    /// Those whose place is another's: a request that takes long, among thousands that do not.
    private var others: [Int32: IncomingRequest] = [:]

    /// As many as streams may be open, as Apple has it.
    private static let mostPlaces = 1024

    /// Whether there are none; looks at all places.
    var isEmpty: Bool { others.isEmpty && places.allSatisfy { $0 == nil } }

    /// The lowest stream; nil where there are none, found among all places.
    var lowestStream: Int32? {
        ([others.keys.min()] + places.map { $0?.stream }).compactMap { $0 }.min()
    }

    mutating func insert(_ request: IncomingRequest, stream: Int32) {
        while places[place(of: stream)] != nil {
            guard places.count < IncomingRequests.mostPlaces else {
                others[stream] = request
                return
            }
            spread()
        }
        places[place(of: stream)] = (stream, request)
    }

    /// Takes a piece of a body: how many bytes of it have come by now; nil for a stream of another kind.
    mutating func take(_ bytes: UnsafeRawBufferPointer, stream: Int32) -> Int? {
        let place = place(of: stream)
        if places[place]?.stream == stream { return places[place]?.request.take(bytes) }
        return others.isEmpty ? nil : others[stream]?.take(bytes)
    }

    /// Takes a request out; nil where there is none.
    @discardableResult
    mutating func remove(stream: Int32) -> IncomingRequest? {
        let place = place(of: stream)
        if places[place]?.stream == stream { return places[place].take()?.request }
        return others.isEmpty ? nil : others.removeValue(forKey: stream)
    }

    /// Takes out those whose heads came before a moment; returns their streams.
    mutating func remove(before moment: NIODeadline) -> [Int32] {
        var streams = others.filter { $0.value.since < moment }.map(\.key)
        for case let entry? in places where entry.request.since < moment { streams.append(entry.stream) }
        for stream in streams { remove(stream: stream) }
        return streams
    }

    private func place(of stream: Int32) -> Int { Int(stream >> 1) & (places.count - 1) }

    private mutating func spread() {
        let entries = places
        places = ContiguousArray(repeating: nil, count: 2 * entries.count)
        for case let entry? in entries { places[place(of: entry.stream)] = entry }
    }
}
