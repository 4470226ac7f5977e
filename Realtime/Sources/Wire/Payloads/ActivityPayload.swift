package import FreshnessCore
package import Quantities
import TextFormats

/// The JSON document of a Live Activity's push, written and read.
///
/// ```
/// {"aps":{"timestamp":…,"event":"update","stale-date":…,"content-state":{…}}}
/// ```
///
/// Content and attributes are objects that nothing here reads; they are passed on as the bytes that came.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
package struct ActivityPayload: Hashable, Sendable {
    /// What a push that starts an activity has besides.
    package struct Start: Hashable, Sendable {
        /// The name of the attributes' type in the app.
        package var attributesType: String
        /// The attributes, a JSON object.
        package var attributes: [UInt8]
        /// The alert's title; a start must alert.
        package var title: String
        /// The alert's text.
        package var body: String

        /// A start.
        package init(attributesType: String, attributes: [UInt8], title: String, body: String) {
            self.attributesType = attributesType
            self.attributes = attributes
            self.title = title
            self.body = body
        }
    }

    /// When the content was made [UNIX s]; a phone shows the highest.
    package var timestamp: Double
    /// What it does; nil: one that was read names something else.
    package var event: PushEvent?
    /// When the content goes stale [UNIX s]; nil: never.
    package var staleDate: Double?
    /// When the card of an activity that has ended goes [UNIX s]; nil: when the phone pleases.
    package var dismissalDate: Double?
    /// The content, a JSON object; an end shows the last content if it has none.
    package var contentState: [UInt8]?
    /// What a start has besides; it is written only.
    package var start: Start?
    /// The part that a start needs and lacks, besides its content; it is read only.
    private var missingFromStart: Part?

    /// A part without which phones drop a payload that APNs has accepted.
    package enum Part: Hashable, Sendable {
        /// An object in `content-state`.
        case content
        /// An alert that is not empty.
        case alert
        /// A name in `attributes-type` and an object in `attributes`.
        case attributes
    }

    /// The part that phones need for this event and miss; nil: none.
    ///
    /// An update needs content, a start also an alert and attributes; an end needs nothing. Apple documents the parts. That
    /// iOS drops a start without an alert silently was seen in a device's log (kylebrowning/APNSwift#232).
    package var missingPart: Part? {
        switch event {
        case .start: missingFromStart ?? (contentState == nil ? .content : nil)
        case .update: contentState == nil ? .content : nil
        case .end, nil: nil
        }
    }

    /// A payload.
    package init(
        timestamp: Double,
        event: PushEvent?,
        staleDate: Double? = nil,
        dismissalDate: Double? = nil,
        contentState: [UInt8]? = nil,
        start: Start? = nil
    ) {
        self.timestamp = timestamp
        self.event = event
        self.staleDate = staleDate
        self.dismissalDate = dismissalDate
        self.contentState = contentState
        self.start = start
    }

    /// An instant of UNIX time as payloads have it: whole seconds; nil for never.
    package static func date(_ instant: Instant) -> Double? {
        instant == .never ? nil : Double(instant.microseconds / 1_000_000)
    }

    // MARK: - Limits

    /// The most bytes that APNs takes.
    package static var largest: Int { PushType.liveActivity.largestPayload }

    /// What a payload has around its content at most [bytes]: timestamp, stale date and the rest, with some room.
    package static var frame: Int { 160 }

    /// The most bytes of content that a payload surely has room for.
    package static var largestContent: Int { largest - frame }

    /// What an update with a stale date has around its content [bytes], until the year 2286.
    package static var updateFrame: Int {
        ActivityPayload(timestamp: 1e9, event: .update, staleDate: 1e9, contentState: []).bytes.count
    }

    // MARK: - Writing

    /// The document; times are written in whole seconds.
    ///
    /// - Precondition: Times are below 2^63 seconds.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((contentState?.count ?? 0) + ActivityPayload.frame)
        append(to: &bytes)
        return bytes
    }

    /// The document, made as long as is asked for, unless it is longer, by a member `p` beside `aps`.
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

    /// By hand and into bytes: a load generator writes one for every push, thousands a second on each core.
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
            append(",\"alert\":{\"title\":", text: start.title)
            append(",\"body\":", text: start.body)
            bytes.append(UInt8(ascii: "}"))
        }
        append(",\"stale-date\":", staleDate)
        append(",\"dismissal-date\":", dismissalDate)
        if let contentState {
            bytes.append(contentsOf: ",\"content-state\":".utf8)
            bytes.append(contentsOf: contentState)
        }
        bytes.append(contentsOf: "}}".utf8)
    }

    // MARK: - Reading

    /// Reads a document; nil without an event, without a timestamp, and where a time is no number that a phone can hold.
    package init?(_ document: [UInt8]) {
        guard let aps = (try? JSONMembers(document))?["aps"]?.members, let event = aps["event"]?.text,
            let timestamp = aps["timestamp"]?.finiteNumber, let staleDate = aps.date("stale-date"),
            let dismissalDate = aps.date("dismissal-date")
        else { return nil }
        self.init(
            timestamp: timestamp,
            event: PushEvent(rawValue: event),
            staleDate: staleDate,
            dismissalDate: dismissalDate,
            contentState: aps["content-state"]?.object
        )
        if self.event == .start { missingFromStart = aps.missingFromStart }
    }
}

extension JSONMembers {
    /// A number, or none: nil for anything else.
    fileprivate func date(_ name: String) -> Double?? {
        switch self[name] {
        case nil, .null: .some(nil)
        case .some(let value): value.finiteNumber.map { .some($0) }
        }
    }

    fileprivate var missingFromStart: ActivityPayload.Part? {
        guard self["attributes-type"]?.text?.isEmpty == false, self["attributes"]?.object != nil else {
            return .attributes
        }
        let hasAlert =
            switch self["alert"] {
            case .string(let text): !text.isEmpty
            case .some(let value): value.members?.members.isEmpty == false
            case nil: false
            }
        return hasAlert ? nil : .alert
    }
}

extension JSONMembers.Value {
    /// A number that is neither infinite nor too large for a `Double`; nil for anything else.
    fileprivate var finiteNumber: Double? { number.flatMap { $0.isFinite ? $0 : nil } }
}
