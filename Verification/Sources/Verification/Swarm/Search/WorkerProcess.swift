import Foundation
import Synchronization

/// A judge in a child process.
///
/// If a world crashes the child or hangs it, this is found like any violation. Only one thread may ask; only ``stop()``
/// may be called from another.
final class WorkerProcess: WorldJudge, Sendable {
    private let settings: Settings
    private let state: Mutex<State>

    /// The constant settings.
    struct Settings: Sendable {
        /// The program and its arguments; the directory is appended.
        let command: [String]
        /// An existing directory for the worlds that are run, the output of the process, and candidates.
        let directory: String
        /// The time limit of a world; a longer one counts as a hang.
        let patience: Duration
    }

    private struct State {
        var child: Child?
        var isStopped = false
    }

    /// A child process.
    private final class Child: @unchecked Sendable {
        // It is set before it is shared, and read by one thread at a time.
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        var unread: [UInt8] = []
    }

    init(_ settings: Settings) {
        self.settings = settings
        state = Mutex(State())
    }

    deinit { state.withLock { $0.child?.process.terminate() } }

    private var worldFile: String { "\(settings.directory)/\(SwarmWorker.worldFile)" }
    private var candidateFile: String { "\(settings.directory)/candidate.yaml" }
    private var errorsFile: String { "\(settings.directory)/errors.txt" }

    func judge(seed: UInt64) -> WorldAnswer? {
        var answer = ask("seed \(seed)", patience: settings.patience)
        if answer?.verdict.violations.isEmpty == false { answer?.world = try? SwarmWorld(file: worldFile) }
        return answer
    }

    func judge(_ world: SwarmWorld, mostEvents: Int) -> WorldAnswer? {
        guard (try? world.write(to: candidateFile)) != nil else { return nil }
        return ask("file \(mostEvents) \(candidateFile)", patience: min(settings.patience, .seconds(20)))
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            if let child = state.child { kill(child.process.processIdentifier, SIGKILL) }
        }
    }

    // MARK: - Asking

    private func ask(_ question: String, patience: Duration) -> WorldAnswer? {
        guard let child = runningChild() else { return nil }
        var answer = WorldAnswer(verdict: WorldCheck.Verdict(violations: [], events: 0))
        let end = ContinuousClock.now + patience
        if (try? child.input.fileHandleForWriting.write(contentsOf: Data("\(question)\n".utf8))) != nil {
            while let line = nextLine(of: child, until: end) {
                let words = line.split(separator: " ", maxSplits: 1)
                if words.count == 2, words[0] == "violation" { answer.verdict.violations.append(String(words[1])) }
                if words.count == 2, words[0] == "done", let events = Int64(words[1]) {
                    answer.verdict.events = events
                    return answer
                }
            }
        }
        let isLate = ContinuousClock.now >= end
        if isLate { kill(child.process.processIdentifier, SIGKILL) }
        child.process.waitUntilExit()
        let isStopped = state.withLock { state in
            state.child = nil
            return state.isStopped
        }
        let status = child.process.terminationStatus
        let isSignal = child.process.terminationReason == .uncaughtSignal
        // Ctrl-C reaches the whole process group.
        guard !isStopped, !(isSignal && (status == SIGINT || status == SIGTERM)) else { return nil }
        answer.isHang = isLate
        let ending = isSignal ? "signal \(Self.names[status] ?? "\(status)")" : "exit code \(status)"
        answer.verdict.violations = [
            isLate ? "no answer within the time limit" : "the process ended by \(ending)\(lastWords)"
        ]
        return answer
    }

    /// Returns the running process, or starts one; nil if the judge was stopped or the process cannot be started.
    private func runningChild() -> Child? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            if let child = state.child { return child }
            let child = Child()
            _ = FileManager.default.createFile(atPath: errorsFile, contents: nil)
            child.process.executableURL = URL(filePath: settings.command[0])
            child.process.arguments = Array(settings.command.dropFirst()) + [settings.directory]
            child.process.standardInput = child.input
            child.process.standardOutput = child.output
            child.process.standardError = FileHandle(forWritingAtPath: errorsFile) ?? .nullDevice
            guard (try? child.process.run()) != nil else { return nil }
            state.child = child
            return child
        }
    }

    /// Returns the next line of the answer; nil if the process has ended or the time is over.
    private func nextLine(of child: Child, until end: ContinuousClock.Instant) -> String? {
        let descriptor = child.output.fileHandleForReading.fileDescriptor
        while true {
            if let newline = child.unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: child.unread[..<newline], as: UTF8.self)
                child.unread.removeSubrange(...newline)
                return line
            }
            let left = (end - .now) / .milliseconds(1)
            guard left > 0 else { return nil }
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, Int32(min(left, 1000)) + 1) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            child.unread += buffer[..<count]
        }
    }

    /// The last message of the process, such as the reason of a trap, without the stack, whose addresses differ each
    /// time.
    private var lastWords: String {
        let text = (try? String(contentsOfFile: errorsFile, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").map(String.init)
        let reason = lines.last { $0.contains("rror: ") || $0.contains("ailed: ") }
        return (reason ?? lines.first).map { ": \($0.suffix(200))" } ?? ""
    }

    private static let names: [Int32: String] = [
        SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
        SIGSEGV: "SIGSEGV", SIGKILL: "SIGKILL",
    ]
}
