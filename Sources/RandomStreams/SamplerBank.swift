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

/// All samplers of a simulation in one block of memory, for the path on which every event draws.
///
/// A sample follows pointers into that block: no reference counting, no allocation, no check of an array's bounds. It
/// returns what ``Sampler/value(for:)`` returns. Equal samplers share their memory.
///
/// `@unchecked Sendable`: every stored property is a `let`, the memory behind the pointers is written in `init` only,
/// before anyone else can see it, and lives as long as the bank.
public final class SamplerBank: @unchecked Sendable {
    /// How many samplers there are.
    public let count: Int
    /// One entry a sampler.
    @usableFromInline
    let entries: UnsafePointer<Entry>
    /// The parts of all samplers that have any.
    @usableFromInline
    let parts: UnsafePointer<Part>
    /// The nodes of tables and the values of data columns.
    @usableFromInline
    let numbers: UnsafePointer<Int64>
    private let memory: UnsafeMutableRawPointer

    /// A bank in which the sampler at index i has the id i.
    ///
    /// - Precondition: At most 65,536 samplers.
    public init(_ samplers: [Sampler]) {
        precondition(samplers.count <= 1 << 16, "a sampler's id has 16 bits")
        var layout = Layout()
        for sampler in samplers {
            layout.append(sampler)
        }
        let partsOffset = layout.entries.count * MemoryLayout<Entry>.stride
        let numbersOffset = partsOffset + layout.parts.count * MemoryLayout<Part>.stride
        let size = numbersOffset + layout.numbers.count * MemoryLayout<Int64>.stride
        memory = .allocate(byteCount: size, alignment: MemoryLayout<Int64>.alignment)
        count = samplers.count
        entries = Self.place(layout.entries, at: memory)
        parts = Self.place(layout.parts, at: memory + partsOffset)
        numbers = Self.place(layout.numbers, at: memory + numbersOffset)
    }

    deinit {
        memory.deallocate()
    }

    /// The value of a sampler that belongs to a draw.
    ///
    /// The draw is asked for only where the value depends on it, so that a constant costs no draw. That is sound because
    /// keyed draws leave no trace.
    ///
    /// - Precondition: The id was given for this bank.
    /// - Complexity: O(log *n*) in the number of the sampler's parts.
    @inlinable
    public func sample(_ id: SamplerID, _ draw: @autoclosure () -> UInt64) -> Int64 {
        let index = Int(id.index)
        precondition(index < count, "the id belongs to another bank")
        let entry = entries[index]
        return entry.partCount == 0 ? entry.number : value(entry, draw())
    }

    @inlinable
    func value(_ entry: Entry, _ draw: UInt64) -> Int64 {
        var part = parts + Int(truncatingIfNeeded: entry.number)
        var remaining = entry.partCount
        // The first of the remaining parts whose last draw is not below the draw.
        while remaining > 1 {
            let half = remaining &>> 1
            if part[half &- 1].range.last < draw {
                part += half
            }
            remaining &-= half
        }
        let rescaled = part.pointee.range.rescaled(draw)
        let number = part.pointee.number
        switch part.pointee.law {
        case .uniform:
            return Sampler.Law.uniform(rescaled, low: number, width: part.pointee.extent)
        case .table:
            let position = QuantileTable.Position(rescaled)
            let outer = numbers + Int(truncatingIfNeeded: number) + position.node
            return position.value(from: outer[0], to: outer[1])
        case .values:
            let index = Sampler.Law.index(rescaled, count: part.pointee.extent)
            return numbers[Int(truncatingIfNeeded: number) + index]
        }
    }

    private static func place<Element: BitwiseCopyable>(
        _ elements: [Element],
        at address: UnsafeMutableRawPointer
    ) -> UnsafePointer<Element> {
        let start = address.bindMemory(to: Element.self, capacity: elements.count)
        start.initialize(from: elements, count: elements.count)
        return UnsafePointer(start)
    }
}

extension SamplerBank {
    /// One sampler.
    @frozen
    @usableFromInline
    struct Entry: BitwiseCopyable {
        /// The index of the first part; the value itself if there are no parts.
        @usableFromInline
        var number: Int64
        /// How many parts; 0 for a constant.
        @usableFromInline
        var partCount: Int
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
        private var known: [Sampler: Entry] = [:]

        mutating func append(_ sampler: Sampler) {
            let entry = known[sampler] ?? self.entry(for: sampler)
            known[sampler] = entry
            entries.append(entry)
        }

        private mutating func entry(for sampler: Sampler) -> Entry {
            if sampler.parts.count == 1, case .uniform(let value, 0) = sampler.parts[0].law {
                return Entry(number: value, partCount: 0)
            }
            let entry = Entry(number: Int64(parts.count), partCount: sampler.parts.count)
            for part in sampler.parts {
                append(part)
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
