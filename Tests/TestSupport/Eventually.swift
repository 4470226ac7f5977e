import Foundation

/// The time limit of tests that wait for a certain event.
public enum Patience {
    /// The limit in seconds.
    ///
    /// No machine is this slow, so no verdict depends on it.
    public static let seconds = 600

    /// The limit that ends a hang.
    public static let limit = Duration.seconds(seconds)
}

/// Waits until a condition holds; false if it does not within ``Patience/limit`` or if the task is cancelled.
public func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let limit = ContinuousClock.now + Patience.limit
    while try await !condition() {
        guard ContinuousClock.now < limit, !Task.isCancelled else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}

/// Waits until a condition holds, and blocks its thread; false if it does not within ``Patience/limit``.
public func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
    let limit = ContinuousClock.now + Patience.limit
    while try !condition() {
        guard ContinuousClock.now < limit else { return false }
        Thread.sleep(forTimeInterval: 0.005)
    }
    return true
}
