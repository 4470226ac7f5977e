/// Renders a report and says where it is; tells on standard error what is missing from it.
public func renderReport(_ directory: String, pictures: String? = nil, quiet: Bool) throws {
    do {
        let report = try RenderedReport.write(directory, pictures: pictures) { line in
            if !quiet { printError(line) }
        }
        if let problem = report.problem {
            printError("\(report.path): charts are missing: \(problem)")
        }
        if !quiet {
            print("Report: \(report.path)")
        }
    } catch {
        printError("\(error)")
        switch error {
        case .missing: throw Failure.inputMissing
        case .cannotWrite: throw Failure.cannotWrite
        }
    }
}
