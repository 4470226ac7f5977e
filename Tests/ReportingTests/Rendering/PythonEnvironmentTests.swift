import ExternalPrograms
import Foundation
import Testing

@testable import Reporting

struct PythonEnvironmentTests {
    /// The reason why there is no Python with these environment variables; nil if there is one.
    private static func problem(_ variables: [String: String]) -> String? {
        do throws(PythonEnvironment.Missing) {
            _ = try PythonEnvironment.rendering.executable(variables: variables, notify: { _ in })
            return nil
        } catch {
            return error.description
        }
    }

    @Test
    func ownPythonIsUsedAsItIs() throws {
        // The program `true` accepts any request.
        let found = try PythonEnvironment.rendering.executable(
            variables: ["FRESHET_PYTHON": "/usr/bin/true", "HOME": "/nonexistent"],
            notify: { Issue.record("installed although nothing is missing: \($0)") }
        )
        #expect(found == "/usr/bin/true")
    }

    @Test(arguments: [
        (["FRESHET_PYTHON": "/nonexistent/python"], "FRESHET_PYTHON names /nonexistent/python, which cannot be run"),
        (
            ["FRESHET_PYTHON": "/usr/bin/false"],
            "FRESHET_PYTHON names /usr/bin/false, which lacks the module vl_convert; PYTHONPATH and the user's own packages are "
                + "not searched"
        ),
        (
            ["FRESHET_PYTHON": ""],
            "neither XDG_CACHE_HOME nor HOME is an absolute path: cannot choose where to install Python packages"
        ),
        (
            ["HOME": "relative"],
            "neither XDG_CACHE_HOME nor HOME is an absolute path: cannot choose where to install Python packages"
        ),
    ])
    func whatIsMissingIsSaid(_ variables: [String: String], _ expected: String) {
        #expect(Self.problem(variables) == expected)
    }

    @Test
    func cacheThatCannotBeWrittenIsSaidToBe() throws {
        let problem = try #require(Self.problem(["XDG_CACHE_HOME": "/dev/null"]))
        #expect(problem.hasPrefix("/dev/null/freshet/rendering-"))
        #expect(problem.contains("cannot be written"))
    }

    @Test
    func everyPackageHasAnExactVersionAndHashes() {
        for environment in [PythonEnvironment.rendering, .parquet] {
            let packages = environment.requirements.matches(of: /(?m)^[a-z][a-z0-9-]*==[0-9a-z.]+ \\$/).count
            #expect(packages > 0)
            let named = environment.requirements.matches(of: /(?m)^[a-z]/).count
            #expect(named == packages, "only exact versions")
            #expect(environment.requirements.matches(of: /--hash=sha256:[0-9a-f]{64}/).count >= packages)
        }
    }
}
