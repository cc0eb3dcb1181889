import Git
import Notes
import SlipboxCore

extension PastDeletion {
  /// Writes the deletion as a member of the note's object.
  func write(to writer: inout JSONWriter) {
    writer.key("deleted")
    writer.object { writer in
      writer.member("time", time.rfc3339)
      writer.member("commit", commit.hex)
      writer.member("command", command)
    }
  }
}
