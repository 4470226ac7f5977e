import CNghttp2

/// The fields of a head to send.
///
/// One value is reused and keeps its storage, so a head costs no allocation after the largest one.
package struct HTTP2Fields {
    private struct Field {
        var name: StaticString
        var start: Int
        var count: Int
        var isIndexed: Bool
    }

    private var fields: ContiguousArray<Field> = []
    private var values: ContiguousArray<UInt8> = []

    /// Creates a value without fields.
    package init() {}

    /// The number of fields.
    package var count: Int { fields.count }

    /// Keeps only the first fields, such as those that all heads share.
    package mutating func truncate(to count: Int) {
        guard count < fields.count else { return }
        values.removeLast(values.count - fields[count].start)
        fields.removeLast(fields.count - count)
    }

    /// Adds a field.
    ///
    /// Its name must be lowercase, and names with a colon must come first.
    ///
    /// - Parameter isIndexed: `true` if HPACK may add the field to its table. A field that differs in each request
    ///   would only displace the others.
    package mutating func add(_ name: StaticString, _ value: String, isIndexed: Bool = true) {
        var value = value
        value.withUTF8 { add(name, bytes: UnsafeRawBufferPointer($0), isIndexed: isIndexed) }
    }

    /// Adds a field with its value as bytes.
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

    /// Passes the fields in the library's form, which is valid only during the call.
    func withPairs<Value>(
        _ pairs: inout ContiguousArray<nghttp2_nv>,
        _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Value
    ) -> Value {
        values.withUnsafeBufferPointer { bytes in
            pairs.removeAll(keepingCapacity: true)
            // The library only reads through these pointers, and copies the values.
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
