internal import Foundation

/// Keeps a second process away from a store whose owner removes it when all is done.
///
/// The system gives the lock back when the process ends, however it ends; a lock file that lies around means nothing.
public final class StoreLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil while another process has it, or while the file cannot be made.
    ///
    /// - Parameter path: The file to lock; it is made where it is missing, and stays.
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
