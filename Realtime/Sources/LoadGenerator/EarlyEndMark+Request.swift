package import Evaluation
package import Quantities
package import Shell

extension EarlyEndMark {
    /// The early end of work by a request.
    package init(by cause: EarlyEnd.Cause, ran: TimeSpan, planned: TimeSpan?) {
        let cause: Cause =
            switch cause {
            case .interrupted: .interrupted
            case .terminated: .terminated
            case .threshold(let text): .threshold(text)
            }
        self.init(cause: cause, ran: ran, planned: planned)
    }
}
