/// The companies of a trace, by name or by the licence number that New York's TLC knows them by.
enum RideProvider {
    /// The companies of the TLC's high-volume licences.
    ///
    /// See the TLC's "Data Dictionary – High Volume FHV Trip Records"; Juno and Via have given theirs back.
    private static let licences = [
        (number: "hv0002", name: "juno"),
        (number: "hv0003", name: "uber"),
        (number: "hv0004", name: "via"),
        (number: "hv0005", name: "lyft"),
    ]

    /// The ways in which a trace may write a provider, in small letters: `lyft` and `HV0005` are the same company.
    static func spellings(of provider: String) -> [[UInt8]] {
        let provider = provider.lowercased()
        let licence = licences.first { $0.number == provider || $0.name == provider }
        return (licence.map { [$0.name, $0.number] } ?? [provider]).map { Array($0.utf8) }
    }

    /// Whether a field is one of the spellings, in small or capital letters.
    static func matches(_ field: ArraySlice<UInt8>, _ spellings: [[UInt8]]) -> Bool {
        spellings.contains { spelling in
            field.count == spelling.count && zip(field, spelling).allSatisfy { lowercased($0) == $1 }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
