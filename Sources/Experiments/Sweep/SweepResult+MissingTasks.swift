extension SweepResult {
    /// Why there is nothing to merge yet.
    public struct MissingTasks: Error, Hashable, CustomStringConvertible {
        /// The numbers of the tasks that have no result, ascending; never empty.
        public let numbers: [Int]
        /// How many tasks there are.
        public let of: Int
        /// The first without a result.
        public let first: RunTask

        /// How many tasks are missing, and which, in the form that Slurm's `--array` takes.
        public var description: String {
            "\(numbers.count) of \(of) tasks have no result yet: \(Self.ranges(numbers)); the first is replication "
                + "\(first.replication) of design point \(first.point)"
        }

        /// Refuses a sweep of which tasks are missing.
        ///
        /// - Throws: ``MissingTasks`` with all of them.
        public static func check(_ sweep: Sweep, in store: TaskStore) throws(MissingTasks) {
            let missing = sweep.tasks.indices.filter { !store.holds(sweep.tasks[$0]) }
            guard let first = missing.first else { return }
            throw MissingTasks(numbers: missing, of: sweep.tasks.count, first: sweep.tasks[first])
        }

        /// How many ranges are shown: a line, not a page.
        private static let shown = 20

        /// `0-3,7,9-12`: neighbours as ranges.
        static func ranges(_ numbers: [Int]) -> String {
            var ranges: [ClosedRange<Int>] = []
            for number in numbers {
                if let last = ranges.last, last.upperBound + 1 == number {
                    ranges[ranges.count - 1] = last.lowerBound...number
                } else {
                    ranges.append(number...number)
                }
            }
            let texts = ranges.prefix(shown)
                .map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            return texts.joined(separator: ",") + (ranges.count > shown ? ",…" : "")
        }
    }
}
