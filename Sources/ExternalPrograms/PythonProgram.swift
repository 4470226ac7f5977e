internal import Foundation

/// A Python program that is isolated from the directory and the environment of its caller.
///
/// By default, Python imports from the working directory before its own packages, even with `-m venv` and `-m pip`: a
/// `csv.py` beside someone's results would be executed. `-I` excludes the working directory, `PYTHONPATH` and the
/// user's own packages, and the program runs in `/`, so paths among its arguments are absolute.
///
/// It ends with its caller, even if that is killed: a script watches its standard input, which is a pipe from the
/// caller.
package struct PythonProgram: Hashable, Sendable {
    let command: [String]

    /// Creates the call of a script with its arguments.
    ///
    /// - Parameter python: The path of the Python.
    package init(_ python: String, script: String, _ arguments: [String] = []) {
        command = [Self.absolute(python), "-I", "-c", Self.lifeline + script] + arguments
    }

    /// Creates the call of a module with its arguments.
    ///
    /// - Parameter python: The path of the Python, or the command that finds it.
    package init(_ python: [String], module: String, _ arguments: [String]) {
        command = python + ["-I", "-m", module] + arguments
    }

    /// Runs the program to its end; nil if it cannot be started.
    package func run() -> Subprocess.Outcome? {
        Subprocess.run(command, in: Self.directory, hasLifeline: true)
    }

    /// Starts the program in order to read its output while it runs; nil if it cannot be started.
    package func start() -> RunningProgram? {
        RunningProgram(command, in: Self.directory, hasLifeline: true)
    }

    /// Makes a path absolute.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static let directory = "/"

    /// Python code that ends the script with 75, as for other temporary failures, when standard input ends.
    private static let lifeline = """
        _os, _threading = __import__("os"), __import__("threading")
        _threading.Thread(target=lambda: (_os.read(0, 1), _os._exit(75)), daemon=True).start()

        """
}
