/// Recurring tasks and their instances, which taskwarrior keeps beside each other.
struct RecurringTasks {
  /// Of each recurring task the open instance that is due last.
  private var latest: [String: (uuid: String, due: String)] = [:]
  private var open: Set<String> = []
  /// By their names.
  private var recurring: [String: JSONNode] = [:]
  private var last: Set<String> = []

  init(_ nodes: [JSONNode]) {
    for node in nodes {
      guard let uuid = node["uuid"]?.text, let status = node["status"]?.text else { continue }
      if status == "recurring" { recurring[uuid] = node }
      guard status == "pending" || status == "waiting", let parent = node["parent"]?.text else { continue }
      open.insert(uuid)
      let due = node["due"]?.text ?? ""
      if let known = latest[parent], known.due >= due { continue }
      latest[parent] = (uuid, due)
    }
    last = Set(latest.values.map(\.uuid))
  }

  /// How many recurring tasks stand in an instance of theirs.
  var templates: Int { recurring.count { latest[$0.key] != nil } }

  /// The recurring task that an instance belongs to.
  func template(of instance: JSONNode) -> JSONNode? { instance["parent"]?.text.flatMap { recurring[$0] } }

  /// Whether a recurring task has an open instance.
  func hasInstance(_ uuid: String?) -> Bool { uuid.map { latest[$0] != nil } ?? false }

  /// Whether an instance has one after it, which recurs in its place.
  func hasSuccessor(_ uuid: String?) -> Bool {
    guard let uuid, open.contains(uuid) else { return false }
    return !last.contains(uuid)
  }
}
