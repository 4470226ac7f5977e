import Foundation

/// The user's browser.
enum Browser {
    /// Asks the system to open an address, and returns at once.
    ///
    /// What opens it is not waited for: it may be the browser itself, which runs as long as its window is open, and the page
    /// that it asks for has to be served meanwhile.
    ///
    /// - Parameter onFailure: Is called where the system has nothing that opens it.
    static func open(_ address: String, onFailure: @escaping @Sendable () -> Void) {
        #if os(macOS)
        let program = "open"
        #else
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return onFailure() }
        let program = "xdg-open"
        #endif
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program, address]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.terminationHandler = { if $0.terminationStatus != 0 { onFailure() } }
        do {
            try process.run()
        } catch {
            onFailure()
        }
    }
}
