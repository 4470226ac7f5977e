import ExternalPrograms
internal import Foundation
import ScenarioLanguage
import SimulationKernel

/// Facts about the program and its machine; a text is empty if the system does not report it.
public enum Machine {
    /// The compiler of this program, and its optimisation mode.
    static var toolchain: String {
        #if compiler(>=6.4)
        let compiler = "Swift 6.4 or later"
        #elseif compiler(>=6.3)
        let compiler = "Swift 6.3"
        #else
        let compiler = "Swift before 6.3"
        #endif
        #if DEBUG
        return compiler + ", debug"
        #else
        return compiler + ", optimised"
        #endif
    }

    /// The system, release and architecture, as printed by `uname -srm`.
    public static var operatingSystem: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "" }
        return [text(names.sysname), text(names.release), text(names.machine)].joined(separator: " ")
    }

    /// The processor's model.
    public static var processor: String {
        #if canImport(Darwin)
        var bytes = [CChar](repeating: 0, count: 256)
        var count = bytes.count
        guard sysctlbyname("machdep.cpu.brand_string", &bytes, &count, nil, 0) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return model?.trimmingCharacters(in: .whitespaces) ?? ""
        #endif
    }

    /// The commit that is checked out in the working directory at the program's start.
    static var gitCommit: String {
        let git = Subprocess.run(["/usr/bin/env", "git", "rev-parse", "--verify", "HEAD"], withErrors: false)
        return git.map { $0.status == 0 ? $0.text.trimmingCharacters(in: .whitespacesAndNewlines) : "" } ?? ""
    }

    /// A hash of the running program's file, 16 hexadecimal digits.
    public static var binaryHash: String {
        guard let path = Bundle.main.executablePath, let bytes = FileManager.default.contents(atPath: path) else {
            return ""
        }
        var hash = Fingerprint()
        bytes.withUnsafeBytes { hash.combine(bytes: $0) }
        return hash.value.hexadecimal
    }

    /// The text in one of `uname`'s fixed-size fields.
    private static func text<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
