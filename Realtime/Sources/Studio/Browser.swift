import Foundation
import Synchronization

/// The user's browser.
final class Browser: Sendable {
    private let page = Mutex<RedirectPage?>(nil)

    /// Nothing is opened yet.
    init() {}

    /// Asks the system to open an address, and returns at once.
    ///
    /// The address holds a secret, so it is not an argument of what opens it: that is a page which leads there. What
    /// opens it is not waited for: it may be the browser itself, which runs as long as its window is open, and the page
    /// that it asks for has to be served meanwhile.
    ///
    /// - Parameter onFailure: Is called where the system has nothing that opens it.
    func open(_ address: String, onFailure: @escaping @Sendable () -> Void) {
        let environment = ProcessInfo.processInfo.environment
        #if os(macOS)
        let program = "open"
        #else
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return onFailure() }
        let program = "xdg-open"
        #endif
        guard let made = RedirectPage(to: address, environment) else { return onFailure() }
        page.withLock { $0 = made }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program, made.address]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.terminationHandler = { if $0.terminationStatus != 0 { onFailure() } }
        do {
            try process.run()
        } catch {
            onFailure()
        }
    }

    /// Takes away what the browser was led by.
    func close() {
        page.withLock { page in
            page?.remove()
            page = nil
        }
    }
}
