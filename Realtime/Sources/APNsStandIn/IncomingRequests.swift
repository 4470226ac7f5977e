import NIOCore

/// The requests of a connection whose bodies are still arriving, by stream.
///
/// Clients send many heads before the first body, so nearly every request is kept here briefly. Streams are opened in
/// ascending order, so the requests of one moment have different places, found by the stream's number.
struct IncomingRequests {
    private typealias Entry = (stream: Int32, request: IncomingRequest)

    /// A power of two places; the last bits of a stream's number select its place.
    private var places = ContiguousArray<Entry?>(repeating: nil, count: 16)
    /// Requests whose place is taken: a slow request among thousands of fast ones.
    private var others: [Int32: IncomingRequest] = [:]

    /// The number of streams that may be open, as in Apple's APNs.
    private static let mostPlaces = 1024

    /// `true` if there are no requests; it checks all places.
    var isEmpty: Bool { others.isEmpty && places.allSatisfy { $0 == nil } }

    /// The lowest stream, found by checking all places; `nil` if there are none.
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

    /// Adds a piece of a body; returns the number of bytes so far, or `nil` for a stream of another kind.
    mutating func take(_ bytes: UnsafeRawBufferPointer, stream: Int32) -> Int? {
        let place = place(of: stream)
        if places[place]?.stream == stream { return places[place]?.request.take(bytes) }
        return others.isEmpty ? nil : others[stream]?.take(bytes)
    }

    /// Removes and returns a request; `nil` if there is none.
    @discardableResult
    mutating func remove(stream: Int32) -> IncomingRequest? {
        let place = place(of: stream)
        if places[place]?.stream == stream { return places[place].take()?.request }
        return others.isEmpty ? nil : others.removeValue(forKey: stream)
    }

    /// Removes the requests whose heads arrived before a time; returns their streams.
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
