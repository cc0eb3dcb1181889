import Bytes
import Notes

/// Reads records from JSON: the output of `slip list --json` and `--jsonl`, and objects of any other program.
///
/// In slip's form a record has `fields`. Members other than these and the columns (`modified`, `counts`, `urgency` and
/// the like) are computed and not part of the record.
/// In any other form all members but `title`, `kind`, `created`, `tags` and `body` are fields of their own names. An `id`
/// that is not one of slip's becomes `identifier`.
package enum JSONRecords {
  /// - Parameters:
  ///   - name: the name of the file, which distinguishes records without an id of slip's from those of other files.
  ///   - columns: the fields of members.
  package static func read(
    _ bytes: [UInt8], file name: String, _ columns: ColumnNames = ColumnNames()
  ) -> ForeignFile {
    var file = ForeignFile()
    var names = SourceNames()
    JSONRecordStream.read(bytes) { node in
      do throws(ForeignProblem) {
        file.records.append(try record(try Self.named(node, columns), name, &names))
      } catch {
        file.problems.append(error)
      }
    } fault: {
      file.problems.append($0)
    }
    return file
  }

  /// An object with its members under the names of the fields that they are.
  private static func named(_ node: JSONNode, _ columns: ColumnNames) throws(ForeignProblem) -> JSONNode {
    guard let members = node.members else { return node }
    var named: [(key: String, node: JSONNode)] = []
    for member in members {
      let key = columns.field(member.key)
      // The last of two members of one name counts in JSON; of two spellings neither does.
      if key != member.key, named.contains(where: { $0.key == key }) || node[key] != nil {
        throw ForeignProblem(line: member.node.line, "\(key) occurs twice")
      }
      named.append((key, member.node))
    }
    return JSONNode(line: node.line, value: .object(named))
  }

  private static let columns = ["id", "path", "title", "kind", "created", "tags", "body"]

  private static func record(
    _ node: JSONNode, _ file: String, _ names: inout SourceNames
  ) throws(ForeignProblem) -> ForeignRecord {
    let members = node.members ?? []
    let isSlips = node["fields"]?.members != nil
    var record = ForeignRecord(line: node.line, sourceName: "")
    record.title = try text(node, "title")
    record.kind = try text(node, "kind").flatMap { $0 == "note" ? nil : $0 }
    if let created = try text(node, "created") {
      guard let stamp = Timestamp.adopted(created) else {
        throw ForeignProblem(line: node.line, "created: \(created) is not a date")
      }
      record.created = stamp
    }
    record.tags = try tags(node)
    record.body = try text(node, "body").map { Array($0.utf8) }
    for member in members {
      // In slip's form every field is in `fields`; other members are computed.
      guard !isSlips, !columns.contains(member.key), let value = member.node.field else { continue }
      record.fields.append((member.key, value))
      record.plainScalars[member.key] = member.node.plainScalars
    }
    for member in node["fields"]?.members ?? [] {
      guard let value = member.node.field else { continue }
      record.fields.append((member.key, value))
      record.plainScalars[member.key] = member.node.plainScalars
    }
    try name(&record, node, isSlips: isSlips, file, &names)
    return record
  }

  /// Gives a record its id, its path, and its name in the source.
  private static func name(
    _ record: inout ForeignRecord, _ node: JSONNode, isSlips: Bool, _ file: String, _ names: inout SourceNames
  ) throws(ForeignProblem) {
    let id = try text(node, "id").flatMap { $0.isEmpty ? nil : $0 }
    record.id = id.flatMap { NoteID($0) }
    if isSlips {
      record.path = try text(node, "path").map { Array($0.utf8) }
      record.goesByPath = id == nil && record.path != nil
    } else if let path = try text(node, "path") {
      record.fields.append(("path", .text(path)))
    }
    if let id, record.id == nil {
      record.fields.insert(("identifier", .text(id)), at: 0)
      record.proof = "identifier"
      record.sourceName = names.next("json \(file) \(id)")
    } else {
      let title = record.title ?? record.body.map { String(decoding: $0.prefix(200), as: UTF8.self) } ?? ""
      record.sourceName = names.next("json \(file) title \(title)")
    }
  }

  private static func text(_ node: JSONNode, _ key: String) throws(ForeignProblem) -> String? {
    guard let member = node[key] else { return nil }
    if case .null = member.value { return nil }
    guard let text = member.text else {
      throw ForeignProblem(line: member.line, "\(key): expected a string")
    }
    return text
  }

  private static func tags(_ node: JSONNode) throws(ForeignProblem) -> [String] {
    guard let tags = node["tags"] else { return [] }
    if case .null = tags.value { return [] }
    if let text = tags.text { return TagList.tags(in: text) }
    let texts = tags.elements?.compactMap(\.text)
    guard let texts, texts.count == tags.elements?.count else {
      throw ForeignProblem(line: tags.line, "tags: expected a list of strings")
    }
    return texts.filter { !$0.isEmpty }
  }
}
