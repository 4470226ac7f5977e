public import Quantities

/// Scans: sixteen rows at a time, in vectors that every 64-bit processor has.
extension FreshnessTable {
    /// How many rows are classified together.
    private static var groupSize: Int { 16 }
    /// As many groups as a sum of bytes, one per group, can count.
    private static var largestBlock: Int { 255 }

    /// Classifies all rows at an instant.
    ///
    /// - Precondition: `now` is not earlier than the instant given to the initialiser by more than 12 days.
    /// - Complexity: O(*rows*), at the speed of memory.
    public mutating func scan(at now: Instant) -> Counts {
        let (tick, late) = ticks(at: now)
        let rows = lapses.count
        var sums = Sums()
        lapses.withUnsafeBytes { lapses in
            codes.withUnsafeMutableBytes { codes in
                var row = 0
                while row < rows {
                    let groups = min(FreshnessTable.largestBlock, (rows - row) / FreshnessTable.groupSize)
                    guard groups > 0 else { break }
                    var block = Block(tick: tick, late: late)
                    for _ in 0..<groups {
                        let new = block.classify(lapses, row)
                        codes.storeBytes(of: new, toByteOffset: row, as: SIMD16<Int8>.self)
                        row &+= FreshnessTable.groupSize
                    }
                    sums.add(block)
                }
                while row < rows {
                    let lapse = lapses.load(fromByteOffset: 4 * row, as: Int32.self)
                    codes[row] = sums.classify(lapse, tick: tick, late: late)
                    row += 1
                }
            }
        }
        return counts(sums)
    }

    /// Classifies all rows at an instant and tells of each instance whose class is another than at the last scan.
    ///
    /// - Parameter changed: Is given the row, the class at the last scan (nil for an instance that was not there) and the
    ///   class now, in the order of rows.
    /// - Precondition: As for ``scan(at:)``.
    /// - Complexity: O(*rows*); where little changes, at the speed of memory.
    public mutating func scan(
        at now: Instant,
        changed: (_ row: Int, _ old: FreshnessClass?, _ new: FreshnessClass) -> Void
    ) -> Counts {
        let (tick, late) = ticks(at: now)
        let rows = lapses.count
        var sums = Sums()
        lapses.withUnsafeBytes { lapses in
            codes.withUnsafeMutableBytes { codes in
                func tell(_ row: Int, _ new: UInt8) {
                    let old = codes[row]
                    codes[row] = new
                    guard new != old, lapses.load(fromByteOffset: 4 * row, as: Int32.self) != FreshnessTable.vacant,
                        let now = FreshnessClass(rawValue: new)
                    else { return }
                    changed(row, FreshnessClass(rawValue: old), now)
                }
                var row = 0
                while row < rows {
                    let groups = min(FreshnessTable.largestBlock, (rows - row) / FreshnessTable.groupSize)
                    guard groups > 0 else { break }
                    var block = Block(tick: tick, late: late)
                    for _ in 0..<groups {
                        let new = block.classify(lapses, row)
                        let old = codes.loadUnaligned(fromByteOffset: row, as: SIMD16<Int8>.self)
                        let difference = unsafeBitCast(new ^ old, to: SIMD2<UInt64>.self)
                        if difference[0] | difference[1] != 0 {
                            for place in 0..<FreshnessTable.groupSize {
                                tell(row + place, UInt8(bitPattern: new[place]))
                            }
                        }
                        row &+= FreshnessTable.groupSize
                    }
                    sums.add(block)
                }
                while row < rows {
                    let lapse = lapses.load(fromByteOffset: 4 * row, as: Int32.self)
                    tell(row, sums.classify(lapse, tick: tick, late: late))
                    row += 1
                }
            }
        }
        return counts(sums)
    }

    private func counts(_ sums: Sums) -> Counts {
        var counts = Counts()
        counts.fresh = sums.fresh
        counts.severe = sums.severe - vacantCount
        counts.recoverable = rowCount - sums.fresh - sums.severe
        counts.vacant = vacantCount
        return counts
    }

    /// How many rows are fresh and how many severe, where vacant ones count as severe.
    private struct Sums {
        var fresh = 0
        var severe = 0

        mutating func add(_ block: Block) {
            for place in 0..<groupSize {
                fresh += Int(UInt8(bitPattern: block.fresh[place]))
                severe += Int(UInt8(bitPattern: block.severe[place]))
            }
        }

        mutating func classify(_ lapse: Int32, tick: Int32, late: Int32) -> UInt8 {
            let code: UInt8 = (lapse <= tick ? 1 : 0) + (lapse <= late ? 1 : 0)
            fresh += code == 0 ? 1 : 0
            severe += code == 2 ? 1 : 0
            return code
        }
    }

    /// Sixteen sums of bytes, for at most 255 groups.
    private struct Block {
        let tick: SIMD16<Int32>
        let late: SIMD16<Int32>
        var fresh = SIMD16<Int8>(repeating: 0)
        var severe = SIMD16<Int8>(repeating: 0)

        @inline(__always)
        init(tick: Int32, late: Int32) {
            self.tick = SIMD16(repeating: tick)
            self.late = SIMD16(repeating: late)
        }

        /// The codes of sixteen rows.
        ///
        /// A comparison that holds is -1 in a vector; what is counted down from 2 is the code without another step.
        @inline(__always)
        mutating func classify(_ lapses: UnsafeRawBufferPointer, _ row: Int) -> SIMD16<Int8> {
            let lapse = lapses.loadUnaligned(fromByteOffset: 4 &* row, as: SIMD16<Int32>.self)
            let none = SIMD16<Int32>(repeating: 0)
            let later = none.replacing(with: -1, where: lapse .> tick) &+ none.replacing(with: -1, where: lapse .> late)
            let code =
                SIMD16<Int8>(repeating: 2) &+ SIMD16<Int8>(truncatingIfNeeded: SIMD16<Int16>(truncatingIfNeeded: later))
            let zero = SIMD16<Int8>(repeating: 0)
            fresh &-= zero.replacing(with: -1, where: code .== zero)
            severe &-= zero.replacing(with: -1, where: code .== SIMD16<Int8>(repeating: 2))
            return code
        }
    }
}
