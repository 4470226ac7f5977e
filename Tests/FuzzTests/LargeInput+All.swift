import ReaderChecks

extension LargeInput {
    /// The large inputs of all readers.
    static let all: [LargeInput] = [
        LargeInput("one line", .scenarios, start: "name: ") { _ in "x" },
        LargeInput("a number", .scenarios, start: "seed: ") { _ in "1" },
        LargeInput("a duration", .scenarios, start: "clock: {duration: ", end: "x}") { _ in "1" },
        LargeInput("decimals", .scenarios, start: "clock: {duration: 1.", end: "x}") { _ in "1" },
        LargeInput("dashes", .scenarios, start: "clock: {duration: \"", end: "1s\"}") { _ in "-" },
        LargeInput("one character", .scenarios, start: "seed: a") { _ in "\u{301}" },
        LargeInput("unknown keys", .scenarios) { "key\($0): 1\n" },
        LargeInput("unknown keys like known ones", .scenarios) { "replicationz\($0): 1\n" },
        LargeInput("unknown words", .scenarios, start: "faults:\n") { "- {kind: kind\($0)}\n" },
        LargeInput("duplicate keys", .scenarios) { "key\($0 / 2): 1\n" },
        LargeInput("the same key", .scenarios) { _ in "seed: 1\n" },
        LargeInput("complex keys", .scenarios) { "? [\($0)]\n: 1\n" },
        LargeInput("complex keys of mappings", .scenarios) { "? {a: \($0)}\n: 1\n" },
        LargeInput("empty complex keys", .scenarios) { _ in "? []\n: 1\n" },
        LargeInput("anchors", .scenarios) { "a\($0): &a\($0) x\n" },
        LargeInput("aliases", .scenarios, start: "a: &a x\n") { "b\($0): *a\n" },
        LargeInput("tags", .scenarios) { "a\($0): !x y\n" },
        LargeInput("brackets", .scenarios, start: "x: [", end: "]") { _ in "[],[[]]," },
        LargeInput("a list of lists", .scenarios, start: "faults: [", end: "]") { _ in "{at: []}, " },
        LargeInput("line ends", .scenarios) { _ in "\n" },
        LargeInput("Unicode's line ends", .scenarios, start: "name: a", end: "\u{7}") { _ in "\u{2028}" },
        LargeInput("documents", .scenarios) { _ in "---\na\n" },
        LargeInput("quantiles", .scenarios, start: "apns: {latency: {quantiles: {", end: "}}}") { "p0.\($0): 1s, " },
        LargeInput("commas", .csv) { _ in "," },
        LargeInput("columns", .csv, start: "value", end: "\n") { ",c\($0)" },
        LargeInput("equal columns", .csv, start: "value", end: "\n") { _ in ",value" },
        LargeInput("ragged rows", .csv, start: "value\n") { _ in "1,2\n" },
        LargeInput("bad cells", .csv, start: "value\n") { _ in "x\n" },
        LargeInput("quotes", .csv) { _ in "\"" },
        LargeInput("empty lines", .csv) { _ in "\n" },
        LargeInput("carriage returns", .csv) { _ in "\r" },
        LargeInput(
            "rides at once",
            .csv,
            start: "hvfhs_license_num,request_datetime,on_scene_datetime,pickup_datetime,dropoff_datetime\n"
        ) { _ in
            "l,2026-07-15 00:00:00,,2026-07-15 00:01:00,2026-07-15 00:02:00\n"
        },
        LargeInput(
            "other providers",
            .csv,
            start: "provider,status,request_time,driver_arrived_time,pickup_time,dropoff_time\n"
        ) { "p\($0),,,,,\n" },
        LargeInput("keys of a setting", .settings, end: "a=1") { _ in "a." },
        LargeInput("indices of a setting", .settings, start: "faults", end: "=1") { _ in ".0" },
        LargeInput("settings", .settings) { "k\($0)=1\n" },
    ]
}
