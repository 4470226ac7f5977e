/// The output of Fixtures/kn.py, which follows the papers.
enum KNReference {
    /// Systems, α, δ, n₀; the selected, the replication of each elimination (0: none), the last replication.
    static let selections: [(Int, Double, Double, Int, Int, [Int], Int)] = [
        (2, 0.05, 5, 10, 0, [0, 502], 502),
        (3, 0.05, 4, 10, 0, [0, 504, 661], 661),
        (5, 0.1, 3, 20, 4, [955, 563, 783, 1465, 0], 1465),
        (8, 0.05, 5, 10, 4, [879, 561, 783, 305, 0, 512, 692, 803], 879),
        (8, 0.01, 6, 15, 4, [797, 498, 748, 320, 0, 561, 803, 726], 803),
        (12, 0.05, 9, 5, 0, [0, 181, 628, 124, 493, 163, 37, 163, 547, 959, 60, 777], 959),
        (12, 0.2, 60, 12, 10, [12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 0, 12], 12),
    ]
    /// System, limit, β, ε, n₀; `true` if it is feasible, and the replication that shows it.
    static let feasibility: [(Int, Double, Double, Double, Int, Bool, Int)] = [
        (0, 45, 0.05, 3, 10, false, 157),
        (1, 52, 0.05, 3, 10, true, 269),
        (2, 50, 0.025, 2, 10, true, 1775),
        (3, 40, 0.1, 5, 20, false, 34),
        (4, 60, 0.01, 5, 5, true, 41),
    ]
}
