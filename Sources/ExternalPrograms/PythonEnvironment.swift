import CEmbeddedFiles
internal import Foundation
import SimulationKernel

/// A Python with the packages for one task, installed on first use.
///
/// It is installed in the user's cache directory under a name derived from its requirements, so changed requirements
/// create a new environment and nothing is upgraded in place. It is built under a temporary name and renamed, so an
/// interrupted installation never looks complete. `FRESHET_PYTHON` names another Python to use instead, for users who
/// manage their packages themselves.
package struct PythonEnvironment: Hashable, Sendable {
    /// Its purpose, in a word.
    package let name: String
    /// The packages, with exact versions and the hashes of their files, as pip reads them.
    package let requirements: String
    /// The module that shows whether the packages are there.
    package let module: String

    /// The reason for which there is no such Python.
    package struct Missing: Error, Hashable, Sendable, CustomStringConvertible {
        /// The error and its remedy.
        package let description: String
    }

    /// Creates the description of an environment.
    package init(name: String, requirements: String, module: String) {
        self.name = name
        self.requirements = requirements
        self.module = module
    }

    /// The environment for reading and writing Parquet: Apache Arrow.
    package static let parquet = PythonEnvironment(
        name: "parquet",
        requirements: String(cString: embedded_text("parquet_requirements.txt")),
        module: "pyarrow"
    )

    /// The path of the Python, which is installed if necessary.
    ///
    /// - Parameter notify: Called with a line of text before a long operation.
    package func executable(
        variables: [String: String] = ProcessInfo.processInfo.environment,
        notify: (String) -> Void
    ) throws(Missing) -> String {
        if let own = variables["FRESHET_PYTHON"], !own.isEmpty {
            guard let outcome = PythonProgram(own, script: "import \(module)").run() else {
                throw Missing(description: "FRESHET_PYTHON names \(own), which cannot be run")
            }
            guard outcome.status == 0 else {
                throw Missing(
                    description:
                        "FRESHET_PYTHON names \(own), which lacks the module \(module); PYTHONPATH and the user's own "
                        + "packages are not searched"
                )
            }
            return own
        }
        let place = try place(variables)
        let python = place + "/bin/python"
        if FileManager.default.isExecutableFile(atPath: python) { return python }
        notify("installing the Python packages for \(name) into \(place), once")
        try install(into: place)
        return python
    }

    /// The directory of the environment, within XDG's cache directory.
    package func place(_ variables: [String: String] = ProcessInfo.processInfo.environment) throws(Missing) -> String {
        var hash = Fingerprint()
        for byte in requirements.utf8 { hash.combine(UInt64(byte)) }
        let cache: String
        if let xdg = variables["XDG_CACHE_HOME"], xdg.hasPrefix("/") {
            cache = xdg
        } else if let home = variables["HOME"], home.hasPrefix("/") {
            cache = home + "/.cache"
        } else {
            throw Missing(
                description:
                    "neither XDG_CACHE_HOME nor HOME is an absolute path: cannot choose where to install Python packages"
            )
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
            remedy: "check the network connection and try again"
        )
        // Another process may have created it first, which is equally good.
        guard rename(partial, place) == 0 || FileManager.default.fileExists(atPath: place) else {
            throw Missing(description: "\(place) cannot be created: \(String(cString: strerror(errno)))")
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
