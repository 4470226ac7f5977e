extension KNProcedure {
    /// The state of one system.
    struct SystemState: Hashable, Sendable {
        /// The recorded responses of each replication; stored, because replications may arrive in any order.
        private var kept: [[Double]?] = []
        /// The sums over the processed replications: the objective, oriented so that larger is better, then each
        /// excess.
        private(set) var sums: [Double]
        /// The number of processed replications.
        private(set) var replications = 0
        /// The variance of each constraint's response over the first stage.
        var variances: [Double] = []
        /// `true` for each constraint that is known to be satisfied.
        var isSatisfied: [Bool]
        /// The reason for which the system is out; nil while it is in contention.
        var exit: Exit?

        enum Exit: Hashable, Sendable {
            case infeasible(constraints: [Int])
            case eliminated(by: Int)
        }

        init(constraints: Int) {
            sums = Array(repeating: 0, count: 1 + constraints)
            isSatisfied = Array(repeating: false, count: constraints)
        }

        var isInContention: Bool { exit == nil }

        /// `true` if every constraint is known to be satisfied, or there are no constraints.
        var isFeasible: Bool { !isSatisfied.contains(false) }

        func response(_ replication: Int) -> [Double]? {
            replication < kept.count ? kept[replication] : nil
        }

        /// Stores the responses of a replication; later ones for the same replication are ignored.
        mutating func keep(_ responses: [Double], replication: Int) {
            while kept.count <= replication { kept.append(nil) }
            if kept[replication] == nil { kept[replication] = responses }
        }

        /// Processes the next replication.
        mutating func take(_ values: [Double]) {
            for index in sums.indices { sums[index] += values[index] }
            replications += 1
        }

        /// One response of the processed replications.
        func column(_ response: Int) -> [Double] {
            kept[..<replications].compactMap { $0?[response] }
        }
    }

    /// The state of a pair of systems, the one with the lower index first.
    struct PairState: Hashable, Sendable {
        /// The variance of their differences over the first stage.
        var variance = 0.0
        /// The better system; nil until it is decided.
        var winner: Int?
    }

    /// The index of a pair of systems, the one with the lower index first.
    func pairIndex(_ first: Int, _ second: Int) -> Int {
        first * (2 * systems.count - first - 1) / 2 + second - first - 1
    }

    /// The better of two systems; nil until it is decided.
    func winner(_ one: Int, _ other: Int) -> Int? {
        pairs[pairIndex(min(one, other), max(one, other))].winner
    }
}
