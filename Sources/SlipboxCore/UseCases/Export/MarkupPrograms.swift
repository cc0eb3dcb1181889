import Platform
import Synchronization
import Text

/// A text of a note that another program turns into markup.
package struct MarkupSource: Hashable, Sendable {
  package static let block = Array("block".utf8)
  package static let inline = Array("inline".utf8)

  /// The language of code, or how a formula is set.
  package let kind: [UInt8]
  package let source: [UInt8]

  package init(_ kind: [UInt8], _ source: [UInt8]) {
    self.kind = kind
    self.source = source
  }
}

/// The programs of this machine that make markup of formulas and of code; nil for those that are not used.
package struct MarkupPrograms: Sendable {
  package var formulas: MarkupProgram?
  package var code: MarkupProgram?

  package init() {}

  /// The programs that are installed.
  ///
  /// - Parameter code: whether code is to have markup.
  /// - Throws: `.unavailable` if the program for code is wanted and not installed.
  package init(code: Bool, _ reporter: Reporter) throws(SlipboxError) {
    formulas = MarkupProgram.katex(reporter)
    guard code else { return }
    self.code = MarkupProgram.pygments(reporter)
    guard self.code != nil else {
      throw SlipboxError(
        .unavailable, "Pygments is not installed", hints: ["run: apt-get install python3-pygments"])
    }
  }
}

/// A program that renders markup of texts, several in one process.
///
/// It reads pairs of kind and source, each ended by a NUL byte, and writes as many texts. Its output is cached while this
/// process runs, up to a limit.
package final class MarkupProgram: Sendable {
  private static let longest = 100_000
  /// The most texts that are kept between two calls.
  private static let mostKept = 10_000

  private let name: String
  private let words: [String]
  /// The longest time for all texts of a call.
  private let seconds: Int
  private let reporter: Reporter
  private let known = Mutex<[MarkupSource: [UInt8]]>([:])

  private init(_ name: String, _ words: [String], seconds: Int, _ reporter: Reporter) {
    self.name = name
    self.words = words
    self.seconds = seconds
    self.reporter = reporter
  }

  /// The markup of some texts; texts that the program can't read are missing.
  package func markup(of texts: Set<MarkupSource>) -> [MarkupSource: [UInt8]] {
    let new = known.withLock { known in
      if known.count > Self.mostKept { known = [:] }
      return texts.filter {
        known[$0] == nil && $0.source.count <= Self.longest && !($0.kind + $0.source).contains(0)
      }
    }
    if !new.isEmpty { make(Array(new)) }
    return known.withLock { known in known.filter { texts.contains($0.key) && !$0.value.isEmpty } }
  }

  private func make(_ texts: [MarkupSource]) {
    let input = Array(texts.map { $0.kind + [0] + $0.source + [0] }.joined())
    let command = (["timeout", String(seconds)] + words).map { Array($0.utf8) }
    do throws(SystemError) {
      let ran = try ChildProcess.collect(command, in: Array("/".utf8), input: input)
      let made = ran.output.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
      guard ran.exit == .code(0), made.count == texts.count + 1 else {
        let reason = ran.exit == .code(124) ? "it took longer than \(seconds) seconds" : "it failed"
        return reporter.warn("\(name) was not used: \(reason)")
      }
      known.withLock { for (text, markup) in zip(texts, made) { $0[text] = markup } }
    } catch {
      reporter.warn("\(name) was not used: \(error.reason)")
    }
  }
}

extension MarkupProgram {
  private static let katexFile = "/usr/share/javascript/katex/katex.min.js"
  private static let pygmentsFolders = ["/usr/lib/python3/dist-packages/pygments"]

  /// The longest time that an export waits for a program.
  private static let secondsOfExport = 60

  /// KaTeX of Debian's package `libjs-katex`, which makes MathML; nil if it or `nodejs` is not installed.
  ///
  /// - Parameter seconds: the longest time for all formulas of a call.
  package static func katex(_ reporter: Reporter, seconds: Int = secondsOfExport) -> MarkupProgram? {
    guard Files.isAccessible(Array(katexFile.utf8), for: .reading), let node = program("node") else {
      return nil
    }
    return MarkupProgram("KaTeX", [node, "-e", katexScript, katexFile], seconds: seconds, reporter)
  }

  /// Pygments of Debian's package `python3-pygments`; nil if it is not installed.
  package static func pygments(_ reporter: Reporter) -> MarkupProgram? {
    guard pygmentsFolders.contains(where: { Files.isFolder(Array($0.utf8)) }), let python = program("python3")
    else {
      return nil
    }
    let words = [python, "-I", "-c", pygmentsScript]
    return MarkupProgram("Pygments", words, seconds: secondsOfExport, reporter)
  }

  /// A program that Debian's packages install.
  private static func program(_ name: String) -> String? {
    let path = "/usr/bin/\(name)"
    return Files.isAccessible(Array(path.utf8), for: .running) ? path : nil
  }

  private static let katexScript = """
    const katex = require(process.argv[1]), fs = require("fs");
    const parts = fs.readFileSync(0, "utf8").split("\\0");
    const made = [];
    for (let at = 0; at + 1 < parts.length; at += 2) {
      let markup = "";
      try {
        markup = katex.renderToString(parts[at + 1], {
          displayMode: parts[at] === "block", output: "mathml", trust: false, strict: "ignore", maxSize: 50, maxExpand: 1000 });
      } catch {}
      made.push(markup.includes("\\0") ? "" : markup);
    }
    fs.writeFileSync(1, made.map((markup) => markup + "\\0").join(""));
    """

  private static let pygmentsScript = """
    import sys
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    parts = sys.stdin.buffer.read().decode("utf-8").split("\\0")
    form = HtmlFormatter(nowrap=True)
    made = []
    for kind, source in zip(parts[0::2], parts[1::2]):
        try:
            markup = highlight(source, get_lexer_by_name(kind, stripnl=False, ensurenl=False), form)
        except Exception:
            markup = ""
        made.append("" if "\\0" in markup else markup)
    sys.stdout.buffer.write("".join(markup + "\\0" for markup in made).encode("utf-8"))
    """
}
