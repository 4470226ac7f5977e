/// Runs work and then an action, whether the work succeeds or fails.
package func working<Value>(_ work: () async throws -> Value, finally: () async -> Void) async throws -> Value {
    do {
        let value = try await work()
        await finally()
        return value
    } catch {
        await finally()
        throw error
    }
}
