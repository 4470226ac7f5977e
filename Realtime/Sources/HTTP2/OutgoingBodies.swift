import NIOCore

/// A body that is being sent.
struct OutgoingBody {
    var bytes: ByteBuffer
    /// `true` once nothing more will be added.
    var isComplete: Bool
    /// `true` if the library has requested more bytes than were available.
    var isAwaited = false
}

/// The unfinished outgoing bodies of one connection.
///
/// Places are reused, so a body costs no allocation.
struct OutgoingBodies {
    /// The index of a body, as the library keeps it for a stream.
    struct Place: Hashable {
        fileprivate let index: Int

        fileprivate init(index: Int) { self.index = index }

        init?(pointer: UnsafeMutableRawPointer?) {
            guard let pointer else { return nil }
            index = Int(bitPattern: pointer) - 1
        }

        /// Never a null pointer, and never dereferenced.
        var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: index + 1) }
    }

    private(set) var bodies: ContiguousArray<OutgoingBody> = []
    private(set) var free: ContiguousArray<Place> = []

    mutating func insert(_ body: OutgoingBody) -> Place {
        if let place = free.popLast() {
            bodies[place.index] = body
            return place
        }
        bodies.append(body)
        return Place(index: bodies.count - 1)
    }

    mutating func remove(_ place: Place) {
        bodies[place.index] = OutgoingBody(bytes: ByteBuffer(), isComplete: true)
        free.append(place)
    }

    func waitingBytes(at place: Place) -> Int { bodies[place.index].bytes.readableBytes }

    /// Adds to a body; returns `true` if the library waits for it.
    mutating func append(_ bytes: ByteBuffer, isLast: Bool, at place: Place) -> Bool {
        // Sent bytes are removed, because an open body may grow without end.
        if bodies[place.index].bytes.readableBytes == 0 {
            bodies[place.index].bytes = bytes
        } else {
            bodies[place.index].bytes.discardReadBytes()
            bodies[place.index].bytes.writeImmutableBuffer(bytes)
        }
        if isLast { bodies[place.index].isComplete = true }
        defer { bodies[place.index].isAwaited = false }
        return bodies[place.index].isAwaited
    }

    /// Moves the next bytes of a body.
    ///
    /// Returns their number and whether they were the last; `nil` if there are none yet.
    mutating func read(_ place: Place, into target: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool)? {
        let count = min(target.count, bodies[place.index].bytes.readableBytes)
        guard count > 0 || bodies[place.index].isComplete else {
            bodies[place.index].isAwaited = true
            return nil
        }
        _ = bodies[place.index].bytes
            .readWithUnsafeReadableBytes { bytes in
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                return count
            }
        return (count, bodies[place.index].isComplete && bodies[place.index].bytes.readableBytes == 0)
    }
}
