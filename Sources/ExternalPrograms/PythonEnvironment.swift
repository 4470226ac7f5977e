internal import Foundation
import SimulationKernel

/// A Python with the packages that one kind of work needs, installed on first use.
///
/// It lies in the user's cache directory under a name made from its requirements, so a change of these makes another one
/// and nothing is ever upgraded in place. It is built beside and renamed: a kill leaves nothing that looks finished.
/// `FRESHET_PYTHON` names a Python to be used as it is instead, for those who look after their packages themselves.
package struct PythonEnvironment: Hashable, Sendable {
    /// What it is for, in a word.
    package let name: String
    /// The packages, with exact versions and the hashes of their files, as pip reads them.
    package let requirements: String
    /// The module that shows whether the packages are there.
    package let module: String

    /// Why there is no such Python.
    package struct Missing: Error, Hashable, Sendable, CustomStringConvertible {
        /// What went wrong, and what would mend it.
        package let description: String
    }

    /// What some work needs.
    package init(name: String, requirements: String, module: String) {
        self.name = name
        self.requirements = requirements
        self.module = module
    }

    /// What reads and writes Parquet: Apache Arrow.
    package static let parquet = PythonEnvironment(
        name: "parquet",
        requirements: String(decoding: PackageResources.parquet_requirements_txt, as: UTF8.self),
        module: "pyarrow"
    )

    /// The path of the Python, installed if need be.
    ///
    /// - Parameter tell: Told, in a line, when something will take a while.
    package func executable(
        variables: [String: String] = ProcessInfo.processInfo.environment,
        tell: (String) -> Void
    ) throws(Missing) -> String {
        if let own = variables["FRESHET_PYTHON"], !own.isEmpty {
            guard let outcome = PythonProgram(own, script: "import \(module)").run() else {
                throw Missing(description: "FRESHET_PYTHON names \(own), which cannot be run")
            }
            guard outcome.status == 0 else {
                throw Missing(
                    description:
                        "FRESHET_PYTHON names \(own), which has no module \(module) of its own; PYTHONPATH and "
                        + "packages of the user do not count"
                )
            }
            return own
        }
        let place = try place(variables)
        let python = place + "/bin/python"
        if FileManager.default.isExecutableFile(atPath: python) { return python }
        tell("installing what \(name) needs into \(place), once")
        try install(into: place)
        return python
    }

    /// Where it lies: XDG's cache directory.
    package func place(_ variables: [String: String] = ProcessInfo.processInfo.environment) throws(Missing) -> String {
        var hash = Fingerprint()
        for byte in requirements.utf8 { hash.combine(UInt64(byte)) }
        let cache: String
        if let xdg = variables["XDG_CACHE_HOME"], xdg.hasPrefix("/") {
            cache = xdg
        } else if let home = variables["HOME"], home.hasPrefix("/") {
            cache = home + "/.cache"
        } else {
            throw Missing(description: "neither XDG_CACHE_HOME nor HOME says where to install Python packages")
        }
        return "\(cache)/freshet/\(name)-\(String(hash.value, radix: 16))"
    }

    private func install(into place: String) throws(Missing) {
        let partial = "\(place).partial-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: partial) }
        do {
            try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
            try requirements.write(toFile: partial + "/requirements.txt", atomically: false, encoding: .utf8)
        } catch {
            throw Missing(description: "\(partial) cannot be written: \(error.localizedDescription)")
        }
        try step(
            PythonProgram(["/usr/bin/env", "python3"], module: "venv", [partial]),
            remedy: "install python3 with its venv module"
        )
        try step(
            PythonProgram(
                [partial + "/bin/python"],
                module: "pip",
                [
                    "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:",
                    "--retries", "1", "--requirement", partial + "/requirements.txt",
                ]
            ),
            remedy: "try again with a network"
        )
        // Another process may have been faster, which is as good.
        guard rename(partial, place) == 0 || FileManager.default.fileExists(atPath: place) else {
            throw Missing(description: "\(place) cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    private func step(_ program: PythonProgram, remedy: String) throws(Missing) {
        guard let outcome = program.run() else {
            throw Missing(description: "Python cannot be run; \(remedy)")
        }
        guard outcome.status == 0 else {
            let last = outcome.text.split(separator: "\n").last.map(String.init) ?? "exit code \(outcome.status)"
            throw Missing(description: "\(last.trimmingCharacters(in: .whitespaces)); \(remedy)")
        }
    }
}
