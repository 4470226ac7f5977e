/// The companies of a trace, by name or by their licence number from New York's TLC.
enum RideProvider {
    /// The companies of the TLC's high-volume licences.
    ///
    /// See the TLC's "Data Dictionary – High Volume FHV Trip Records". Juno and Via have returned theirs.
    private static let licences = [
        (number: "hv0002", name: "juno"),
        (number: "hv0003", name: "uber"),
        (number: "hv0004", name: "via"),
        (number: "hv0005", name: "lyft"),
    ]

    /// Returns the ways in which a trace may write a provider, in lower case: `lyft` and `HV0005` are the same company.
    static func spellings(of provider: String) -> [[UInt8]] {
        let provider = provider.lowercased()
        let licence = licences.first { $0.number == provider || $0.name == provider }
        return (licence.map { [$0.name, $0.number] } ?? [provider]).map { Array($0.utf8) }
    }

    /// Returns `true` if a field is one of the spellings, in any case.
    static func matches(_ field: ArraySlice<UInt8>, _ spellings: [[UInt8]]) -> Bool {
        spellings.contains { spelling in
            field.count == spelling.count && zip(field, spelling).allSatisfy { lowercased($0) == $1 }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
