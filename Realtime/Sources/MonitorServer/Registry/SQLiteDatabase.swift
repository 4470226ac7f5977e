import CSQLite

/// A connection to an SQLite file, with statements that are prepared once.
///
/// It is not safe for concurrent use. The file is closed when the last reference is gone.
///
/// Source: SQLite, "An Introduction To The SQLite C/C++ Interface".
final class SQLiteDatabase {
    private let connection: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    /// The time to wait for a lock [ms], because a process that was just killed will release it soon.
    private static let busyMilliseconds: CInt = 2000

    /// Opens a file.
    ///
    /// - Parameter options: SQLite's flags; by default the file is created if it is missing.
    init(path: String, options: CInt = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) throws(SQLiteError) {
        var connection: OpaquePointer?
        let code = sqlite3_open_v2(path, &connection, options | SQLITE_OPEN_NOMUTEX, nil)
        self.connection = connection
        try check(code)
        sqlite3_busy_timeout(connection, Self.busyMilliseconds)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// Executes the statements of a script, without its rows.
    func execute(_ script: String) throws(SQLiteError) { try check(sqlite3_exec(connection, script, nil, nil, nil)) }

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - values: The values of its parameters, in their order.
    ///   - row: Called with the values of each row.
    func run(_ sql: String, _ values: [SQLiteValue] = [], row: ([SQLiteValue]) throws -> Void = { _ in }) throws {
        let statement = try prepared(sql)
        precondition(sqlite3_bind_parameter_count(statement) == values.count, "each parameter has a value")
        defer { sqlite3_reset(statement) }
        for (index, value) in zip(CInt(1)..., values) { try check(value.bind(to: statement, at: index)) }
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else { return try check(code) }
            try row((0..<sqlite3_column_count(statement)).map { SQLiteValue(statement, column: $0) })
        }
    }

    /// Returns the texts in the first column.
    func texts(_ sql: String) throws -> [String] {
        var texts: [String] = []
        try run(sql) { row in if case .text(let text)? = row.first { texts.append(text) } }
        return texts
    }

    /// Returns the integer in the first column; `nil` if there is none.
    func integer(_ sql: String) throws -> Int64? {
        var integer: Int64?
        try run(sql) { row in if case .integer(let number)? = row.first { integer = number } }
        return integer
    }

    /// Performs changes that are all kept, or none of them if one fails.
    func transaction(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // SQLite itself rolls back after some errors.
            if sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// `true` if the file was moved or deleted since it was opened.
    var hasMoved: Bool {
        var hasMoved: CInt = 0
        sqlite3_file_control(connection, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return hasMoved != 0
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer? {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(connection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        statements[sql] = statement
        return statement
    }

    private func check(_ code: CInt) throws(SQLiteError) {
        if code == SQLITE_OK || code == SQLITE_DONE { return }
        throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(connection)))
    }
}

/// An error of SQLite.
struct SQLiteError: Error, Hashable {
    /// The primary result code, such as `SQLITE_BUSY`.
    let code: CInt
    /// SQLite's message, without the values of the statement.
    let message: String
}

/// A value of a parameter or a column, of the type that the file has.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// An integer, or null.
    init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }

    fileprivate init(_ statement: OpaquePointer?, column: CInt) {
        // The length is valid only after the call that returns the bytes.
        func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        }
        self =
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
            case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
            case SQLITE_TEXT: .text(String(decoding: bytes(sqlite3_column_text(statement, column)), as: UTF8.self))
            case SQLITE_BLOB: .blob([UInt8](bytes(sqlite3_column_blob(statement, column))))
            default: .null
            }
    }

    fileprivate func bind(to statement: OpaquePointer?, at index: CInt) -> CInt {
        // SQLITE_TRANSIENT: SQLite copies the bytes.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return switch self {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): sqlite3_bind_text(statement, index, text, CInt(text.utf8.count), copied)
        case .blob(let bytes): sqlite3_bind_blob(statement, index, bytes, CInt(bytes.count), copied)
        }
    }
}
