import ArgumentParser

/// Refuses a number that an option does not allow.
public func limit<Number: Comparable>(_ option: String, _ number: Number, to allowed: ClosedRange<Number>) throws {
    try demand(allowed.contains(number), "\(option) must be within \(allowed), got \(number)")
}

/// Reads a whole number by the rule of scenario files: digits without leading zeros, which could be taken for base 8.
public func wholeNumber<Number: FixedWidthInteger>(_ argument: String) throws -> Number {
    guard argument.wholeMatch(of: /-?(0|[1-9][0-9]*)/) != nil, let number = Number(argument) else {
        throw ValidationError(
            "allowed: a whole number without leading zeros, from \(Number.min) to \(Number.max)"
        )
    }
    return number
}

/// Refuses a command line if a condition does not hold.
public func demand(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw ValidationError(message()) }
}

/// Reads the value of an option; an error message begins with the option's name.
public func reading<Value>(_ option: String, _ read: () throws -> Value) throws -> Value {
    do {
        return try read()
    } catch {
        throw ValidationError("\(option) \(error)")
    }
}
