import CMemoryHints
public import Quantities

/// Scans of 64 rows at a time, in vectors that every 64-bit processor supports.
///
/// A scan compares its results with those of the last one, and counts and writes only the differences: most instances
/// are unchanged, and memory that is not written need not be written back.
extension FreshnessTable {
    /// Classifies all rows at an instant.
    ///
    /// - Precondition: `now` is not earlier than the instant given to the initialiser by more than 12 days.
    /// - Complexity: O(*rows*), at the speed of memory where little changes.
    public mutating func scan(at now: Instant) -> Counts {
        scan(at: now) { _, codes, row, _, new in
            new.store(codes, row)
        } change: { _, codes, row, new in
            codes[row] = new
        }
    }

    /// Classifies all rows at an instant and reports each instance whose class has changed since the last scan.
    ///
    /// - Parameters:
    ///   - now: The instant of the scan.
    ///   - changed: Called in the order of rows with the row, its class at the last scan (nil for an instance that was
    ///     not there) and its class now.
    /// - Precondition: As for ``scan(at:)``.
    /// - Complexity: As for ``scan(at:)``, plus some nanoseconds per change.
    public mutating func scan(
        at now: Instant,
        changed: (_ row: Int, _ old: FreshnessClass?, _ new: FreshnessClass) -> Void
    ) -> Counts {
        func change(_ lapses: UnsafeRawBufferPointer, _ codes: UnsafeMutableRawBufferPointer, _ row: Int, _ new: UInt8)
        {
            let old = codes[row]
            codes[row] = new
            guard lapses.load(fromByteOffset: 4 * row, as: Int32.self) != FreshnessTable.vacant,
                let now = FreshnessClass(rawValue: new)
            else { return }
            changed(row, FreshnessClass(rawValue: old), now)
        }
        return scan(at: now) { lapses, codes, row, old, new in
            new.forEachDifference(from: old) { place, code in change(lapses, codes, row + place, code) }
        } change: { lapses, codes, row, new in
            change(lapses, codes, row, new)
        }
    }

