/// The registry's tables and their migrations.
extension Registry {
    /// The migrations.
    ///
    /// Their names are permanent; a change of the schema is a new migration at the end.
    static let migrations: [(name: String, sql: String)] = [
        (
            "1: instances",
            // One row per instance; times in microseconds of UNIX time, empty if there is none.
            """
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
        ),
        // In seconds of UNIX time, as in APNs.
        ("2: dismissal date", "ALTER TABLE instance ADD COLUMN dismissal_date INTEGER"),
        // The alert as JSON.
        ("3: alert", "ALTER TABLE instance ADD COLUMN alert BLOB"),
        ("4: relevance score", "ALTER TABLE instance ADD COLUMN relevance_score REAL"),
        // The id of a broadcast channel, as APNs writes it, instead of a token.
        ("5: channel", "ALTER TABLE instance ADD COLUMN channel TEXT"),
    ]

    /// Applies the migrations that a file does not have.
    static func migrate(_ database: SQLiteDatabase) throws {
        // Named for the library that applied the migrations of the first registries.
        try database.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let applied = try RegistryFile(database).migrations
        for (name, sql) in migrations where !applied.contains(name) {
            try database.transaction {
                try database.execute(sql)
                try database.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", [.text(name)])
            }
        }
    }

    /// Writes the owner and the schema of the file if they are missing.
    static func mark(_ database: SQLiteDatabase) throws {
        let file = try RegistryFile(database)
        let schema = migrations.count
        guard file.applicationID != RegistryFile.mark || file.schema != schema else { return }
        try database.execute("PRAGMA application_id = \(RegistryFile.mark)")
        try database.execute("PRAGMA user_version = \(schema)")
    }

    /// Returns the first error that SQLite finds in a file, or the first difference of its schema from a registry's;
    /// `nil` if there is none.
    static func finding(_ database: SQLiteDatabase) throws -> String? {
        let findings = try database.texts("PRAGMA integrity_check(1)")
        guard findings == ["ok"] else {
            return findings.first.map { $0.split(separator: "\n").last.map(String.init) ?? $0 }
        }
        let columns = Set(try database.texts("SELECT name FROM pragma_table_info('instance')"))
        let wanted = Set(RegistryRow.Column.allCases.map(\.rawValue))
        let (missing, more) = (wanted.subtracting(columns).sorted(), columns.subtracting(wanted).sorted())
        guard missing.isEmpty, more.isEmpty else {
            return "its table has no \(missing.joined(separator: ", ")) and has \(more.joined(separator: ", "))"
        }
        // Another program's trigger could undo acknowledged changes.
        let empty = try SQLiteDatabase(path: ":memory:")
        try migrate(empty)
        let (found, expected) = (try declarations(of: database), try declarations(of: empty))
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
    private static func declarations(of database: SQLiteDatabase) throws -> [String: String] {
        let sql = """
            SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_master WHERE substr(name, 1, 7) <> 'sqlite_'
                AND (type IN ('trigger', 'view') OR tbl_name IN ('instance', 'grdb_migrations'))
            """
        var declarations: [String: String] = [:]
        try database.run(sql) { row in
            guard case .text(let name) = row[0], case .text(let text) = row[1] else { return }
            declarations[name] = text.filter { !$0.isWhitespace }
        }
        return declarations
    }

    /// Applies the settings that hold per connection.
    static func prepare(_ database: SQLiteDatabase) throws {
        // A second monitor would push to tokens that the first one has invalidated.
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        // A commit returns once it would survive a power failure.
        try database.execute("PRAGMA synchronous = FULL")
    }
}
