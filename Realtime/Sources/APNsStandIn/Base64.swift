import Foundation
import NIOCore

extension ByteBufferView {
    /// The bytes in base 64.
    var base64: String { Data(self).base64EncodedString() }
}
