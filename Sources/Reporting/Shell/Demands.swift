import ArgumentParser

/// Refuses a number that an option does not allow.
public func limit<Number: Comparable>(_ option: String, _ number: Number, to allowed: ClosedRange<Number>) throws {
    try demand(allowed.contains(number), "\(option) must be within \(allowed), got \(number)")
}

/// Reads a whole number by the rule of scenario files: digits, with no zero before them, which some take for base 8.
public func wholeNumber<Number: FixedWidthInteger>(_ argument: String) throws -> Number {
    guard argument.wholeMatch(of: /-?(0|[1-9][0-9]*)/) != nil, let number = Number(argument) else {
        throw ValidationError(
            "allowed: a whole number without leading zeros, from \(Number.min) to \(Number.max)"
        )
    }
    return number
}

/// Refuses a command line where something does not hold.
public func demand(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw ValidationError(message()) }
}

/// Reads what an option was given; what is wrong with it is told with the option's name.
public func reading<Value>(_ option: String, _ read: () throws -> Value) throws -> Value {
    do {
        return try read()
    } catch {
        throw ValidationError("\(option) \(error)")
    }
}
