package import SlipboxCore
import Text

extension Finding {
  /// The finding on a line, and under it what mends it.
  package func lines(_ style: Style) -> [String] {
    let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
    return ["\(style.bold(Visible.escape(path) + place)): \(message)", "  \(style.dim(fix))"]
  }
}

extension Finding.Rule {
  /// The check on a line, and under it what `--fix` does.
  package func lines(_ style: Style) -> [String] {
    ["\(style.bold(rawValue)): \(purpose)", "  \(style.dim(treatment))"]
  }
}
