import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

/// The parameters of `workspace/executeCommand`.
struct ExecuteParams: Decodable, Sendable {
  let command: String
  let arguments: [JSONValue]?
}

/// The arguments of a command of the server: members of one object.
struct CommandArguments {
  private let command: String
  private let members: [String: JSONValue]

  /// - Throws: if they are no object, or one has a member that the command does not know.
  init(_ params: ExecuteParams, knowing names: Set<String>) throws(ResponseError) {
    command = params.command
    switch params.arguments?.first ?? .null {
    case .object(let members): self.members = members.filter { !$0.value.isNull }
    case .null: members = [:]
    default: throw ResponseError(.invalidParams, "\(command) takes one object with its arguments by name")
    }
    if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
      let known = names.sorted().joined(separator: ", ")
      throw ResponseError(
        .invalidParams, "\(command) takes no \(Visible.escape(unknown)); it takes \(known)")
    }
  }

  subscript(_ name: String) -> JSONValue { members[name] ?? .null }

  /// A text; nil if there is none of that name.
  func text(_ name: String) throws(ResponseError) -> String? {
    guard let value = members[name] else { return nil }
    guard let text = value.string else { throw refusal("\(name) must be a string") }
    return text
  }

  /// A text that has to be there.
  func required(_ name: String, _ example: String) throws(ResponseError) -> String {
    guard let text = try text(name), !text.isEmpty else {
      throw refusal("\(name) is missing, such as {\"\(name)\": \"\(example)\"}")
    }
    return text
  }

  /// Texts in a list, or a single one; empty without a text of that name.
  func texts(_ name: String) throws(ResponseError) -> [String] {
    guard let value = members[name] else { return [] }
    if let text = value.string { return [text] }
    guard case .array(let elements) = value, elements.allSatisfy({ $0.string != nil }) else {
      throw refusal("\(name) must be a string or a list of strings")
    }
    return value.strings
  }

  func flag(_ name: String) throws(ResponseError) -> Bool {
    guard let value = members[name] else { return false }
    guard let flag = value.boolean else { throw refusal("\(name) must be true or false") }
    return flag
  }

  /// CHANGEs, such as `due:friday` and `+work`.
  func changes() throws -> [Change] {
    let changes = try texts("changes").map { word throws(ResponseError) in
      guard let change = Change(word) else {
        throw refusal("\(Visible.escape(word)) is not a change; use field:value, field:, +tag or -tag")
      }
      return change
    }
    try Change.refuseQueryTerms(changes)
    try Change.refuseRepeated(changes)
    return changes
  }

  func refusal(_ message: String) -> ResponseError {
    ResponseError(.invalidParams, "\(command): \(message)")
  }
}

extension CommandArguments {
  /// The box that a command is about: that of `uri` or `box`, else the only one of the client.
  func box(_ request: Request) throws(ResponseError) -> OpenBox {
    if let uri = try text("uri") {
      guard let path = DocumentURI.path(uri),
        let box = request.boxes.box(of: path)?.box ?? request.boxes.box(at: path)
      else { throw refusal("\(Visible.escape(uri)) is not in a box") }
      return box
    }
    if let name = try text("box") {
      guard let path = DocumentURI.path(name) ?? (name.hasPrefix("/") ? Array(name.utf8) : nil),
        let box = request.boxes.box(at: path)
      else { throw refusal("\(Visible.escape(name)) is not a box; give its path or URI") }
      return box
    }
    let boxes = request.boxes.all
    guard let box = boxes.first else { throw refusal("no box is open; give box or uri") }
    guard boxes.count == 1 else { throw refusal("\(boxes.count) boxes are open; give box or uri") }
    return box
  }

  /// The notes that `ref` or `refs` name, else the one of `uri`.
  func entries(_ delivery: ChangeDelivery) throws -> [Entry] {
    let references = try texts("ref")
    let snapshot = delivery.view.snapshot
    if !references.isEmpty { return try NoteLookup(in: snapshot).entries(references, fuzzy: false) }
    guard let uri = try text("uri") else { throw refusal("the note is missing: give ref or uri") }
    guard let path = DocumentURI.path(uri), let place = delivery.request.boxes.box(of: path),
      let entry = try snapshot.catalogue().entry(path: place.path)
    else { throw refusal("\(Visible.escape(uri)) is not a note of a box") }
    return [entry]
  }
}
