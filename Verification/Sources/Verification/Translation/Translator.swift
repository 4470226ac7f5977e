import InputFiles
import LiveActivityModel
import ScenarioLanguage

/// Translates a case into runs of the product.
///
/// Nothing here depends on the answer: run lengths follow from the parameters alone.
struct Translator {
    let group: String
    let model: String
    let quantity: String
    var parameters: Parameters

    /// The translation of a case, and all errors in its parameters.
    static func translate(_ known: Case, file: String) -> (translation: Translation, diagnostics: [Diagnostic]) {
        var translator = Translator(
            group: known.group,
            model: known.model,
            quantity: known.quantity,
            parameters: known.parameters
        )
        let translation = translator.translation(of: known)
        let problems = translator.parameters.problems
        if let unknown = problems.first(where: \.isUnknownForm), problems.allSatisfy(\.isUnknownForm) {
            return (.notExpressible(unknown.message), [])
        }
        let diagnostics = problems.map {
            Diagnostic(file: file, place: $0.place, message: "case \(known.id): \($0.message)")
        }
        if diagnostics.isEmpty, let unread = translator.parameters.unread.first, translation.isRun {
            return (.notExpressible("the parameter \(unread) has no meaning for the model \(known.model)"), [])
        }
        return (translation, diagnostics)
    }

    private mutating func translation(of known: Case) -> Translation {
        if case .unknown(let reason) = known.tolerance { return .notExpressible(reason) }
        return switch group {
        case "push": push()
        case "monitor": monitor()
        case "integrated": integrated()
        case "aoi": age()
        case "queue": queue()
        case "retry": retry()
        case "metastable": metastable()
        case "trace": trace(known)
        case "rng": generator(known)
        case "meta": Property.all.first { $0.name == model }.map { .property($0) } ?? unknownModel
        default: .notExpressible("the group \(group) is unknown")
        }
    }

    /// The maximum number of pushes of a replication, which takes a few seconds; a case that needs more is rejected.
    static var mostEvents: Double { 10_000_000 }

    var tooLong: Translation { .notExpressible("a run would have more than \(Int(Self.mostEvents)) pushes") }

    var unsteady: Translation {
        .notExpressible("a queue without limit has no steady state at a load of one or more")
    }

    var unknownModel: Translation { .notExpressible("the model \(model) is unknown") }

    var unknownQuantity: Translation {
        .notExpressible("the quantity \(ScenarioNode.quoted(quantity)) is not measured for the model \(model)")
    }

    /// The estimate of a scenario's response; not expressible for an unknown quantity.
    func estimate(_ scenario: Scenario, _ response: Estimand?) -> Translation {
        response.map { .estimate(Study(scenario: scenario, response: $0)) } ?? unknownQuantity
    }
}

extension Translation {
    /// `true` if the case is run, so that all its parameters must have been understood.
    fileprivate var isRun: Bool {
        switch self {
        case .notExpressible, .notUsed: false
        case .estimate, .threshold, .trace, .knownAnswer, .property: true
        }
    }
}
