import FreshnessCore
import LifecycleTraces
import TestSupport
import Testing

@Suite struct GoldenTraceTests {
    @Test(arguments: History.goldenTraces)
    func theCoreReproducesTheTrace(_ history: History) throws {
        let script = LifecycleScript(history)
        var monitor = try ScriptedMonitor(script)
        let log = monitor.run().lines(until: script.until)
        #expect(history.difference(from: log) == nil)
    }

    /// The oracle of the random scripts must pass the same tests.
    @Test(arguments: History.goldenTraces)
    func theInterpreterReproducesTheTrace(_ history: History) {
        let script = LifecycleScript(history)
        let log = TraceInterpreter.trace(of: script).lines(until: script.until)
        #expect(history.difference(from: log) == nil)
    }

    /// Thousands of random scripts with many ties: the core and the interpreter agree line by line.
    @Test(.enabled(if: Loop.isFull), arguments: 0..<10 as Range<UInt64>)
    func theCoreAgreesWithTheInterpreter(block: UInt64) throws {
        var outcomes: Set<LifecycleTrace.Outcome> = []
        for seed in block * 1000..<(block + 1) * 1000 {
            let script = LifecycleScript.random(seed: seed)
            var monitor = try ScriptedMonitor(script)
            let trace = monitor.run()
            let expected = TraceInterpreter.trace(of: script)
            try #require(trace == expected, "LifecycleScript.random(seed: \(seed))")
            outcomes.insert(trace.outcome)
        }
        #expect(outcomes == [.fresh, .stale, .severe, .tokenInvalidated, .tokenDead])
    }
}
