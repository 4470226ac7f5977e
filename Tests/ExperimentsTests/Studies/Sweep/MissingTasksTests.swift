import Testing

@testable import Studies

@Suite("Missing tasks")
struct MissingTasksTests {
    @Test(
        "Consecutive tasks are printed as ranges for Slurm's --array",
        arguments: [
            ([0], "0"), ([3, 4], "3-4"), ([0, 1, 2, 7, 9, 10], "0-2,7,9-10"),
            (Array(stride(from: 0, to: 60, by: 2)), "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,…"),
        ]
    )
    func ranges(_ numbers: [Int], _ expected: String) {
        #expect(SweepResult.MissingTasks.ranges(numbers) == expected)
    }
}
