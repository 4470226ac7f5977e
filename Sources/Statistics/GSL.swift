import CGSL

/// The GNU Scientific Library, made safe to call.
enum GSL {
    /// What its functions return when they have done what they were asked.
    static let success: Int32 = 0

    /// Runs a call of GSL with its error handler turned off, and so with NaN as the sign of failure.
    ///
    /// GSL's default handler aborts the process. The handler is a global of the library; turning it off once, under the
    /// lock of a lazy static, is all that is needed for calls from any thread.
    static func call<Value>(_ body: () -> Value) -> Value {
        _ = handlerIsOff
        return body()
    }

    private static let handlerIsOff: Bool = {
        _ = gsl_set_error_handler_off()
        return true
    }()
}
