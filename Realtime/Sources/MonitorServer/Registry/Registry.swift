import Foundation
import GRDB
import GRDBSQLite
import LoadGenerator
import Synchronization

/// The tokens and what their instances show, in an SQLite file that survives a kill at any moment.
///
/// Changes of many requests go into one transaction, and each is answered after its commit: one wait for the disk serves
/// all who came while the last one was going on. Changes are applied in the order in which they were handed in, and each
/// gets a revision larger than all before, across restarts too.
///
/// Source: SQLite, "Write-Ahead Logging" and `PRAGMA synchronous`: with FULL a transaction is durable when it has committed.
package final class Registry: Sendable {
    /// What is told once a change is durable, or could not be made so: its revision.
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
        /// How many changes are in the transaction that is under way, or have not all heard of it.
        var batchCount = 0
        var isClosed = false
        var writes = Writes()
    }

    /// How many changes became durable, in how many transactions, and how many did not.
    struct Writes: Hashable, Sendable {
        var changes = 0
        var commits = 0
        var failures = 0
    }

    private let queue: DatabaseQueue
    private let state = Mutex(State())
    /// The most changes of one transaction: it keeps the wait for a commit short when many thousands come at once.
    private static let batchLimit = 4096

    /// Opens a file, or makes it, with access for its owner alone.
    ///
    /// - Parameter path: The file; another with `-wal` appended stands beside it while it is open.
    /// - Throws: What keeps it from being used: it is another program's, it was written by a later version, it is damaged,
    ///   another monitor has it. The first two are found before it is touched.
    /// - Complexity: O(size of the file): it is checked as a whole.
    package init(path: String) throws(RegistryError) {
        do {
            if let refusal = try RegistryFile.refusal(path: path) { throw refusal }
            keepToOwner(path)
            var configuration = Configuration()
            configuration.label = "registry"
            configuration.prepareDatabase { try Registry.prepare($0) }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            // Once more, now that the file is locked: another program may have made it meanwhile.
            if let refusal = try queue.read({ try RegistryFile($0.sqliteConnection).refusal(path: path) }) {
                throw refusal
            }
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try Registry.migrator.migrate(queue)
            if let finding = try queue.read({ try Registry.finding($0) }) {
                throw RegistryError.damaged(path: path, finding: finding)
            }
            // Takes the lock now, not at the first change.
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

    /// All instances, in the order of their names; each of them, or an error.
    ///
    /// - Parameter shard: Which instances may be there.
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

    /// What was written so far.
    var writes: Writes { state.withLock(\.writes) }

    /// How many changes are not durable yet, or have not heard that they are.
    var waitingCount: Int { state.withLock { $0.pending.count + $0.batchCount } }

    // MARK: - Changes

    /// Makes a change durable; returns its revision after the commit.
    func write(_ change: RegistryChange) async throws(RegistryError) -> Int64 {
        let result = await withCheckedContinuation { continuation in
            submit(change) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Hands in a change; they become durable in their order, and the completion, on the registry's queue, must not wait.
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

    /// Writes until nothing is left.
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
        // What is written to a file without a name is lost with the process.
        guard hasMoved == 0 else {
            return .notWritten(reason: "its file was moved or deleted; put it back, or start anew")
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
            // The message of SQLite only: GRDB's text would hold the statement's values.
            return .notWritten(reason: error.message ?? "error \(error.resultCode.rawValue)")
        } catch {
            return .notWritten(reason: "\(type(of: error))")
        }
    }

    /// Waits for what was handed in, and closes the file.
    func close() async {
        let mustClose = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard mustClose else { return }
        await withCheckedContinuation { continuation in
            // Behind all that was handed in; a write that goes on takes what came since.
            queue.asyncWriteWithoutTransaction { database in
                self.writeAll(to: database)
                continuation.resume()
            }
        }
        try? queue.close()
    }
}

/// Keeps a file with tokens from everyone but its owner; one that was open to others is so no longer.
private func keepToOwner(_ path: String) {
    var status = stat()
    // Where it can be neither made nor changed, SQLite says why.
    if stat(path, &status) == 0 {
        if status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
    } else {
        // A file that is there is not opened: closing it would release SQLite's locks on it.
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }
}

/// Removes the index of the log that a look into a killed monitor's file has made: under the lock it is of no use to any
/// process, and it would stay.
private func removeIndex(of path: String) {
    unlink(URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-shm")
}
