import Foundation
import GRDB
import GRDBSQLite

/// What an SQLite file says of itself before anything is written to it: whose it is, and of which schema.
///
/// A registry carries a mark in its header, so that no table gets into the file of another program. Files that a monitor
/// wrote before there was a mark are known by the first of their migrations.
///
/// Source: SQLite, "Database File Format": the application id says whose file it is, the user version is its owner's.
struct RegistryFile: Hashable, Sendable {
    /// The application id of a registry: "Frsh" in ASCII.
    static let mark: Int32 = 0x4672_7368

    /// `PRAGMA application_id`; 0 where a program gives none.
    var applicationID: Int32 = 0
    /// `PRAGMA user_version`; in a registry with the mark how many migrations it has had.
    var schema: Int32 = 0
    /// The names of its tables and views, those of SQLite itself left out, in alphabetical order.
    var tables: [String] = []
    /// The migrations that it has had, in alphabetical order.
    var migrations: [String] = []

    /// Why a monitor must not write to the file; nil where it is a registry, or nothing yet.
    func refusal(path: String) -> RegistryError? {
        let known = Registry.migrator.migrations
        let isMarked = applicationID == Self.mark
        guard isMarked || applicationID == 0 else {
            let number = String(UInt32(bitPattern: applicationID), radix: 16)
            return .foreign(path: path, finding: "its application id is 0x\(number)")
        }
        guard !isMarked || schema <= known.count else { return .laterSchema(path: path, schema: Int(schema)) }
        let hasOurs = migrations.contains { $0 == known.first }
        if isMarked || hasOurs {
            let unknown = migrations.filter { !known.contains($0) }
            guard unknown.isEmpty else { return .laterVersion(path: path, unknown: unknown) }
        }
        // Only the mark came with a version; before it there was none.
        guard isMarked || hasOurs || schema == 0 else {
            return .foreign(path: path, finding: "its user version is \(schema)")
        }
        // The table of migrations is there before the first of them has been applied.
        let own = hasOurs ? ["grdb_migrations", "instance"] : migrations.isEmpty ? ["grdb_migrations"] : []
        let others = isMarked ? [] : tables.filter { !own.contains($0) }
        guard let first = others.first else { return nil }
        // With escapes in place of what a terminal would obey.
        let name = String(first.prefix(64)).debugDescription
        let more = others.count > 1 ? " and \(others.count - 1) more" : ""
        return .foreign(path: path, finding: "it has the table \(name)\(more)")
    }
}

extension RegistryFile {
    /// Why a monitor must not write to a file; nil where it is a registry, or nothing yet.
    ///
    /// Nothing is written to the file or its log. SQLite writes an index of a log that it reads beside it, so it reads that
    /// of a file alone that would be a registry without its log.
    ///
    /// - Throws: `DatabaseError` where SQLite cannot read it.
    static func refusal(path: String) throws -> RegistryError? {
        // What belongs to the file stands beside it, and not beside a link to it.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard size(file.path) > 0 else { return nil }
        let withoutLog = Result { try RegistryFile(file, hasLog: false).refusal(path: path) }
        guard size(file.path + "-wal") > 0 else { return try withoutLog.get() }
        if case .success(let refusal?) = withoutLog { return refusal }
        return try RegistryFile(file, hasLog: true).refusal(path: path)
    }

    /// Reads a file.
    ///
    /// - Parameter hasLog: Whether what its log holds is read, too.
    private init(_ file: URL, hasLog: Bool) throws {
        // A connection that may write would put the log of another program into its file as it closes. One that reads
        // alone leaves files beside it where there is no log; as of a file that does not change it leaves none.
        let address = file.absoluteString + (hasLog ? "" : "?immutable=1")
        var connection: OpaquePointer?
        let code = sqlite3_open_v2(address, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
        defer { sqlite3_close_v2(connection) }
        guard code == SQLITE_OK, let connection else { throw Self.error(code, of: connection) }
        sqlite3_busy_timeout(connection, Registry.busyMilliseconds)
        try self.init(connection)
    }

    /// Reads what a connection is open to.
    init(_ connection: SQLiteConnection?) throws {
        func texts(_ query: String) throws -> [String] {
            var statement: OpaquePointer?
            var code = sqlite3_prepare_v2(connection, query, -1, &statement, nil)
            defer { sqlite3_finalize(statement) }
            guard code == SQLITE_OK else { throw Self.error(code, of: connection) }
            var texts: [String] = []
            code = sqlite3_step(statement)
            while code == SQLITE_ROW {
                texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
                code = sqlite3_step(statement)
            }
            guard code == SQLITE_DONE else { throw Self.error(code, of: connection) }
            return texts
        }
        applicationID = try texts("PRAGMA application_id").first.flatMap(Int32.init) ?? 0
        schema = try texts("PRAGMA user_version").first.flatMap(Int32.init) ?? 0
        tables = try texts(
            """
            SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'
            ORDER BY name
            """
        )
        migrations =
            tables.contains("grdb_migrations")
            ? try texts("SELECT identifier FROM grdb_migrations ORDER BY identifier") : []
    }

    private static func error(_ code: CInt, of connection: OpaquePointer?) -> DatabaseError {
        DatabaseError(
            resultCode: .init(rawValue: code),
            message: connection.map { String(cString: sqlite3_errmsg($0)) }
        )
    }

    /// How long a file is [bytes]; 0 where there is none.
    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
