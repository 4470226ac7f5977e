import APNsStandIn
import CommandShell
import Foundation

/// What a stand-in tells those who want to push to it.
extension APNsCommand {
    /// What a provider needs, where it has been written.
    struct Files {
        let ca: String?
        let key: String?
    }

    /// Where a file is to be: where it was asked for, or beside the ready file; nil: nowhere.
    ///
    /// Absolute: who reads the ready file may be somewhere else.
    func path(_ asked: String?, beside suffix: String) -> String? {
        if let asked { return URL(fileURLWithPath: asked).path }
        guard let readyFile else { return nil }
        return URL(fileURLWithPath: readyFile).deletingPathExtension().path + "." + suffix
    }

    /// Refuses to write over files beside the ready file that no stand-in has written there.
    func checkPlace(of files: Files) throws {
        guard let readyFile else { return }
        let before = FileManager.default.contents(atPath: readyFile)
            .flatMap { try? JSONDecoder().decode(StandInReady.self, from: $0) }
        let unasked = [
            (writeCa == nil ? files.ca : nil, before?.ca, "--write-ca"),
            (writeKey == nil ? files.key : nil, before?.key, "--write-key"),
        ]
        for case (let file?, let known, let option) in unasked {
            guard file != known, FileManager.default.fileExists(atPath: file) else { continue }
            printError("\(file): is there already, and not a stand-in's of before; \(option) names another place")
            throw Failure.cannotWrite
        }
    }

    func announce(_ standIn: StandIn, _ configuration: StandInConfiguration, _ files: Files) throws {
        let provider = configuration.providerKeys.first
        printError("APNs stand-in: https://localhost:\(standIn.port)")
        if let port = standIn.metricsPort {
            printError("metrics: http://127.0.0.1:\(port)/metrics")
        }
        if let port = standIn.netmeraPort {
            printError("Netmera's REST calls: http://127.0.0.1:\(port)/rest/3.0/")
        }
        guard let readyFile else { return }
        let ready = StandInReady(
            port: standIn.port,
            metricsPort: standIn.metricsPort,
            netmeraPort: standIn.netmeraPort,
            ca: files.ca,
            key: files.key,
            kid: provider?.id,
            team: provider?.team,
            pid: ProcessInfo.processInfo.processIdentifier
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try write(String(decoding: try encoder.encode(ready), as: UTF8.self) + "\n", to: readyFile, mode: 0o644)
    }

    /// Writes a file whole: who sees it can read all of it.
    func write(_ text: String, to path: String, mode: Int) throws {
        let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        let attributes: [FileAttributeKey: any Sendable] = [.posixPermissions: mode]
        guard
            FileManager.default.createFile(atPath: temporary, contents: Data(text.utf8), attributes: attributes),
            rename(temporary, path) == 0
        else {
            printError("cannot write \(path)")
            throw Failure.cannotWrite
        }
    }
}
