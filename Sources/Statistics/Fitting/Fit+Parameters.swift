import SimulationKernel

extension Fit {
    /// A fitted parameter.
    public struct Parameter: Hashable, Sendable {
        /// Its name in scenarios; in a mixture, with the number of the part as prefix, such as `part_1_median`.
        public let name: String
        /// In base units if ``isScale``.
        public let value: Double
        /// `true` if it has the unit of the values; otherwise it is a plain number.
        public let isScale: Bool
    }

    /// The parameters, in the order of scenarios.
    public var parameters: [Parameter] { Self.parameters(of: distribution, prefix: "") }

    private static func parameters(of distribution: Distribution, prefix: String) -> [Parameter] {
        func scale(_ name: String, _ value: Double) -> Parameter {
            Parameter(name: prefix + name, value: value, isScale: true)
        }
        func number(_ name: String, _ value: Double) -> Parameter {
            Parameter(name: prefix + name, value: value, isScale: false)
        }
        switch distribution {
        case .exponential(let mean):
            return [scale("mean", mean)]
        case .lognormal(let median, let p95):
            return [scale("median", median), scale("p95", p95)]
        case .gamma(let shape, let size), .weibull(let shape, let size):
            return [number("shape", shape), scale("scale", size)]
        case .mixture(let components):
            return components.enumerated()
                .flatMap { index, component in
                    let prefix = "part_\(index + 1)_"
                    return [Parameter(name: prefix + "weight", value: component.weight, isScale: false)]
                        + parameters(of: component.distribution, prefix: prefix)
                }
        case .constant, .uniform, .triangular, .lognormalOfLog, .quantiles, .empirical, .shifted:
            preconditionFailure("no family is fitted in this form")
        }
    }
}
