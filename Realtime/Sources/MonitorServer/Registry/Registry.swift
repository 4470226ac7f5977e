import Foundation
import GRDB
import GRDBSQLite
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

    private let queue: DatabaseQueue
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
        do {
            if let refusal = try RegistryFile.refusal(path: path) { throw refusal }
            keepToOwner(path)
            var configuration = Configuration()
            configuration.label = "registry"
            configuration.prepareDatabase { try Registry.prepare($0) }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            // Checked again, now that the file is locked: another program may have created it meanwhile.
            if let refusal = try queue.read({ try RegistryFile($0.sqliteConnection).refusal(path: path) }) {
                throw refusal
            }
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try Registry.migrator.migrate(queue)
            if let finding = try queue.read({ try Registry.finding($0) }) {
                throw RegistryError.damaged(path: path, finding: finding)
            }
            // Takes the lock now instead of at the first change.
            let last = try queue.write { database in
                try Registry.mark(database)
                return try Int64.fetchOne(database, sql: "SELECT max(revision) FROM instance")
            }
            removeIndex(of: path)
            state.withLock { $0.lastRevision = last ?? 0 }
        } catch let error as RegistryError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw .inUse(path: path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            throw .damaged(path: path, finding: error.message ?? "SQLite cannot read it")
        } catch let error as DatabaseError {
            throw .unreadable(path: path, reason: error.message ?? "error \(error.resultCode.rawValue)")
        } catch {
            throw .unreadable(path: path, reason: "\(type(of: error))")
        }
    }

    /// Returns all instances in the order of their names; if one is invalid, throws an error.
    ///
    /// - Parameter shard: The instances that the registry may hold.
    func load(of shard: LoadShare = .whole) throws(RegistryError) -> [StoredInstance] {
        let instances = try loadAll()
        if let other = instances.first(where: { !$0.id.isOf(shard) }) {
            throw .otherShard(path: queue.path, instance: other.id.text, shard: shard.text)
        }
        return instances
    }

    private func loadAll() throws(RegistryError) -> [StoredInstance] {
        do {
            return try queue.read { database in
                var instances: [StoredInstance] = []
                let rows = try Row.fetchCursor(database, sql: RegistryRow.query)
                while let row = try rows.next() { instances.append(try RegistryRow(row).instance()) }
                return instances
            }
        } catch let damage as RegistryRow.Damage {
            throw .damaged(path: queue.path, finding: damage.text)
        } catch {
            throw .unreadable(path: queue.path, reason: "\((error as? DatabaseError)?.message ?? "not a registry")")
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
        if mustStart { queue.asyncWriteWithoutTransaction { database in self.writeAll(to: database) } }
    }

    /// Writes until no change is pending.
    private func writeAll(to database: Database) {
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
            let failure = commit(batch, to: database)
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

    private func commit(_ batch: [Pending], to database: Database) -> RegistryError? {
        var hasMoved: CInt = 0
        sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        // Data in a file without a name is lost when the process ends.
        guard hasMoved == 0 else {
            return .notWritten(reason: "its file was moved or deleted; restore it, or restart with a new file")
        }
        do {
            try database.inTransaction(.immediate) {
                for pending in batch {
                    try Registry.apply(pending.change, revision: pending.revision, to: database)
                }
                return .commit
            }
            return nil
        } catch let error as DatabaseError {
            // Only SQLite's message: GRDB's text would contain the statement's values.
            return .notWritten(reason: error.message ?? "error \(error.resultCode.rawValue)")
        } catch {
            return .notWritten(reason: "\(type(of: error))")
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
            queue.asyncWriteWithoutTransaction { database in
                self.writeAll(to: database)
                continuation.resume()
            }
        }
        try? queue.close()
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
