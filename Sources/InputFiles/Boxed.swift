/// A value behind a reference, so that a copy of what contains it copies a pointer and not every field.
///
/// A scenario has a hundred references. Each type that contains one inline would repeat the code that copies them.
@propertyWrapper
public struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    /// Creates the reference to a value.
    public init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    /// The value; setting it leaves copies as they are.
    public var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}
