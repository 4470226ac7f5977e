extension LogDigest {
    /// A ride of the log.
    ///
    /// A backtest holds all rides of a log, so the first four stages are stored inline: 56 bytes.
    public struct Ride: Sendable {
        public let requestedAt: Int64
        public let isCancelled: Bool
        /// `true` if its end is in the log.
        public let isComplete: Bool
        /// `true` if it has no row after a gap of the log, so that its end may be there.
        public let endsInGap: Bool
        private let stageCount: UInt32
        /// The stages, each in the upper 8 bits, with their lengths in the lower 56 [µs].
        private var (first, second, third, fourth) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        private let others: [UInt64]

        init(
            requestedAt: Int64,
            stages: [(stage: Int, length: Int64)],
            isCancelled: Bool,
            isComplete: Bool,
            endsInGap: Bool
        ) {
            (self.requestedAt, self.isCancelled, self.isComplete) = (requestedAt, isCancelled, isComplete)
            self.endsInGap = endsInGap
            let packed = stages.map { UInt64($0.stage) << 56 | UInt64($0.length) }
            stageCount = UInt32(packed.count)
            if packed.count > 0 { first = packed[0] }
            if packed.count > 1 { second = packed[1] }
            if packed.count > 2 { third = packed[2] }
            if packed.count > 3 { fourth = packed[3] }
            others = packed.count > 4 ? Array(packed[4...]) : []
        }

        /// The stages in the order in which they began, with their lengths [µs].
        public var stages: [(stage: Int, length: Int64)] {
            ([first, second, third, fourth].prefix(Int(stageCount)) + others)
                .map { (Int($0 >> 56), Int64($0 & 0x00FF_FFFF_FFFF_FFFF)) }
        }
    }
}
