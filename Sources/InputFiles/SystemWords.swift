internal import Foundation

/// The system's description of a failure.
package enum SystemWords {
    /// Returns the system's own error message if there is one; Foundation's repeats the file name.
    package static func reason(of error: any Error) -> String {
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        guard underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(underlying.code)))
    }
}
