import CSQLite
import Foundation

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
        let known = Registry.migrations.map(\.name)
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
    /// - Throws: ``SQLiteError`` if SQLite cannot read it.
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
        try self.init(SQLiteDatabase(path: address, options: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI))
    }

    /// Reads the file of a connection.
    init(_ database: SQLiteDatabase) throws {
        applicationID = try Int32(truncatingIfNeeded: database.integer("PRAGMA application_id") ?? 0)
        schema = try Int32(truncatingIfNeeded: database.integer("PRAGMA user_version") ?? 0)
        tables = try database.texts(
            """
            SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'
            ORDER BY name
            """
        )
        migrations =
            tables.contains("grdb_migrations")
            ? try database.texts("SELECT identifier FROM grdb_migrations ORDER BY identifier") : []
    }

    /// Returns the size of a file [bytes]; 0 if it does not exist.
    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
