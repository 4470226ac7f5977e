package import Foundation

/// A limit of the system on this process: `ulimit`.
package enum ProcessLimit {
    case openFiles
    case addressSpace

    #if canImport(Glibc)
    private var resource: __rlimit_resource_t {
        __rlimit_resource_t((self == .openFiles ? RLIMIT_NOFILE : RLIMIT_AS).rawValue)
    }
    #else
    private var resource: Int32 { self == .openFiles ? RLIMIT_NOFILE : RLIMIT_AS }
    #endif

    /// The soft and the hard limit; nil if the system does not report them.
    package var value: rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }

    /// Requests other limits; a limit that the system refuses stays unchanged.
    func set(_ limit: rlimit) { _ = withUnsafePointer(to: limit) { setrlimit(resource, $0) } }
}
