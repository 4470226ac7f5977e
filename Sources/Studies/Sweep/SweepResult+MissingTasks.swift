public import TextFormats

extension SweepResult {
    /// The error of a merge with tasks that have no result yet.
    public struct MissingTasks: Error, Hashable, CustomStringConvertible {
        /// The numbers of the tasks without a result, ascending; never empty.
        public let numbers: [Int]
        /// The number of all tasks.
        public let of: Int
        /// The first task without a result.
        public let first: RunTask

        /// The number of missing tasks and their numbers, in the form of Slurm's `--array`.
        public var description: String {
            "\(numbers.count) of \(of) \(of == 1 ? "task" : "tasks") \(numbers.count == 1 ? "has" : "have") "
                + "no result yet: \(Self.ranges(numbers)); the first is replication \(first.replication) of design point "
                + "\(first.point)"
        }

        /// Checks that all tasks of a sweep have results.
        ///
        /// - Throws: ``MissingTasks`` with all tasks that have none.
        public static func check(_ sweep: Sweep, in store: TaskStore) throws(MissingTasks) {
            let missing = sweep.tasks.indices.filter { !store.holds(sweep.tasks[$0]) }
            guard let first = missing.first else { return }
            throw MissingTasks(numbers: missing, of: sweep.tasks.count, first: sweep.tasks[first])
        }

        /// The largest number of ranges shown, which keeps them on one line.
        private static let shown = 20

        /// Returns the numbers as ranges: `0-3,7,9-12`.
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

extension SweepResult.MissingTasks: UserError {
    public var failure: FailureKind { .inputMissing }
}
