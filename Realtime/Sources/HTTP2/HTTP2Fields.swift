import CNghttp2

/// The fields of a head, to be sent.
///
/// One value is filled again and again: it keeps its storage, so that a head costs no allocation once it has had its
/// largest size.
package struct HTTP2Fields {
    private struct Field {
        var name: StaticString
        var start: Int
        var count: Int
        var isIndexed: Bool
    }

    private var fields: ContiguousArray<Field> = []
    private var values: ContiguousArray<UInt8> = []

    /// No field.
    package init() {}

    /// How many fields there are.
    package var count: Int { fields.count }

    /// Leaves the first fields, such as those that all heads share.
    package mutating func truncate(to count: Int) {
        guard count < fields.count else { return }
        values.removeLast(values.count - fields[count].start)
        fields.removeLast(fields.count - count)
    }

    /// Adds a field; its name in lowercase, and those that begin with a colon first.
    ///
    /// - Parameter isIndexed: Whether HPACK may put it into its table; what differs in each request would only push out
    ///   what does not.
    package mutating func add(_ name: StaticString, _ value: String, isIndexed: Bool = true) {
        var value = value
        value.withUTF8 { add(name, bytes: UnsafeRawBufferPointer($0), isIndexed: isIndexed) }
    }

    /// Adds a field whose value is given as bytes.
    package mutating func add(_ name: StaticString, bytes: UnsafeRawBufferPointer, isIndexed: Bool = true) {
        fields.append(Field(name: name, start: values.count, count: bytes.count, isIndexed: isIndexed))
        values.append(contentsOf: bytes)
    }

    /// The fields as text, for people and tests.
    package var lines: [String] {
        fields.map { field in
            let value = String(decoding: values[field.start..<field.start + field.count], as: UTF8.self)
            return "\(field.name): \(value)\(field.isIndexed ? "" : " (not indexed)")"
        }
    }

    /// Hands the fields over in the library's form, which holds only during the call.
    func withPairs<Value>(
        _ pairs: inout ContiguousArray<nghttp2_nv>,
        _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Value
    ) -> Value {
        values.withUnsafeBufferPointer { bytes in
            pairs.removeAll(keepingCapacity: true)
            // The library reads through these pointers only, and copies values.
            let base = UnsafeMutablePointer(mutating: bytes.baseAddress)
            for field in fields {
                let flags =
                    NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | (field.isIndexed ? 0 : NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
                pairs.append(
                    nghttp2_nv(
                        name: UnsafeMutablePointer(mutating: field.name.utf8Start),
                        value: base.map { $0 + field.start },
                        namelen: field.name.utf8CodeUnitCount,
                        valuelen: field.count,
                        flags: UInt8(flags)
                    )
                )
            }
            return pairs.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }
}
