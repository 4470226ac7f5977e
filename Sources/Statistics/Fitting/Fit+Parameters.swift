import SimulationKernel

extension Fit {
    /// A fitted parameter.
    public struct Parameter: Hashable, Sendable {
        /// Its name in scenarios.
        public let name: String
        /// In base units if ``isScale``.
        public let value: Double
        /// `true` if it has the unit of the values; otherwise it is a plain number.
        public let isScale: Bool
    }

    /// The parameters, in the order of scenarios.
    public var parameters: [Parameter] {
        func scale(_ name: String, _ value: Double) -> Parameter {
            Parameter(name: name, value: value, isScale: true)
        }
        func shape(_ value: Double) -> Parameter { Parameter(name: "shape", value: value, isScale: false) }
        return switch distribution {
        case .exponential(let mean): [scale("mean", mean)]
        case .lognormal(let median, let p95): [scale("median", median), scale("p95", p95)]
        case .gamma(let number, let size), .weibull(let number, let size): [shape(number), scale("scale", size)]
        default: preconditionFailure("no family is fitted in this form")
        }
    }
}
