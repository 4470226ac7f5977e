import TestSupport
import Testing

@testable import MonitorServer

@Suite("The schema of a registry")
struct RegistrySchemaTests {
    @Test(
        "a declaration that is not a registry's is detected before a row is read",
        arguments: [
            (
                "CREATE TRIGGER evil AFTER INSERT ON instance BEGIN DELETE FROM instance WHERE id <> new.id; END",
                #""trigger evil" is not a registry's"#
            ),
            ("CREATE VIEW v AS SELECT * FROM instance", #""view v" is not a registry's"#),
            ("CREATE INDEX i ON instance (revision)", #""index i" is not a registry's"#),
            ("CREATE VIEW \"a\u{1B}[2J\" AS SELECT 1", #""view a\u{1B}[2J" is not a registry's"#),
        ]
    )
    func declarations(sql: String, finding: String) async throws {
        let tally = HostileTally("schemas of registries", checks: 1)
        let scratch = Scratch()
        let path = scratch.path("tokens.sqlite")
        await (try Registry(path: path)).close()
        try SQLiteDatabase(path: path).execute(sql)
        let expected = RegistryError.damaged(path: path, finding: "of its schema, \(finding)")
        let error = #expect(throws: RegistryError.self) { try Registry(path: path) }
        #expect(tally.counts(error == expected), "\(String(describing: error))")
    }
}
