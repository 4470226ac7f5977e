import Foundation
import Synchronization

/// The user's browser.
final class Browser: Sendable {
    private let page = Mutex<RedirectPage?>(nil)

    /// Creates a browser with nothing open.
    init() {}

    /// Asks the system to open an address and returns at once.
    ///
    /// The address holds a secret, so it must not appear in the opener's arguments: the opener receives a page that
    /// redirects to it. This method does not wait for the opener. The opener may be the browser process, which runs
    /// until its window is closed, and the server must answer the browser's requests meanwhile.
    ///
    /// - Parameter onFailure: Called if the system has no opener.
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

    /// Removes the page that redirected the browser.
    func close() {
        page.withLock { page in
            page?.remove()
            page = nil
        }
    }
}
