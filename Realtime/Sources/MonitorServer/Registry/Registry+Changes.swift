import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// The effect of each change on the table.
extension Registry {
    static func apply(_ change: RegistryChange, revision: Int64, to database: SQLiteDatabase) throws {
        switch change {
        case .publish(let id, let address, let shown, let now):
            // The shown and announced content is kept: it is the same activity, unless the app reports what it shows
            // now.
            try database.run(
                """
                INSERT INTO instance (id, revision, token_state, token, channel, published_us,
                    shown_generated_us, shown_stale_us, changed_us)
                VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, token_state = 1, token = excluded.token,
                    channel = excluded.channel, published_us = excluded.published_us,
                    shown_generated_us = coalesce(excluded.shown_generated_us, shown_generated_us),
                    shown_stale_us = coalesce(excluded.shown_stale_us, shown_stale_us),
                    changed_us = excluded.changed_us
                """,
                [
                    .text(id.text), .integer(revision), address.token.map { .blob($0.bytes) } ?? .null,
                    address.channel.map { .text($0.text) } ?? .null, .integer(now.microseconds),
                    SQLiteValue(shown?.generatedAt.microseconds), SQLiteValue(shown?.staleDate.microseconds),
                    .integer(now.microseconds),
                ]
            )
        case .withdraw(let id, let now):
            try database.run(
                """
                UPDATE instance SET revision = ?, token_state = 2, token = NULL, channel = NULL, published_us = NULL, changed_us = ?
                WHERE id = ?
                """,
                [.integer(revision), .integer(now.microseconds), .text(id.text)]
            )
        case .retire(let id, let ofRevision, let state, let now):
            try database.run(
                """
                UPDATE instance SET token_state = ?, token = NULL, channel = NULL, published_us = NULL, changed_us = ?
                WHERE id = ? AND revision = ?
                """,
                [.integer(Int64(state.rawValue)), .integer(now.microseconds), .text(id.text), .integer(ofRevision)]
            )
        case .announce(let id, let content, let now):
            try database.run(
                """
                INSERT INTO instance (id, revision, token_state, announced_generated_us, announced_stale_us,
                    content_state, alert, relevance_score, priority, renewal_us, changed_us)
                VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET announced_generated_us = excluded.announced_generated_us,
                    announced_stale_us = excluded.announced_stale_us, content_state = excluded.content_state,
                    alert = excluded.alert, relevance_score = excluded.relevance_score,
                    priority = excluded.priority, renewal_us = excluded.renewal_us, changed_us = excluded.changed_us
                WHERE announced_generated_us IS NULL OR announced_generated_us < excluded.announced_generated_us
                """,
                [
                    .text(id.text), .integer(revision), .integer(content.stamp.generatedAt.microseconds),
                    .integer(content.stamp.staleDate.microseconds), .blob(content.state),
                    content.parts.alert.map { .blob($0.json) } ?? .null,
                    content.parts.relevanceScore.map { .real($0) } ?? .null,
                    .integer(Int64(content.announcement.priority.rawValue)),
                    SQLiteValue(content.announcement.renewal?.microseconds), .integer(now.microseconds),
                ]
            )
        case .confirm(let id, let stamp, let now):
            try database.run(
                "UPDATE instance SET shown_generated_us = ?, shown_stale_us = ?, changed_us = ? WHERE id = ?",
                [
                    .integer(stamp.generatedAt.microseconds), .integer(stamp.staleDate.microseconds),
                    .integer(now.microseconds), .text(id.text),
                ]
            )
        case .end(let id, let decision, let dismissalDate, let now):
            try database.run(
                """
                UPDATE instance SET end_decision = min(coalesce(end_decision, ?1), ?1),
                    dismissal_date = coalesce(?2, dismissal_date), changed_us = ?3
                WHERE id = ?4
                """,
                [
                    .integer(Int64(decision.rawValue)), SQLiteValue(dismissalDate), .integer(now.microseconds),
                    .text(id.text),
                ]
            )
        case .forget(let id, let instant):
            // A change that was written meanwhile, which memory does not know yet, keeps the row.
            let sql = "DELETE FROM instance WHERE id = ? AND changed_us <= ?"
            try database.run(sql, [.text(id.text), .integer(instant.microseconds)])
        }
    }
}