    /// Traverses all rows and handles changes, for 64 rows at a time and one by one at the end.
    @inline(__always)
    private mutating func scan(
        at now: Instant,
        changeSome: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer, Int, Codes64, Codes64) -> Void,
        change: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer, Int, UInt8) -> Void
    ) -> Counts {
        let rule = Rule(ticks(at: now))
        var sums = sums
        lapses.withUnsafeBytes { lapses in
            codes.withUnsafeMutableBytes { codes in
                var row = 0
                while row &+ Codes64.count <= codes.count {
                    FreshnessTable.fetchAhead(lapses, codes, row)
                    let (old, new) = (Codes64(codes, row), rule.codes64(lapses, row))
                    if new.differ(from: old) {
                        sums.replace(old, by: new)
                        changeSome(lapses, codes, row, old, new)
                    }
                    row &+= Codes64.count
                }
                while row < codes.count {
                    let (old, new) = (codes[row], rule.code(lapses, row))
                    if new != old {
                        sums.replace(old, by: new)
                        change(lapses, codes, row, new)
                    }
                    row += 1
                }
            }
        }
        self.sums = sums
        return counts
    }

    /// Prefetches the cache lines that a scan reads 1,024 rows later.
    ///
    /// A processor prefetches a sequential read automatically, but stops at the end of each page (4 KiB). One page
    /// ahead, it has not started yet. Measured: 30 to 33 GB/s; half that distance is slower than no prefetching.
    @inline(__always)
    private static func fetchAhead(
        _ lapses: UnsafeRawBufferPointer,
        _ codes: UnsafeMutableRawBufferPointer,
        _ row: Int
    ) {
        guard let lapses = lapses.baseAddress, let codes = codes.baseAddress else { return }
        let ahead = row &+ 1024
        for line in 0..<4 {
            prefetch_line(lapses + (4 &* ahead &+ 64 &* line))
        }
        prefetch_line(codes + ahead)
    }

    /// The number of rows by class, once a scan has seen each row.
    private var counts: Counts {
        var counts = Counts()
        counts.fresh = sums.fresh
        // A vacant row has the lapse of an instance that has long been severe.
        counts.severe = sums.severe - vacantCount
        counts.recoverable = rowCount - sums.fresh - sums.severe
        counts.vacant = vacantCount
        return counts
    }

    /// The numbers of codes that mean fresh and severe.
    struct Sums: Hashable, Sendable {
        var fresh = 0
        var severe = 0

        @inline(__always)
        mutating func replace(_ old: UInt8, by new: UInt8) {
            fresh += (new == 0 ? 1 : 0) - (old == 0 ? 1 : 0)
            severe += (new == 2 ? 1 : 0) - (old == 2 ? 1 : 0)
        }

        @inline(__always)
        fileprivate mutating func replace(_ old: Codes64, by new: Codes64) {
            fresh += new.count(of: 0) - old.count(of: 0)
            severe += new.count(of: 2) - old.count(of: 2)
        }
    }

    /// The current instant and the start of the recovery window before it, in the table's time.
    private struct Rule {
        let tick: Int32
        let late: Int32

        init(_ ticks: (tick: Int32, late: Int32)) {
            (tick, late) = ticks
        }

        /// The code of a row.
        @inline(__always)
        func code(_ lapses: UnsafeRawBufferPointer, _ row: Int) -> UInt8 {
            let lapse = lapses.load(fromByteOffset: 4 &* row, as: Int32.self)
            return (lapse <= tick ? 1 : 0) + (lapse <= late ? 1 : 0)
        }

        /// The codes of 64 rows.
        @inline(__always)
        func codes64(_ lapses: UnsafeRawBufferPointer, _ row: Int) -> Codes64 {
            Codes64(
                codes16(lapses, row),
                codes16(lapses, row &+ 16),
                codes16(lapses, row &+ 32),
                codes16(lapses, row &+ 48)
            )
        }

        /// The codes of sixteen rows.
        ///
        /// A comparison that holds is -1 in a vector; adding the comparisons to 2 yields the code. It uses 16-bit lanes
        /// and vectors only, so that the compiler needs one instruction for each operator and register.
        @inline(__always)
        private func codes16(_ lapses: UnsafeRawBufferPointer, _ row: Int) -> SIMD16<Int8> {
            let lapse = lapses.loadUnaligned(fromByteOffset: 4 &* row, as: SIMD16<Int32>.self)
            let none = SIMD16<Int32>(repeating: 0)
            let isFresh = none.replacing(with: -1, where: lapse .> SIMD16<Int32>(repeating: tick))
            let isNotSevere = none.replacing(with: -1, where: lapse .> SIMD16<Int32>(repeating: late))
            let narrow = SIMD16<Int16>(truncatingIfNeeded: isFresh &+ isNotSevere)
            return SIMD16<Int8>(repeating: 2) &+ SIMD16<Int8>(truncatingIfNeeded: narrow)
        }
    }

    /// The codes of 64 rows.
    fileprivate struct Codes64 {
        static var count: Int { 64 }

        let part0: SIMD16<Int8>
        let part1: SIMD16<Int8>
        let part2: SIMD16<Int8>
        let part3: SIMD16<Int8>

        @inline(__always)
        init(_ part0: SIMD16<Int8>, _ part1: SIMD16<Int8>, _ part2: SIMD16<Int8>, _ part3: SIMD16<Int8>) {
            (self.part0, self.part1, self.part2, self.part3) = (part0, part1, part2, part3)
        }

        @inline(__always)
        init(_ codes: UnsafeMutableRawBufferPointer, _ row: Int) {
            part0 = codes.loadUnaligned(fromByteOffset: row, as: SIMD16<Int8>.self)
            part1 = codes.loadUnaligned(fromByteOffset: row &+ 16, as: SIMD16<Int8>.self)
            part2 = codes.loadUnaligned(fromByteOffset: row &+ 32, as: SIMD16<Int8>.self)
            part3 = codes.loadUnaligned(fromByteOffset: row &+ 48, as: SIMD16<Int8>.self)
        }

        @inline(__always)
        func store(_ codes: UnsafeMutableRawBufferPointer, _ row: Int) {
            codes.storeBytes(of: part0, toByteOffset: row, as: SIMD16<Int8>.self)
            codes.storeBytes(of: part1, toByteOffset: row &+ 16, as: SIMD16<Int8>.self)
            codes.storeBytes(of: part2, toByteOffset: row &+ 32, as: SIMD16<Int8>.self)
            codes.storeBytes(of: part3, toByteOffset: row &+ 48, as: SIMD16<Int8>.self)
        }

        @inline(__always)
        func differ(from old: Codes64) -> Bool {
            let difference =
                (part0 ^ old.part0) | (part1 ^ old.part1) | (part2 ^ old.part2) | (part3 ^ old.part3)
            let halves = unsafeBitCast(difference, to: SIMD2<UInt64>.self)
            return halves[0] | halves[1] != 0
        }

        /// The number of codes equal to a given one.
        @inline(__always)
        func count(of code: Int8) -> Int {
            let (zero, sought) = (SIMD16<Int8>(repeating: 0), SIMD16<Int8>(repeating: code))
            var found = zero &- zero.replacing(with: -1, where: part0 .== sought)
            found &-= zero.replacing(with: -1, where: part1 .== sought)
            found &-= zero.replacing(with: -1, where: part2 .== sought)
            found &-= zero.replacing(with: -1, where: part3 .== sought)
            let halves = unsafeBitCast(found, to: SIMD2<UInt64>.self)
            // The top byte of the product is the sum of all eight.
            return Int(((halves[0] &+ halves[1]) &* 0x0101_0101_0101_0101) >> 56)
        }

        /// Calls a closure for each place whose code has changed, with its new code.
        @inline(never)
        func forEachDifference(from old: Codes64, _ body: (_ place: Int, _ code: UInt8) -> Void) {
            var start = 0
            for (new, old) in [(part0, old.part0), (part1, old.part1), (part2, old.part2), (part3, old.part3)] {
                for place in 0..<16 where new[place] != old[place] {
                    body(start + place, UInt8(bitPattern: new[place]))
                }
                start += 16
            }
        }
    }
}
