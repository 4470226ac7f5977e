internal import Foundation

/// What the system says of a failure.
enum SystemWords {
    /// The system's own words where there are any, for Foundation's name the file again.
    static func reason(of error: any Error) -> String {
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        guard underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(underlying.code)))
    }
}
