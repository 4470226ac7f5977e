import CSQLite
import Foundation
import LoadGenerator
import Synchronization

/// The tokens and the content that their instances show, in an SQLite file that survives a kill at any moment.
///
/// Changes of many requests share one transaction and complete after its commit, so one wait for the disk serves all
/// requests that arrived during the previous one. Changes are applied in the order of submission, and each gets a
/// revision larger than all before it, also across restarts.
///
/// Source: SQLite, "Write-Ahead Logging" and `PRAGMA synchronous`: with FULL a transaction is durable when it has
/// committed.
package final class Registry: Sendable {
    /// Called with the revision of a change once it is durable, or with the error.
    typealias Completion = @Sendable (Result<Int64, RegistryError>) -> Void

    private struct Pending {
        let change: RegistryChange
        let revision: Int64
        let completion: Completion
    }

    private struct State {
        var pending: [Pending] = []
        var lastRevision: Int64 = 0
        var isWriting = false
        /// The number of changes in the current transaction, or whose completions are still running.
        var batchCount = 0
        var isClosed = false
        var writes = Writes()
    }

    /// The number of durable changes, of their transactions, and of failed changes.
    struct Writes: Hashable, Sendable {
        var changes = 0
        var commits = 0
        var failures = 0
    }

    private let path: String
    /// The connection; `nil` once it is closed.
    private let database: Mutex<SQLiteDatabase?>
    /// Commits one transaction after another, and runs the completions.
    private let queue = DispatchQueue(label: "registry")
    private let state = Mutex(State())
    /// The maximum number of changes per transaction, which keeps the wait for a commit short when many thousands
    /// arrive at once.
    private static let batchLimit = 4096

    /// Opens or creates a file, with access for its owner only.
    ///
    /// - Parameter path: The file; another with `-wal` appended exists beside it while it is open.
    /// - Throws: The reason why it cannot be used: it belongs to another program, a later version has written it, it is
    ///   damaged, or another monitor uses it. The first two are detected before it is modified.
    /// - Complexity: O(size of the file): the whole file is checked.
    package init(path: String) throws(RegistryError) {
        self.path = path
        do {
            if let refusal = try RegistryFile.refusal(path: path) { throw refusal }
            keepToOwner(path)
            let database = try SQLiteDatabase(path: path)
            try Registry.prepare(database)
            // Checked again, now that the file is locked: another program may have created it meanwhile.
            if let refusal = try RegistryFile(database).refusal(path: path) { throw refusal }
            try database.execute("PRAGMA journal_mode = WAL")
            try Registry.migrate(database)
            if let finding = try Registry.finding(database) {
                throw RegistryError.damaged(path: path, finding: finding)
            }
            // Takes the lock now instead of at the first change.
            try database.transaction { try Registry.mark(database) }
            let last = try database.integer("SELECT max(revision) FROM instance")
            removeIndex(of: path)
            state.withLock { $0.lastRevision = last ?? 0 }
            self.database = Mutex(database)
        } catch {
            throw RegistryError(error, path: path)
        }
    }

    /// Returns all instances in the order of their names; if one is invalid, throws an error.
    ///
    /// - Parameter shard: The instances that the registry may hold.
    func load(of shard: LoadShare = .whole) throws(RegistryError) -> [StoredInstance] {
        let instances = try loadAll()
        if let other = instances.first(where: { !$0.id.isOf(shard) }) {
            throw .otherShard(path: path, instance: other.id.text, shard: shard.text)
        }
        return instances
    }

    private func loadAll() throws(RegistryError) -> [StoredInstance] {
        do {
            return try database.withLock { database in
                guard let database else { throw RegistryError.closed }
                var instances: [StoredInstance] = []
                try database.run(RegistryRow.query) { instances.append(try RegistryRow(values: $0).instance()) }
                return instances
            }
        } catch {
            throw RegistryError(error, path: path)
        }
    }

    /// The counts of writes so far.
    var writes: Writes { state.withLock(\.writes) }

    /// The number of changes that are not durable yet, or whose completions are still running.
    var waitingCount: Int { state.withLock { $0.pending.count + $0.batchCount } }

    // MARK: - Changes

    /// Makes a change durable; returns its revision after the commit.
    func write(_ change: RegistryChange) async throws(RegistryError) -> Int64 {
        let result = await withCheckedContinuation { continuation in
            submit(change) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Submits a change.
    ///
    /// Changes become durable in order. The completion runs on the registry's queue and must not block.
    func submit(_ change: RegistryChange, completion: @escaping Completion) {
        let (isClosed, mustStart) = state.withLock { state in
            guard !state.isClosed else { return (true, false) }
            state.lastRevision += 1
            state.pending.append(Pending(change: change, revision: state.lastRevision, completion: completion))
            defer { state.isWriting = true }
            return (false, !state.isWriting)
        }
        if isClosed { completion(.failure(.closed)) }
        if mustStart { queue.async { self.writeAll() } }
    }

    /// Writes until no change is pending.
    private func writeAll() {
        while true {
            let batch = state.withLock { state -> [Pending] in
                let count = min(state.pending.count, Registry.batchLimit)
                let batch = Array(state.pending.prefix(count))
                state.pending.removeFirst(count)
                state.batchCount = batch.count
                if batch.isEmpty { state.isWriting = false }
                return batch
            }
            guard !batch.isEmpty else { return }
            let failure = database.withLock { Registry.commit(batch, to: $0) }
            state.withLock { state in
                state.writes.commits += failure == nil ? 1 : 0
                state.writes.changes += failure == nil ? batch.count : 0
                state.writes.failures += failure == nil ? 0 : batch.count
            }
            for pending in batch {
                pending.completion(failure.map { .failure($0) } ?? .success(pending.revision))
            }
        }
    }

    private static func commit(_ batch: [Pending], to database: SQLiteDatabase?) -> RegistryError? {
        guard let database else { return .closed }
        // Data in a file without a name is lost when the process ends.
        guard !database.hasMoved else {
            return .notWritten(reason: "its file was moved or deleted; restore it, or restart with a new file")
        }
        do {
            try database.transaction {
                for pending in batch { try apply(pending.change, revision: pending.revision, to: database) }
            }
            return nil
        } catch {
            return .notWritten(reason: (error as? SQLiteError)?.message ?? "\(type(of: error))")
        }
    }

    /// Waits for the submitted changes, and closes the file.
    func close() async {
        let mustClose = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard mustClose else { return }
        await withCheckedContinuation { continuation in
            // Queued behind all submitted changes; a write in progress takes later ones.
            queue.async {
                self.writeAll()
                self.database.withLock { $0 = nil }
                continuation.resume()
            }
        }
    }
}

extension RegistryError {
    /// The reason why a file cannot be used.
    fileprivate init(_ error: any Error, path: String) {
        self =
            switch error {
            case let error as RegistryError: error
            case let damage as RegistryRow.Damage: .damaged(path: path, finding: damage.text)
            case let error as SQLiteError where error.code == SQLITE_BUSY: .inUse(path: path)
            case let error as SQLiteError where error.code == SQLITE_CORRUPT:
                .damaged(path: path, finding: error.message)
            case let error as SQLiteError: .unreadable(path: path, reason: error.message)
            default: .unreadable(path: path, reason: "\(type(of: error))")
            }
    }
}

/// Restricts access to a file with tokens to its owner, also for a file that was open to others.
private func keepToOwner(_ path: String) {
    var status = stat()
    // If it can neither be created nor changed, SQLite reports why.
    if stat(path, &status) == 0 {
        if status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
    } else {
        // An existing file is not opened: closing it would release SQLite's locks on it.
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }
}

/// Removes the index of the log that an inspection of a killed monitor's file has created.
///
/// Under the lock no process can use it, and it would remain.
private func removeIndex(of path: String) {
    unlink(URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-shm")
}
