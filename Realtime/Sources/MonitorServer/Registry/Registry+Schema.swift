import GRDB

/// The registry's tables and their migrations.
extension Registry {
    /// The migrations.
    ///
    /// Their names are permanent; a change of the schema is a new migration at the end.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: instances") { database in
            // One row per instance; times in microseconds of UNIX time, empty if there is none.
            try database.execute(
                sql: """
                    CREATE TABLE instance (
                        id TEXT PRIMARY KEY NOT NULL,
                        revision INTEGER NOT NULL,
                        token_state INTEGER NOT NULL,
                        token BLOB,
                        published_us INTEGER,
                        shown_generated_us INTEGER,
                        shown_stale_us INTEGER,
                        announced_generated_us INTEGER,
                        announced_stale_us INTEGER,
                        content_state BLOB,
                        priority INTEGER,
                        renewal_us INTEGER,
                        end_decision INTEGER,
                        changed_us INTEGER NOT NULL
                    ) WITHOUT ROWID
                    """
            )
        }
        migrator.registerMigration("2: dismissal date") { database in
            // In seconds of UNIX time, as in APNs.
            try database.execute(sql: "ALTER TABLE instance ADD COLUMN dismissal_date INTEGER")
        }
        return migrator
    }

    /// Writes the owner and the schema of the file if they are missing.
    static func mark(_ database: Database) throws {
        let file = try RegistryFile(database.sqliteConnection)
        let schema = migrator.migrations.count
        guard file.applicationID != RegistryFile.mark || file.schema != schema else { return }
        try database.execute(sql: "PRAGMA application_id = \(RegistryFile.mark)")
        try database.execute(sql: "PRAGMA user_version = \(schema)")
    }

    /// Returns the first error that SQLite finds in a file, or the first difference of its schema from a registry's;
    /// `nil` if there is none.
    static func finding(_ database: Database) throws -> String? {
        let findings = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
        guard findings == ["ok"] else {
            return findings.first.map { $0.split(separator: "\n").last.map(String.init) ?? $0 }
        }
        let columns = Set(try database.columns(in: "instance").map(\.name))
        let wanted = Set(RegistryRow.Column.allCases.map(\.rawValue))
        let (missing, more) = (wanted.subtracting(columns).sorted(), columns.subtracting(wanted).sorted())
        guard missing.isEmpty, more.isEmpty else {
            return "its table has no \(missing.joined(separator: ", ")) and has \(more.joined(separator: ", "))"
        }
        // Another program's trigger could undo acknowledged changes.
        let empty = try DatabaseQueue()
        try migrator.migrate(empty)
        let (found, expected) = (try declarations(of: database), try empty.read { try declarations(of: $0) })
        guard let other = Set(found.keys).union(expected.keys).sorted().first(where: { found[$0] != expected[$0] })
        else {
            return nil
        }
        // Escaped, so that a terminal does not interpret control characters.
        let name = String(other.prefix(64)).debugDescription
        let finding =
            found[other] == nil ? "is missing" : expected[other] == nil ? "is not a registry's" : "was changed"
        return "of its schema, \(name) \(finding)"
    }

    /// Returns the tables of a registry with their indexes, and all triggers and views, each with its SQL without
    /// blanks.
    ///
    /// A program that copies a registry elsewhere may keep its own tables in it.
    private static func declarations(of database: Database) throws -> [String: String] {
        let sql = """
            SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_master WHERE substr(name, 1, 7) <> 'sqlite_'
                AND (type IN ('trigger', 'view') OR tbl_name IN ('instance', 'grdb_migrations'))
            """
        var declarations: [String: String] = [:]
        for row in try Row.fetchAll(database, sql: sql) {
            let (name, text): (String, String) = (row[0], row[1])
            declarations[name] = text.filter { !$0.isWhitespace }
        }
        return declarations
    }

    /// The time to wait for a lock [ms], because a process that was just killed will release it soon.
    static let busyMilliseconds: CInt = 2000

    /// Applies the settings that hold per connection.
    static func prepare(_ database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = \(busyMilliseconds)")
        // A second monitor would push to tokens that the first one has invalidated.
        try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        // A commit returns once it would survive a power failure.
        try database.execute(sql: "PRAGMA synchronous = FULL")
    }
}
