/// The place of a sampler in a ``SamplerBank``.
@frozen
public struct SamplerID: Hashable, Sendable {
    /// The index, from 0.
    public let index: UInt16

    /// The sampler at an index.
    ///
    /// - Precondition: `index` is within 0..<65,536.
    @inlinable
    public init(_ index: Int) {
        self.index = UInt16(index)
    }
}

/// All samplers of a simulation, flattened for the path on which every event draws.
///
/// A sample walks three flat arrays: no closure, no allocation, no reference counting. It returns what
/// ``Sampler/value(for:)`` returns. Copies of the bank share its memory.
public struct SamplerBank: Sendable {
    /// One entry a sampler.
    @usableFromInline
    let entries: [Entry]
    /// The parts of all samplers that have any.
    @usableFromInline
    let parts: [Part]
    /// The nodes of tables and the values of data columns.
    @usableFromInline
    let numbers: [Int64]

    /// A bank in which the sampler at index i has the id i.
    ///
    /// - Precondition: At most 65,536 samplers.
    public init(_ samplers: [Sampler]) {
        precondition(samplers.count <= 1 << 16, "a sampler's id has 16 bits")
        var layout = Layout()
        // Grown step by step, the numbers of a few tables would be copied as often.
        layout.numbers.reserveCapacity(samplers.reduce(0) { $0 + $1.numberCount })
        for sampler in samplers {
            layout.append(sampler)
        }
        entries = layout.entries
        parts = layout.parts
        numbers = layout.numbers
    }

    /// How many samplers there are.
    @inlinable
    public var count: Int { entries.count }

    /// The value of a sampler that belongs to a draw.
    ///
    /// The draw is asked for only where the value depends on it, so that a constant costs no draw. That is sound because
    /// keyed draws leave no trace.
    ///
    /// - Precondition: The id was given for this bank.
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

    /// The value of a sampler that belongs to a draw, at once where it is one of the sampler's largest part, if that is a table.
    ///
    /// For a sampler of which nearly all draws are there, on a path that is short; of others it gives the same.
    ///
    /// - Precondition: The id was given for this bank.
    @inlinable
    @inline(__always)
    public func sample(mostly id: SamplerID, _ draw: UInt64) -> Int64 {
        let entry = entries[Int(id.index)]
        guard entry.partCount > 1 else { return sample(id, draw) }
        let main = parts[Int(truncatingIfNeeded: entry.number) &+ Int(entry.main)]
        guard main.law == .table, main.range.holds(draw) else { return partValue(entry, draw) }
        return tableValue(after: Int(truncatingIfNeeded: main.number), main.range.rescaled(draw))
    }

    /// Whether one table is all there is of a sampler: then its values rise with the draw.
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

    /// The quantile of a table whose nodes begin at a place of ``numbers``: no draw leads out of it.
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
        /// The index of the first part; the value itself if there are no parts, the first node of a table that is all there is.
        @usableFromInline
        var number: Int64
        /// How many parts; 0 for a constant.
        @usableFromInline
        var partCount: Int32
        /// Which of the parts has the most draws.
        @usableFromInline
        var main: Int32 = 0
        /// Whether one table is all there is.
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
        /// The lower end of a uniform range, or where the part's numbers begin.
        @usableFromInline
        var number: Int64
        /// The width of a uniform range, or the count of a column's values.
        @usableFromInline
        var extent: UInt64
        /// How the two are to be read.
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

    /// What a bank holds, while it grows.
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
    /// How many nodes and values a bank holds of it.
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
