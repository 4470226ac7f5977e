extension KNProcedure {
    /// What is known of one system.
    struct SystemState: Hashable, Sendable {
        /// The responses of each replication that has been told; kept, as replications may come in any order.
        private var kept: [[Double]?] = []
        /// Sums over the replications taken into account: the objective, larger being better, then each excess.
        private(set) var sums: [Double]
        /// How many replications have been taken into account.
        private(set) var replications = 0
        /// The variance of each constraint's response over the first stage.
        var variances: [Double] = []
        /// Which constraints are known to be kept to.
        var isSatisfied: [Bool]
        /// Why the system is out; nil in contention.
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

        /// Whether every constraint is known to be kept to; true without constraints.
        var isFeasible: Bool { !isSatisfied.contains(false) }

        func response(_ replication: Int) -> [Double]? {
            replication < kept.count ? kept[replication] : nil
        }

        /// The first that is told of a replication stays.
        mutating func keep(_ responses: [Double], replication: Int) {
            while kept.count <= replication { kept.append(nil) }
            if kept[replication] == nil { kept[replication] = responses }
        }

        /// Takes the next replication into account.
        mutating func take(_ values: [Double]) {
            for index in sums.indices { sums[index] += values[index] }
            replications += 1
        }

        /// One response of the replications taken into account.
        func column(_ response: Int) -> [Double] {
            kept[..<replications].compactMap { $0?[response] }
        }
    }

    /// What is known of two systems, of which the first has the lower index.
    struct PairState: Hashable, Sendable {
        /// The variance of their differences over the first stage.
        var variance = 0.0
        /// Which of them is better; nil until it is settled.
        var winner: Int?
    }

    /// Where the pair of two systems stands, the first having the lower index.
    func pairIndex(_ first: Int, _ second: Int) -> Int {
        first * (2 * systems.count - first - 1) / 2 + second - first - 1
    }

    /// The better of two systems; nil until it is settled.
    func winner(_ one: Int, _ other: Int) -> Int? {
        pairs[pairIndex(min(one, other), max(one, other))].winner
    }
}
