/// The index of a sampler in a ``SamplerBank``.
@frozen
public struct SamplerID: Hashable, Sendable {
    /// The index, from 0.
    public let index: UInt16

    /// Creates the ID of the sampler at an index.
    ///
    /// - Precondition: `index` is within 0..<65,536.
    @inlinable
    public init(_ index: Int) {
        self.index = UInt16(index)
    }
}

/// All samplers of a simulation, in a flat layout for the hot path on which every event draws.
///
/// A sample traverses three flat arrays: no closure, no allocation, no reference counting. It returns the value of
/// ``Sampler/value(for:)``. Copies of the bank share its memory.
public struct SamplerBank: Sendable {
    /// One entry per sampler.
    @usableFromInline
    let entries: [Entry]
    /// The parts of all samplers that have parts.
    @usableFromInline
    let parts: [Part]
    /// The nodes of tables and the values of data columns.
    @usableFromInline
    let numbers: [Int64]

    /// Creates a bank in which the sampler at index i has the ID i.
    ///
    /// - Precondition: At most 65,536 samplers.
    public init(_ samplers: [Sampler]) {
        precondition(samplers.count <= 1 << 16, "a sampler's id has 16 bits")
        var layout = Layout()
        // Without it, the numbers of a few tables would be copied several times.
        layout.numbers.reserveCapacity(samplers.reduce(0) { $0 + $1.numberCount })
        for sampler in samplers {
            layout.append(sampler)
        }
        entries = layout.entries
        parts = layout.parts
        numbers = layout.numbers
    }

    /// The number of samplers.
    @inlinable
    public var count: Int { entries.count }

    /// The value of a sampler for a draw.
    ///
    /// The draw is evaluated only if the value depends on it, so a constant costs no draw. This is correct because
    /// keyed draws have no side effects.
    ///
    /// - Precondition: The ID was issued for this bank.
    /// - Complexity: O(log *n*) in the number of the sampler's parts.
    @inlinable
    @inline(__always)
    public func sample(_ id: SamplerID, _ draw: @autoclosure () -> UInt64) -> Int64 {
        let index = Int(id.index)
        precondition(index < count, "the id belongs to another bank")
        let entry = entries[index]
        if entry.isTable { return tableValue(after: Int(truncatingIfNeeded: entry.number), draw()) }
        return entry.partCount == 0 ? entry.number : partValue(entry, draw())
    }

    /// The value of a sampler for a draw, with a fast path for the sampler's largest part, if that is a table.
    ///
    /// For samplers in which nearly all draws belong to that part; for others it gives the same value.
    ///
    /// - Precondition: The ID was issued for this bank.
    @inlinable
    @inline(__always)
    public func sample(mostly id: SamplerID, _ draw: UInt64) -> Int64 {
        let entry = entries[Int(id.index)]
        guard entry.partCount > 1 else { return sample(id, draw) }
        let main = parts[Int(truncatingIfNeeded: entry.number) &+ Int(entry.main)]
        guard main.law == .table, main.range.holds(draw) else { return partValue(entry, draw) }
        return tableValue(after: Int(truncatingIfNeeded: main.number), main.range.rescaled(draw))
    }

    /// Returns `true` if a sampler is a single table, so that its values increase with the draw.
    public func isTable(_ id: SamplerID) -> Bool { entries[Int(id.index)].isTable }

    @usableFromInline
    func partValue(_ entry: Entry, _ draw: UInt64) -> Int64 {
        var index = Int(truncatingIfNeeded: entry.number)
        var remaining = entry.partCount
        // The first of the remaining parts whose last draw is not below the draw.
        while remaining > 1 {
            let half = remaining &>> 1
            if parts[index &+ Int(half) &- 1].range.last < draw {
                index &+= Int(half)
            }
            remaining &-= half
        }
        let part = parts[index]
        let rescaled = part.range.rescaled(draw)
        switch part.law {
        case .uniform:
            return Sampler.Law.uniform(rescaled, low: part.number, width: part.extent)
        case .table:
            return tableValue(after: Int(truncatingIfNeeded: part.number), rescaled)
        case .values:
            let place = Sampler.Law.index(rescaled, count: part.extent)
            return numbers[Int(truncatingIfNeeded: part.number) &+ place]
        }
    }

    /// The quantile of a table whose nodes begin at an index of ``numbers``; every draw stays within the table.
    @inlinable
    @inline(__always)
    func tableValue(after start: Int, _ draw: UInt64) -> Int64 {
        let position = QuantileTable.Position(draw)
        return numbers.withUnsafeBufferPointer { numbers in
            let outer = start &+ position.node
            return position.value(from: numbers[outer], to: numbers[outer &+ 1])
        }
    }
}

extension SamplerBank {
    /// One sampler.
    @frozen
    @usableFromInline
    struct Entry: BitwiseCopyable {
        /// The index of the first part; the value itself if there are no parts; the first node if it is a single table.
        @usableFromInline
        var number: Int64
        /// The number of parts; 0 for a constant.
        @usableFromInline
        var partCount: Int32
        /// The index of the part with the most draws.
        @usableFromInline
        var main: Int32 = 0
        /// `true` if it is a single table.
        @usableFromInline
        var isTable = false
    }

    /// One part of a sampler.
    @frozen
    @usableFromInline
    struct Part: BitwiseCopyable {
        /// The draws of the part.
        @usableFromInline
        var range: DrawRange
        /// The lower end of a uniform range, or the index of the part's first number.
        @usableFromInline
        var number: Int64
        /// The width of a uniform range, or the number of a column's values.
        @usableFromInline
        var extent: UInt64
        /// The interpretation of the two.
        @usableFromInline
        var law: Law
    }

    /// The kinds of ``Sampler/Law``.
    @frozen
    @usableFromInline
    enum Law: BitwiseCopyable {
        case uniform
        case table
        case values
    }

    /// The content of a bank under construction.
    private struct Layout {
        var entries: [Entry] = []
        var parts: [Part] = []
        var numbers: [Int64] = []

        mutating func append(_ sampler: Sampler) { entries.append(entry(for: sampler)) }

        private mutating func entry(for sampler: Sampler) -> Entry {
            if sampler.parts.count == 1, case .uniform(let value, 0) = sampler.parts[0].law {
                return Entry(number: value, partCount: 0)
            }
            if sampler.parts.count == 1, case .table(let table) = sampler.parts[0].law {
                numbers += table.nodes
                return Entry(number: Int64(numbers.count - table.nodes.count), partCount: 1, isTable: true)
            }
            var entry = Entry(number: Int64(parts.count), partCount: Int32(sampler.parts.count))
            for (index, part) in sampler.parts.enumerated() {
                append(part)
                if part.range.span > sampler.parts[Int(entry.main)].range.span { entry.main = Int32(index) }
            }
            return entry
        }

        private mutating func append(_ part: Sampler.Part) {
            let start = Int64(numbers.count)
            switch part.law {
            case .uniform(let low, let width):
                parts.append(Part(range: part.range, number: low, extent: width, law: .uniform))
            case .table(let table):
                numbers += table.nodes
                parts.append(Part(range: part.range, number: start, extent: 0, law: .table))
            case .values(let values):
                numbers += values
                parts.append(Part(range: part.range, number: start, extent: UInt64(values.count), law: .values))
            }
        }
    }
}

extension Sampler {
    /// The number of nodes and values that a bank stores for it.
    fileprivate var numberCount: Int {
        parts.reduce(0) { count, part in
            switch part.law {
            case .uniform: count
            case .table(let table): count + table.nodes.count
            case .values(let values): count + values.count
            }
        }
    }
}
