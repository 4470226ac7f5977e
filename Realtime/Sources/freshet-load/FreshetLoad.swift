import ArgumentParser
import LoadCommands

/// The program that `freshet load` becomes.
@main
enum FreshetLoad {
    static func main() async {
        await LoadCommand.main()
    }
}
