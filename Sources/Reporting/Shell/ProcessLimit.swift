internal import Foundation

/// What the system lets this process have of something: `ulimit`.
enum ProcessLimit {
    case openFiles
    case addressSpace

    #if canImport(Glibc)
    private var resource: __rlimit_resource_t {
        __rlimit_resource_t((self == .openFiles ? RLIMIT_NOFILE : RLIMIT_AS).rawValue)
    }
    #else
    private var resource: Int32 { self == .openFiles ? RLIMIT_NOFILE : RLIMIT_AS }
    #endif

    /// The soft and the hard limit; nil where the system does not tell.
    var value: rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }

    /// Asks for other limits; what may not be had stays as it is.
    func set(_ limit: rlimit) { _ = withUnsafePointer(to: limit) { setrlimit(resource, $0) } }
}
