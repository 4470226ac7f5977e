import Foundation
import GRDB
import GRDBSQLite

/// The owner and the schema of an SQLite file, read before anything is written to it.
///
/// A registry has a mark in its header, so that no table is created in the file of another program. Files that a
/// monitor wrote before the mark existed are recognised by their first migration.
///
/// Source: SQLite, "Database File Format": the application id identifies the file's owner, and the user version is the
/// owner's.
struct RegistryFile: Hashable, Sendable {
    /// The application id of a registry: "Frsh" in ASCII.
    static let mark: Int32 = 0x4672_7368

    /// `PRAGMA application_id`; 0 if the program sets none.
    var applicationID: Int32 = 0
    /// `PRAGMA user_version`; in a marked registry the number of its migrations.
    var schema: Int32 = 0
    /// The names of its tables and views, without those of SQLite itself, in alphabetical order.
    var tables: [String] = []
    /// The applied migrations, in alphabetical order.
    var migrations: [String] = []

    /// Returns why a monitor must not write to the file; `nil` if it is a registry or empty.
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
        // The mark came with the version number; files without the mark have version 0.
        guard isMarked || hasOurs || schema == 0 else {
            return .foreign(path: path, finding: "its user version is \(schema)")
        }
        // The table of migrations exists before the first one is applied.
        let own = hasOurs ? ["grdb_migrations", "instance"] : migrations.isEmpty ? ["grdb_migrations"] : []
        let others = isMarked ? [] : tables.filter { !own.contains($0) }
        guard let first = others.first else { return nil }
        // Escaped, so that a terminal does not interpret control characters.
        let name = String(first.prefix(64)).debugDescription
        let more = others.count > 1 ? " and \(others.count - 1) more" : ""
        return .foreign(path: path, finding: "it has the table \(name)\(more)")
    }
}

extension RegistryFile {
    /// Returns why a monitor must not write to a file; `nil` if it is a registry or does not exist yet.
    ///
    /// Nothing is written to the file or its log. When SQLite reads a log it creates an index beside it. So the log is
    /// read only if the file without its log would be a registry.
    ///
    /// - Throws: `DatabaseError` if SQLite cannot read it.
    static func refusal(path: String) throws -> RegistryError? {
        // SQLite's companion files are beside the file itself, not beside a link to it.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard size(file.path) > 0 else { return nil }
        let withoutLog = Result { try RegistryFile(file, hasLog: false).refusal(path: path) }
        guard size(file.path + "-wal") > 0 else { return try withoutLog.get() }
        if case .success(let refusal?) = withoutLog { return refusal }
        return try RegistryFile(file, hasLog: true).refusal(path: path)
    }

    /// Reads a file.
    ///
    /// - Parameter hasLog: `true` to include the content of its log.
    private init(_ file: URL, hasLog: Bool) throws {
        // A connection that may write would merge another program's log into its file when it closes. A read-only
        // connection leaves files beside a file without a log, unless the file is declared immutable.
        let address = file.absoluteString + (hasLog ? "" : "?immutable=1")
        var connection: OpaquePointer?
        let code = sqlite3_open_v2(address, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
        defer { sqlite3_close_v2(connection) }
        guard code == SQLITE_OK, let connection else { throw Self.error(code, of: connection) }
        sqlite3_busy_timeout(connection, Registry.busyMilliseconds)
        try self.init(connection)
    }

    /// Reads the file of a connection.
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

    /// Returns the size of a file [bytes]; 0 if it does not exist.
    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
