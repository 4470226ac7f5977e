internal import Foundation

/// A Python program that takes no code from the directory or the environment of its caller.
///
/// By itself Python imports from the working directory before its own packages, also with `-m venv` and `-m pip`: a
/// `csv.py` among results of others would run. `-I` leaves out the working directory, `PYTHONPATH` and the user's own
/// packages, and the program works in `/`, so paths among its arguments are absolute.
///
/// It ends with its caller, also when that is killed: a script watches its standard input, a pipe from the caller.
package struct PythonProgram: Hashable, Sendable {
    let command: [String]

    /// A script, with its arguments.
    ///
    /// - Parameter python: The path of the Python.
    package init(_ python: String, script: String, _ arguments: [String] = []) {
        command = [Self.absolute(python), "-I", "-c", Self.lifeline + script] + arguments
    }

    /// A module that is run by its name, with its arguments.
    ///
    /// - Parameter python: The path of the Python, or the words that find it.
    package init(_ python: [String], module: String, _ arguments: [String]) {
        command = python + ["-I", "-m", module] + arguments
    }

    /// Runs it to its end; nil when it cannot be started.
    package func run() -> Subprocess.Outcome? {
        Subprocess.run(command, in: Self.directory, hasLifeline: true)
    }

    /// Starts it, to read its output while it writes; nil when it cannot be started.
    package func start() -> RunningProgram? {
        RunningProgram(command, in: Self.directory, hasLifeline: true)
    }

    /// A path that leads to the same place from any directory.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static let directory = "/"

    /// Python that ends the script with 75, as for other failures that may pass, when standard input ends.
    private static let lifeline = """
        _os, _threading = __import__("os"), __import__("threading")
        _threading.Thread(target=lambda: (_os.read(0, 1), _os._exit(75)), daemon=True).start()

        """
}
