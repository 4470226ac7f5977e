import CGSL

/// The GNU Scientific Library, made safe to call.
enum GSL {
    /// The return code of its functions for success.
    static let success: Int32 = 0

    /// Calls GSL with its error handler turned off, so that NaN indicates failure.
    ///
    /// GSL's default handler aborts the process. The handler is a global of the library; turning it off once, under the
    /// lock of a lazy static, suffices for calls from any thread.
    static func call<Value>(_ body: () -> Value) -> Value {
        _ = handlerIsOff
        return body()
    }

    private static let handlerIsOff: Bool = {
        _ = gsl_set_error_handler_off()
        return true
    }()
}
