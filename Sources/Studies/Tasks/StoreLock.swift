internal import Foundation

/// A lock that keeps a second process away from a store whose owner removes it at the end.
///
/// The system releases the lock when the process ends in any way; an existing lock file alone has no meaning.
public final class StoreLock: Sendable {
    private let descriptor: Int32

    /// Acquires the lock; returns nil if another process holds it, or if the file cannot be created.
    ///
    /// - Parameter path: The file to lock; it is created if missing, and stays.
    public init?(path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        close(descriptor)
    }
}
