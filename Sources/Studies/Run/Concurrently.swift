/// Returns the values of a function for 0..<count, in order, however many are computed at the same time.
///
/// - Throws: The first error of the function; `CancellationError` if the task is cancelled.
public func concurrently<Value: Sendable>(
    _ count: Int,
    jobs: Int,
    _ make: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    var values: [Value] = []
    try await concurrently(count, jobs: jobs, make) { values.append($0) }
    return values
}

/// Computes values for 0..<count, several at the same time, and passes each on in order as soon as its predecessors are
/// there.
///
/// - Throws: The first error of the function; `CancellationError` if the task is cancelled.
public func concurrently<Value: Sendable>(
    _ count: Int,
    jobs: Int,
    _ make: @escaping @Sendable (Int) async throws -> Value,
    inOrder take: (Value) -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        var next = 0
        func addTask() {
            guard next < count else { return }
            let index = next
            next += 1
            group.addTask {
                try Task.checkCancellation()
                return (index, try await make(index))
            }
        }
        for _ in 0..<min(jobs, count) { addTask() }
        var early: [Int: Value] = [:]
        var turn = 0
        while let (index, value) = try await group.next() {
            early[index] = value
            while let value = early.removeValue(forKey: turn) {
                take(value)
                turn += 1
            }
            addTask()
        }
    }
}
