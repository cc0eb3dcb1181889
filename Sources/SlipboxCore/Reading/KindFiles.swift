import Bytes
import NoteIndex
import Notes
import Platform
import Text

/// The files of a box that declare kinds, and their faults.
package struct KindFiles {
  /// The folder in which a box declares kinds of its own.
  private static let folder = Array(".slipbox/kinds".utf8)
  /// The maximum size of a declaration that is read, in bytes.
  private static let declarationLimit = 1 << 20

  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the files that declare kinds, by name, and the kinds whose file can't be read. Each of these gets one
  /// warning.
  func declarations() -> (files: [(name: String, bytes: [UInt8])], unreadable: [KindFault]) {
    let names: [[UInt8]]
    do throws(SlipboxError) {
      names = try snapshot.names(in: Self.folder)
    } catch {
      snapshot.reporter.warnOnce("the kinds of the box can't be read: \(error.message)")
      return ([], [])
    }
    var files: [(name: String, bytes: [UInt8])] = []
    var unreadable: [KindFault] = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let text = String(decoding: name, as: UTF8.self)
      guard text.hasSuffix(".yaml"), !text.hasPrefix("."), !ConflictCopy.isOne(name) else { continue }
      do throws(SystemError) {
        guard let bytes = try declaration(BytePath.join(Self.folder, name)) else { continue }
        files.append((".slipbox/kinds/" + text, bytes))
      } catch {
        let message = Self.unreadable(BytePath.join(Self.folder, name), error)
        snapshot.reporter.warnUnlessRefused(message, fact: message)
        if let fault = KindFault(file: text, message: message.description) { unreadable.append(fault) }
      }
    }
    return (files, unreadable)
  }

  /// Returns the files in the folder of kinds that declare none, because their names don't have the right extension.
  package func unread() -> [[UInt8]] {
    // The warning about a folder that can't be read comes when its files are read.
    let names = (try? snapshot.names(in: Self.folder)) ?? []
    return names.filter { $0.first != UInt8(ascii: ".") && !$0.suffix(5).elementsEqual(".yaml".utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }.map { BytePath.join(Self.folder, $0) }
  }

  func declaration(_ path: [UInt8]) throws(SystemError) -> [UInt8]? {
    guard snapshot.source == .workTree else {
      // `doctor` reports a damaged blob.
      return (try? snapshot.bytes(at: path)).flatMap { $0 }
    }
    return try snapshot.box.folder.read(path, limit: Self.declarationLimit).bytes
  }

  /// Returns the reason why a file declares no kind, for a warning.
  static func unreadable(_ path: [UInt8], _ error: SystemError) -> Phrase {
    let why = error.isTooLarge ? "it is larger than 1 MB" : error.reason
    return "\(path) can't be read as the declaration of a kind: \(why)"
  }

  /// Returns a fault in a query of a kind, with the place of its declaration if the box has one.
  func fault(_ problem: KindQueryProblem) -> Phrase {
    let message: Phrase = "\(problem.key): \(problem.error.message)"
    let file = declarations().files.first { file in
      Schema.kindName(ofFile: file.name)?.isSameName(as: problem.kind) == true
    }
    guard let file else { return "kind \(problem.kind): \(message)" }
    let line = problem.line(in: file.bytes).map { ":\($0)" } ?? ""
    return "\(file.name)\(line): \(message)"
  }

  /// Refuses to write records of a kind whose file has a fault: their fields could not be checked against its
  /// declaration.
  ///
  /// - Throws: `.configuration` with the file, the line and the fault.
  package func refuseFault(of name: String) throws(SlipboxError) {
    guard
      let fault = snapshot.schema().fault(ofKind: name).map({ Phrase($0.message) })
        ?? queryFault(ofKind: name)
    else { return }
    let shown = Phrase(name)
    throw SlipboxError(
      .configuration, about: "the kind \(shown) can't be used", fault,
      hints: ["fix that file; until then its records are read-only"])
  }

  /// Refuses to write records of kinds whose files have a fault.
  func refuseFaults(of entries: [Entry]) throws(SlipboxError) {
    for kind in Set(entries.map(\.kind)).sorted() { try refuseFault(of: kind) }
  }

  /// Returns the first fault in the queries and the order that a kind declares.
  private func queryFault(ofKind name: String) -> Phrase? {
    if let problem = snapshot.kindMatcher().problems.first(where: { $0.kind.isSameName(as: name) }) {
      return fault(problem)
    }
    guard let kind = snapshot.schema().kind(named: name), let sort = kind.sort,
      sort != Schema.builtIn.kind(named: name)?.sort
    else { return nil }
    do throws(QueryError) {
      _ = try SortKey.parse(sort)
      return nil
    } catch {
      return fault(KindQueryProblem(kind: kind.name, key: "sort", error: error))
    }
  }
}

extension KindQueryProblem {
  /// Returns the line of the query in the file of its kind, from 1.
  func line(in file: [UInt8]) -> Int? {
    let element = index.flatMap { Schema.line(ofElement: $0, of: key, in: file) }
    return element ?? Schema.line(ofKey: key, in: file)
  }
}
