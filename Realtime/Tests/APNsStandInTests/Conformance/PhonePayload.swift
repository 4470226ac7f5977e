/// Payloads with all parts that a phone requires.
enum PhonePayload {
    /// Returns the payload of an event, with times in seconds of UNIX time.
    static func text(
        _ event: String,
        at timestamp: Int64,
        stale: Int64? = nil,
        dismissal: Int64? = nil
    ) -> String {
        var members = #""timestamp":\#(timestamp),"event":"\#(event)""#
        if let stale { members += #","stale-date":\#(stale)"# }
        if let dismissal { members += #","dismissal-date":\#(dismissal)"# }
        if event != "end" { members += #","content-state":{}"# }
        if event == "start" { members += #","attributes-type":"A","attributes":{},"alert":{"title":"T","body":"B"}"# }
        return "{\"aps\":{\(members)}}"
    }
}
