/// The values that a function gives for 0..<count, in this order, however many are made at the same time.
///
/// - Throws: What the function throws first; `CancellationError` when the task is cancelled.
package func concurrently<Value: Sendable>(
    _ count: Int,
    jobs: Int,
    _ make: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    var values = [Value?](repeating: nil, count: count)
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
        while let (index, value) = try await group.next() {
            values[index] = value
            addTask()
        }
    }
    return values.compactMap { $0 }
}
