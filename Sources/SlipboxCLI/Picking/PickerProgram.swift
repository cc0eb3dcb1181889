import Bytes
import Platform
import Presentation
import SlipboxCore

/// The program that notes are chosen with: `fzf`, or the one of the setting `picker`.
///
/// It reads a line for each note, in columns with tabs between them: a number, the name of the note in commands, and what
/// people see. Of the lines that it prints only the numbers count.
struct PickerProgram {
  private let session: Session
  /// The box whose notes are shown beside the list; nil where they are not.
  private let box: [UInt8]?
  /// The user's own; nil for the usual one.
  private let own: String?

  init(_ session: Session, previewing box: [UInt8]?) {
    self.session = session
    self.box = box
    own = Settings.user(session.context)["picker"]
  }

  /// The places of the lines that were chosen, none where the user left; nil where there is no such program.
  ///
  /// - Throws: `.configuration` where the user's own program can't be run.
  func places(among lines: [OfferedNote], isOne: Bool) throws(SlipboxError) -> [Int]? {
    if own == Self.none { return nil }
    let input = lines.enumerated().flatMap { place, line in
      Array("\(place + 1)\t".utf8) + line.name.map { Self.separators.contains($0) ? UInt8(ascii: "?") : $0 }
        + Array("\t\(line.text)\n".utf8)
    }
    let (exit, output): (ChildProcess.Exit, [UInt8])
    do throws(SystemError) {
      (exit, output) = try ChildProcess.choose(command(isOne: isOne).map { Array($0.utf8) }, among: input)
    } catch {
      throw SlipboxError(error)
    }
    if exit == .code(127) || exit == .code(126) {
      guard let own else { return nil }
      throw SlipboxError(
        .configuration, "can't run the program for choosing notes: \(own)",
        hints: ["slip config --user picker COMMAND; \(Self.none) means a numbered list"])
    }
    let numbers = output.split(separator: UInt8(ascii: "\n")).compactMap { line in
      Int(String(decoding: line.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self))
    }
    return (isOne ? Array(numbers.prefix(1)) : numbers).map { $0 - 1 }.filter(lines.indices.contains)
  }

  /// The word for no program.
  private static let none = "none"
  private static let separators: Set<UInt8> = [9, 10, 13]

  private func command(isOne: Bool) -> [String] {
    if let own { return ["sh", "-c", own] }
    let options = ["--delimiter", "\t", "--with-nth", "3..", "--tiebreak", "index"] + preview
    return ["sh", "-c", "command -v fzf >/dev/null || exit 127; exec fzf \"$@\"", "fzf"] + options
      + (isOne ? [] : ["--multi"])
  }

  /// What shows the note of a line: `fzf` puts its name in, quoted.
  private var preview: [String] {
    guard let box else { return [] }
    let slip = Files.ownProgram.map { ShellWord.quoted($0) } ?? "slip"
    return [
      "--preview", "\(slip) show --box \(ShellWord.quoted(box)) -- {2}", "--preview-window",
      "right,50%,wrap,<80(down,40%,wrap)",
    ]
  }
}
