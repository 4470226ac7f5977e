package import FreshnessCore
package import Quantities
import TextFormats

/// The JSON document of a Live Activity's push, written and read.
///
/// ```
/// {"aps":{"timestamp":…,"event":"update","alert":{…},"stale-date":…,"relevance-score":…,"content-state":{…}}}
/// ```
///
/// No code here reads the content and attributes objects; their bytes are passed on unchanged.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
package struct ActivityPayload: Hashable, Sendable {
    /// The additional parts of a push that starts an activity, apart from its alert.
    package struct Start: Hashable, Sendable {
        /// The name of the attributes' type in the app.
        package var attributesType: String
        /// The attributes, a JSON object.
        package var attributes: [UInt8]
        /// The way by which the card gets its updates; `nil` to leave it to the phone.
        package var input: Input?

        /// Creates the parts of a start.
        package init(attributesType: String, attributes: [UInt8], input: Input? = nil) {
            self.attributesType = attributesType
            self.attributes = attributes
            self.input = input
        }
    }

    /// The way by which a started card gets its updates (iOS 18).
    package enum Input: Hashable, Sendable {
        /// An update token of its own: `"input-push-token": 1`.
        case token
        /// A broadcast channel: `"input-push-channel": "<id>"`.
        case channel(String)
    }

    /// The creation time of the content [UNIX s]; a phone shows the content with the latest time.
    package var timestamp: Double
    /// The event; `nil` if the payload that was read has an unknown one.
    package var event: PushEvent?
    /// The alert, which a start must have; `nil` for a silent change, and for an alert that cannot be read.
    package var alert: PushAlert?
    /// The stale date [UNIX s]; `nil` for never.
    package var staleDate: Double?
    /// The time to remove the card of an ended activity [UNIX s]; `nil` to leave it to the phone.
    package var dismissalDate: Double?
    /// The relevance among the app's activities, larger for a more relevant one; `nil` if it has none, or none that can be
    /// read.
    package var relevanceScore: Double?
    /// The content, a JSON object; an end without content shows the last content.
    package var contentState: [UInt8]?
    /// The additional parts of a start; only written.
    package var start: Start?
    /// The way by which a card that is started gets its updates; only read.
    package private(set) var input: Input?
    /// The part that a start requires and lacks, apart from its content; only read.
    private var missingFromStart: Part?

    /// A required part: phones drop a payload without it although APNs has accepted it.
    package enum Part: Hashable, Sendable {
        /// An object in `content-state`.
        case content
        /// A non-empty alert.
        case alert
        /// A name in `attributes-type` and an object in `attributes`.
        case attributes
        /// One way by which the card gets updates: a start has named a channel and requested a token.
        case singleInput
    }

    /// The part that phones require for this event and that is missing; `nil` if none is.
    ///
    /// An update needs content. A start also needs an alert and attributes. An end needs nothing. Apple documents the
    /// parts. A device's log showed that iOS silently drops a start without an alert (kylebrowning/APNSwift#232).
    package var missingPart: Part? {
        switch event {
        case .start: missingFromStart ?? (contentState == nil ? .content : nil)
        case .update: contentState == nil ? .content : nil
        case .end, nil: nil
        }
    }

    /// Creates a payload.
    package init(
        timestamp: Double,
        event: PushEvent?,
        alert: PushAlert? = nil,
        staleDate: Double? = nil,
        dismissalDate: Double? = nil,
        relevanceScore: Double? = nil,
        contentState: [UInt8]? = nil,
        start: Start? = nil
    ) {
        self.timestamp = timestamp
        self.event = event
        self.alert = alert
        self.staleDate = staleDate
        self.dismissalDate = dismissalDate
        self.relevanceScore = relevanceScore
        self.contentState = contentState
        self.start = start
    }

    /// Returns an instant of UNIX time in the notation of payloads, whole seconds; `nil` for never.
    package static func date(_ instant: Instant) -> Double? {
        instant == .never ? nil : Double(instant.microseconds / 1_000_000)
    }

    // MARK: - Limits

    /// The maximum size that APNs accepts [bytes].
    package static var largest: Int { PushType.liveActivity.largestPayload }

    /// The maximum size of a payload apart from its content and its alert [bytes]: timestamp, stale date and so on, with a
    /// margin.
    package static var frame: Int { 160 }

    /// The maximum size of content, and of an alert beside it, that always fits in a payload [bytes].
    package static var largestContent: Int { largest - frame }

    /// The size of an update with a stale date apart from its content [bytes], until the year 2286.
    package static var updateFrame: Int {
        ActivityPayload(timestamp: 1e9, event: .update, staleDate: 1e9, contentState: []).bytes.count
    }

    // MARK: - Writing

    /// The document, with times in whole seconds.
    ///
    /// - Precondition: Times are below 2^63 seconds, and the relevance is finite.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((contentState?.count ?? 0) + ActivityPayload.frame)
        append(to: &bytes)
        return bytes
    }

    /// Returns the document, padded to a length by a member `p` beside `aps` unless it is longer already.
    package func bytes(filledTo count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(count, (contentState?.count ?? 0) + ActivityPayload.frame))
        append(to: &bytes)
        bytes.removeLast()
        bytes.append(contentsOf: ",\"p\":\"".utf8)
        let filler = count - bytes.count - 2
        if filler > 0 { bytes.append(contentsOf: repeatElement(UInt8(ascii: "x"), count: filler)) }
        bytes.append(contentsOf: "\"}".utf8)
        return bytes
    }

    /// Written by hand into bytes: a load generator writes one for every push, thousands per second on each core.
    private func append(to bytes: inout [UInt8]) {
        func append(_ name: String, _ seconds: Double?) {
            guard let seconds else { return }
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: String(Int64(seconds)).utf8)
        }
        func append(_ name: String, text: String) {
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: QuotedText.doubleQuoted(text).utf8)
        }
        append("{\"aps\":{\"timestamp\":", timestamp)
        if let event { append(",\"event\":", text: event.rawValue) }
        if let start {
            append(",\"attributes-type\":", text: start.attributesType)
            bytes.append(contentsOf: ",\"attributes\":".utf8)
            bytes.append(contentsOf: start.attributes)
            switch start.input {
            case .token: bytes.append(contentsOf: ",\"input-push-token\":1".utf8)
            case .channel(let id): append(",\"input-push-channel\":", text: id)
            case nil: break
            }
        }
        if let alert {
            bytes.append(contentsOf: ",\"alert\":".utf8)
            bytes.append(contentsOf: alert.json)
        }
        append(",\"stale-date\":", staleDate)
        append(",\"dismissal-date\":", dismissalDate)
        if let relevanceScore { bytes.append(contentsOf: ",\"relevance-score\":\(relevanceScore)".utf8) }
        if let contentState {
            bytes.append(contentsOf: ",\"content-state\":".utf8)
            bytes.append(contentsOf: contentState)
        }
        bytes.append(contentsOf: "}}".utf8)
    }

    // MARK: - Reading

    /// Reads a document; `nil` if the event or the timestamp is missing, or if a time is not a number that a phone can
    /// hold.
    ///
    /// It is an assumption that phones show an update whose alert or relevance they cannot read.
    package init?(_ document: [UInt8]) {
        guard let aps = (try? JSONMembers(document))?["aps"]?.members, let event = aps["event"]?.text,
            let timestamp = aps["timestamp"]?.finiteNumber, let staleDate = aps.date("stale-date"),
            let dismissalDate = aps.date("dismissal-date")
        else { return nil }
        self.init(
            timestamp: timestamp,
            event: PushEvent(rawValue: event),
            alert: aps["alert"].flatMap { PushAlert($0) },
            staleDate: staleDate,
            dismissalDate: dismissalDate,
            relevanceScore: aps["relevance-score"]?.finiteNumber,
            contentState: aps["content-state"]?.object
        )
        guard self.event == .start else { return }
        let hasAttributes = aps["attributes-type"]?.text?.isEmpty == false && aps["attributes"]?.object != nil
        let hasToken = aps["input-push-token"].map { $0 != .null } ?? false
        let channel = aps["input-push-channel"]?.text
        input = channel.map { .channel($0) } ?? (hasToken ? .token : nil)
        missingFromStart =
            !hasAttributes ? .attributes : alert == nil ? .alert : hasToken && channel != nil ? .singleInput : nil
    }
}

extension JSONMembers {
    /// Returns a number, or a null value if the member is missing; `nil` for any other type.
    fileprivate func date(_ name: String) -> Double?? {
        switch self[name] {
        case nil, .null: .some(nil)
        case .some(let value): value.finiteNumber.map { .some($0) }
        }
    }
}

extension JSONMembers.Value {
    /// The number, if it is finite; `nil` for any other value.
    fileprivate var finiteNumber: Double? { number.flatMap { $0.isFinite ? $0 : nil } }
}
