public import LiveActivityModel
public import SimulationKernel

extension Scenario {
    /// Calls a function for every distribution of the scenario, which it can change, in the order of the resolved file.
    ///
    /// - Parameter update: Receives each distribution with its path, for ``LoadedScenario/diagnostic(at:_:)``.
    public mutating func updateDistributions(_ update: (_ distribution: inout Distribution, _ path: String) -> Void) {
        Section.scenario.visitDistributions(&self, "", update)
    }

    /// Calls a function for the values of every data column, at any depth of mixtures, which it can change.
    ///
    /// - Parameter update: Receives the values with their path, which ends in `empirical`; the keys `file` and `column`
    ///   are inside it.
    public mutating func updateEmpiricalValues(_ update: (_ values: inout EmpiricalValues, _ path: String) -> Void) {
        updateDistributions { distribution, path in
            distribution.updateEmpiricalValues(path, update)
        }
    }
}

extension Distribution {
    fileprivate mutating func updateEmpiricalValues(_ path: String, _ update: (inout EmpiricalValues, String) -> Void) {
        switch self {
        case .empirical(var values):
            update(&values, Reading.path(path, "empirical"))
            self = .empirical(values)
        case .mixture(var components):
            for index in components.indices {
                let componentPath = Reading.path(path, "mixture.\(index).of")
                components[index].distribution.updateEmpiricalValues(componentPath, update)
            }
            self = .mixture(components)
        case .shifted(let amount, var distribution):
            distribution.updateEmpiricalValues(Reading.path(path, "shifted.of"), update)
            self = .shifted(by: amount, distribution)
        case .constant, .uniform, .triangular, .exponential, .lognormal, .lognormalOfLog, .gamma, .weibull, .quantiles:
            break
        }
    }
}
