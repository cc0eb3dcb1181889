/// A command that the client may have the server run.
struct ClientCommand: Codable, Sendable {
  let title: String
  let command: String
  let arguments: [JSONValue]?
}

/// The commands of the server.
enum ServerCommand: String, CaseIterable, Sendable {
  case new = "slip.new"
  case list = "slip.list"
  case act = "slip.do"
  case undo = "slip.undo"
  case daily = "slip.daily"
  case commit = "slip.commit"
}
