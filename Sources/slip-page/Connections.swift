/// The connections that are open, those first that came first. Used on the one event loop alone.
///
/// Where there are too many, the oldest that waits for a request goes: whoever opens thousands and says nothing keeps nobody
/// else out.
final class Connections {
  private static let most = 256

  private var open: [Connection] = []

  /// Takes a connection; another one may have to go for it.
  func add(_ connection: Connection) {
    open.append(connection)
    guard open.count > Self.most else { return }
    let idle = open.first { !$0.hasAsked && $0.isWaiting } ?? open.first { $0.isWaiting } ?? open[0]
    idle.close()
  }

  /// Ends all connections.
  func closeAll() {
    for connection in open { connection.close() }
  }

  func remove(_ connection: Connection) { open.removeAll { $0 === connection } }
}
