/// The version that all programs of the package report.
public enum Release {
    /// The semantic version.
    public static let version = "0.1.0"
}
