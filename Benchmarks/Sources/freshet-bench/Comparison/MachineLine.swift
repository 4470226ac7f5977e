import Foundation

/// What the figures were measured on.
enum MachineLine {
    static var text: String {
        var names = utsname()
        uname(&names)
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let system = "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let day = Date().formatted(.iso8601.year().month().day())
        return "\(processor), \(cores) processors, \(system), \(day); medians by processor time"
    }

    private static var processor: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }
}
