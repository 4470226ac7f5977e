import Foundation
import FreshnessCore
import LiveActivityModel
import Quantities
import TextFormats
import Wire

/// One row of the registry, read without conversion: a value of another type or out of range is damage.
///
/// SQLite stores any type in any column and converts on request: a text instead of a state would be read as 0. An
/// invalid value is never guessed, because a lost token means a card without updates.
struct RegistryRow {
    /// The columns, in reading order.
    enum Column: String, CaseIterable {
        case id, revision
        case tokenState = "token_state"
        case token
        case publishedAt = "published_us"
        case shownGeneratedAt = "shown_generated_us"
        case shownStaleDate = "shown_stale_us"
        case announcedGeneratedAt = "announced_generated_us"
        case announcedStaleDate = "announced_stale_us"
        case contentState = "content_state"
        case priority
        case renewal = "renewal_us"
        case endDecision = "end_decision"
        case changedAt = "changed_us"
        case dismissalDate = "dismissal_date"
        case alert
        case relevanceScore = "relevance_score"
        case channel
    }

    /// An error in a row: its place, the value found, and the allowed values; never a token or content.
    struct Damage: Error {
        let text: String
    }

    /// The values of the row.
    let values: [SQLiteValue]

    /// The query of all rows, in the order of their names.
    static var query: String {
        "SELECT \(Column.allCases.map(\.rawValue).joined(separator: ", ")) FROM instance ORDER BY id"
    }

    /// Returns the instance of the row.
    func instance() throws(Damage) -> StoredInstance {
        guard let id = text(.id).flatMap({ InstanceID($0) }) else {
            throw Damage(text: "an id is \(kind(.id)); allowed: a text, \(InstanceID.rule)")
        }
        let state = try required(.tokenState, integer(.tokenState, in: 0...3).flatMap { TokenState(rawValue: Int($0)) })
        let revision = try required(.revision, integer(.revision, in: 0...Self.lastRevision))
        var stored = StoredInstance(id: id, revision: revision, tokenState: state)
        let address = try address()
        let column = address?.channel == nil ? Column.token : .channel
        if let (address, published) = try both(column, address, .publishedAt, instant(.publishedAt)) {
            guard state == .active else { throw damage(column, allowed: "nothing, because its state is \(state)") }
            stored.token = PublishedToken(address: address, revision: revision, publishedAt: published)
        } else if state == .active {
            throw damage(.token, allowed: "a token, because its state is active")
        }
        stored.confirmed = try stamp(.shownGeneratedAt, .shownStaleDate)
        stored.announced = try announced()
        stored.end = try integer(.endDecision, in: 1...2).flatMap { EndDecision(rawValue: Int($0)) }
        stored.changedAt = try required(.changedAt, instant(.changedAt))
        stored.dismissalDate = try integer(.dismissalDate, in: 0...Self.lastInstant / 1_000_000)
        return stored
    }

    /// Returns the token or the channel; an instance has at most one address.
    private func address() throws(Damage) -> PushAddress? {
        let token = try bytes(.token, upTo: DeviceToken.largestByteCount)
            .map { PushAddress.token(DeviceToken(bytes: $0)) }
        guard value(.channel) != .null else { return token }
        guard token == nil else { throw damage(.channel, allowed: "nothing, because there is a token") }
        guard let channel = text(.channel).flatMap({ ChannelID($0) }) else {
            throw damage(.channel, allowed: MonitorField.channel.allowed)
        }
        return .channel(channel)
    }

    private func announced() throws(Damage) -> AnnouncedContent? {
        let priority = try integer(.priority, in: 5...10)
        let renewal = try integer(.renewal, in: 1...ContentAnnouncement.longestRenewal.microseconds)
        let content = try bytes(.contentState, upTo: ActivityPayload.largestContent)
        // A request may announce nothing else either, because the content goes into payloads unchanged.
        if let content, (try? JSONMembers(content)) == nil { throw damage(.contentState, allowed: "a JSON object") }
        guard let stamp = try stamp(.announcedGeneratedAt, .announcedStaleDate) else {
            for column in [Column.contentState, .alert, .relevanceScore] where value(column) != .null {
                throw damage(column, allowed: "nothing, because no content was announced")
            }
            return nil
        }
        return AnnouncedContent(
            stamp: stamp,
            state: try required(.contentState, content),
            priority: try required(.priority, priority.flatMap { PushPriority(rawValue: Int($0)) }),
            renewal: renewal.map { TimeSpan(microseconds: $0) },
            alert: try alert(),
            relevanceScore: try number(.relevanceScore)
        )
    }

