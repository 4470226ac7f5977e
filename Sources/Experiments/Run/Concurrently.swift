/// The values that a function gives for 0..<count, in this order, however many are made at the same time.
///
/// - Throws: What the function throws first; `CancellationError` when the task is cancelled.
package func concurrently<Value: Sendable>(
    _ count: Int,
    jobs: Int,
    _ make: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    var values: [Value] = []
    try await concurrently(count, jobs: jobs, make) { values.append($0) }
    return values
}

/// Makes values for 0..<count, several at the same time, and hands each over in its turn, as soon as those before it are there.
///
/// - Throws: What the function throws first; `CancellationError` when the task is cancelled.
package func concurrently<Value: Sendable>(
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
