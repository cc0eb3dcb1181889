import Notes
package import SlipboxCore

extension Review {
  /// The review as one object.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("first", first.description)
      writer.member("last", last.description)
      writer.member("begins", begins?.description)
      writer.member("commits", commitCount)
      writer.member("notes", noteCount)
      writer.member("events", of: events) { event, writer in
        writer.object { writer in
          writer.member("what", event.what.rawValue)
          writer.member("action", event.action)
          writer.member("kind", event.kind)
          writer.member("notes", of: event.items) { item, writer in writer.object { item.write(to: &$0) } }
        }
      }
      writer.member("renamed", of: renamings) { renaming, writer in
        writer.object { writer in
          renaming.item.write(to: &writer)
          writer.member("old", renaming.oldTitle)
        }
      }
      writer.key("tags")
      writer.strings(newTags)
      writer.member("links", of: newLinks) { link, writer in
        writer.object { writer in
          writer.key("from")
          writer.object { link.from.write(to: &$0) }
          writer.member("to", link.to)
        }
      }
      writer.member("busiest", of: busiest) { busy, writer in
        writer.object { writer in
          busy.item.write(to: &writer)
          writer.member("commits", busy.count)
        }
      }
      writer.member("days", of: days.sorted { $0.key < $1.key }) { day, writer in
        writer.object { writer in
          writer.member("date", day.key.description)
          writer.member("commits", day.value)
        }
      }
    }
  }
}

extension Review.Item {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("id", id?.description)
    writer.member("path", bytes: path)
    writer.member("title", title)
    writer.member("kind", kind)
    if isDeleted { writer.member("deleted", true) }
  }
}