    private func alert() throws(Damage) -> PushAlert? {
        guard let bytes = try bytes(.alert, upTo: ActivityPayload.largestContent) else { return nil }
        let object = try? JSONMembers(bytes)
        guard let alert = object.flatMap({ try? PushAlert(announced: $0) }) else {
            throw damage(.alert, allowed: "a JSON object with the title and the body of an alert")
        }
        return alert
    }

    // MARK: - Values

    /// Room for a thousand revisions per second over a hundred thousand years.
    private static var lastRevision: Int64 { 1 << 62 }
    /// The limit of the monitor's API.
    private static var lastInstant: Int64 { ContentAnnouncement.latestInstant }

    private func value(_ column: Column) -> SQLiteValue { values[Column.allCases.firstIndex(of: column) ?? 0] }

    private func text(_ column: Column) -> String? {
        if case .text(let text) = value(column) { text } else { nil }
    }

    private func integer(_ column: Column, in range: ClosedRange<Int64>) throws(Damage) -> Int64? {
        switch value(column) {
        case .null: return nil
        case .integer(let number) where range ~= number: return number
        default: throw damage(column, allowed: "\(range.lowerBound) to \(range.upperBound)")
        }
    }

    private func number(_ column: Column) throws(Damage) -> Double? {
        switch value(column) {
        case .null: return nil
        case .real(let number) where number.isFinite: return number
        default: throw damage(column, allowed: "a finite number")
        }
    }

    private func instant(_ column: Column) throws(Damage) -> Instant? {
        try integer(column, in: 0...Self.lastInstant).map { Instant(microseconds: $0) }
    }

    /// Returns an instant, or `never` because content need not have a stale date.
    private func staleDate(_ column: Column) throws(Damage) -> Instant? {
        if case .integer(.max) = value(column) { return .never }
        return try instant(column)
    }

    private func bytes(_ column: Column, upTo largest: Int) throws(Damage) -> [UInt8]? {
        switch value(column) {
        case .null: return nil
        case .blob(let bytes) where 1...largest ~= bytes.count: return bytes
        default: throw damage(column, allowed: "1 to \(largest) bytes")
        }
    }

    private func stamp(_ generatedAt: Column, _ staleDate: Column) throws(Damage) -> ContentStamp? {
        try both(generatedAt, instant(generatedAt), staleDate, self.staleDate(staleDate))
            .map { ContentStamp(generatedAt: $0, staleDate: $1) }
    }

    /// Returns two values that must be present together or not at all.
    private func both<First, Second>(
        _ first: Column,
        _ firstValue: First?,
        _ second: Column,
        _ secondValue: Second?
    ) throws(Damage) -> (First, Second)? {
        switch (firstValue, secondValue) {
        case (nil, nil): return nil
        case (let firstValue?, let secondValue?): return (firstValue, secondValue)
        case (nil, _): throw damage(first, allowed: "a value, because \(second.rawValue) has one")
        case (_, nil): throw damage(second, allowed: "a value, because \(first.rawValue) has one")
        }
    }

    private func required<Value>(_ column: Column, _ value: Value?) throws(Damage) -> Value {
        guard let value else { throw damage(column, allowed: "a value") }
        return value
    }

    private func damage(_ column: Column, allowed: String) -> Damage {
        let name = text(.id).flatMap { InstanceID($0)?.text } ?? "?"
        return Damage(text: "\(column.rawValue) of instance \(name) is \(kind(column)); allowed: \(allowed)")
    }

    private func kind(_ column: Column) -> String {
        switch value(column) {
        case .null: "missing"
        case .integer(let number): "\(number)"
        case .real: "a fraction"
        case .text: "a text"
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
