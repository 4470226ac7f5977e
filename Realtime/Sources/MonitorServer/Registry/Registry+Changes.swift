import Foundation
import FreshnessCore
import GRDB
import LiveActivityModel
import Quantities
import Wire

/// The effect of each change on the table.
extension Registry {
    static func apply(_ change: RegistryChange, revision: Int64, to database: Database) throws {
        switch change {
        case .publish(let id, let token, let shown, let now):
            // The shown and announced content is kept: it is the same activity, unless the app reports what it shows
            // now.
            try run(
                """
                INSERT INTO instance (id, revision, token_state, token, published_us,
                    shown_generated_us, shown_stale_us, changed_us)
                VALUES (?, ?, 1, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, token_state = 1, token = excluded.token,
                    published_us = excluded.published_us,
                    shown_generated_us = coalesce(excluded.shown_generated_us, shown_generated_us),
                    shown_stale_us = coalesce(excluded.shown_stale_us, shown_stale_us),
                    changed_us = excluded.changed_us
                """,
                [
                    id.text, revision, bytes(token.bytes), now.microseconds, shown?.generatedAt.microseconds,
                    shown?.staleDate.microseconds, now.microseconds,
                ],
                database
            )
        case .withdraw(let id, let now):
            try run(
                """
                UPDATE instance SET revision = ?, token_state = 2, token = NULL, published_us = NULL, changed_us = ?
                WHERE id = ?
                """,
                [revision, now.microseconds, id.text],
                database
            )
        case .retire(let id, let ofRevision, let state, let now):
            try run(
                """
                UPDATE instance SET token_state = ?, token = NULL, published_us = NULL, changed_us = ?
                WHERE id = ? AND revision = ?
                """,
                [state.rawValue, now.microseconds, id.text, ofRevision],
                database
            )
        case .announce(let id, let content, let now):
            try run(
                """
                INSERT INTO instance (id, revision, token_state, announced_generated_us, announced_stale_us,
                    content_state, priority, renewal_us, changed_us)
                VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET announced_generated_us = excluded.announced_generated_us,
                    announced_stale_us = excluded.announced_stale_us, content_state = excluded.content_state,
                    priority = excluded.priority, renewal_us = excluded.renewal_us, changed_us = excluded.changed_us
                WHERE announced_generated_us IS NULL OR announced_generated_us < excluded.announced_generated_us
                """,
                [
                    id.text, revision, content.stamp.generatedAt.microseconds, content.stamp.staleDate.microseconds,
                    bytes(content.state), content.announcement.priority.rawValue,
                    content.announcement.renewal?.microseconds,
                    now.microseconds,
                ],
                database
            )
        case .confirm(let id, let stamp, let now):
            try run(
                "UPDATE instance SET shown_generated_us = ?, shown_stale_us = ?, changed_us = ? WHERE id = ?",
                [stamp.generatedAt.microseconds, stamp.staleDate.microseconds, now.microseconds, id.text],
                database
            )
        case .end(let id, let decision, let dismissalDate, let now):
            try run(
                """
                UPDATE instance SET end_decision = min(coalesce(end_decision, ?1), ?1),
                    dismissal_date = coalesce(?2, dismissal_date), changed_us = ?3
                WHERE id = ?4
                """,
                [decision.rawValue, dismissalDate, now.microseconds, id.text],
                database
            )
        case .forget(let id, let instant):
            // A change that was written meanwhile, which memory does not know yet, keeps the row.
            let sql = "DELETE FROM instance WHERE id = ? AND changed_us <= ?"
            try run(sql, [id.text, instant.microseconds], database)
        }
    }

    private static func run(_ sql: String, _ values: [(any DatabaseValueConvertible)?], _ database: Database) throws {
        try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
    }

    private static func bytes(_ bytes: [UInt8]) -> DatabaseValue { Data(bytes).databaseValue }
}
