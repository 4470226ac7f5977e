import NIOCore

/// A body on its way out.
struct OutgoingBody {
    var bytes: ByteBuffer
    /// Whether nothing will be added.
    var isComplete: Bool
    /// Whether the library has asked for more than there was.
    var isAwaited = false
}

/// The bodies of one connection that have not left altogether; places are used again, and nothing is allocated for one.
struct OutgoingBodies {
    /// Where a body is, as the library keeps it for a stream.
    struct Place: Hashable {
        fileprivate let index: Int

        fileprivate init(index: Int) { self.index = index }

        init?(pointer: UnsafeMutableRawPointer?) {
            guard let pointer else { return nil }
            index = Int(bitPattern: pointer) - 1
        }

        /// Never a null pointer, and never followed.
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

    /// Adds to a body; true where the library waits for it.
    mutating func append(_ bytes: ByteBuffer, isLast: Bool, at place: Place) -> Bool {
        // What has left makes room: an open body may be added to without end.
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

    /// Moves the next bytes of a body: how many, and whether they were the last; nil when there are none yet.
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
