/// A uniform sample of a stream in bounded memory by Vitter's algorithm R, always the same for the same stream.
public struct Reservoir<Element: Sendable>: Sendable {
    /// The sampled elements.
    public private(set) var elements: [Element] = []
    /// The number of elements of the stream.
    public private(set) var count = 0
    /// `true` if the stream has more elements than the sample.
    public var isSample: Bool { count > elements.count }
    private let capacity: Int

    /// Creates an empty sample.
    init(capacity: Int = 20_000) { self.capacity = capacity }

    /// Adds an element of the stream.
    mutating func add(_ element: Element) {
        count += 1
        guard elements.count == capacity else {
            elements.append(element)
            return
        }
        var draw = UInt64(count) &* 0x9E37_79B9_7F4A_7C15
        draw = (draw ^ draw >> 30) &* 0xBF58_476D_1CE4_E5B9
        draw = (draw ^ draw >> 27) &* 0x94D0_49BB_1331_11EB
        let place = (draw ^ draw >> 31) % UInt64(count)
        if place < UInt64(capacity) { elements[Int(place)] = element }
    }
}
