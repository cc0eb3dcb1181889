import Notes
package import SlipboxCore
import Text

/// A review as Markdown, to keep as a note: without a title, with links to the notes.
package struct ReviewMarkdown {
  private let review: Review
  private let words: ReviewWords

  package init(_ review: Review) {
    self.review = review
    words = ReviewWords(review: review)
  }

  /// The text, with a line end at its end.
  package var text: String {
    var parts = ["\(words.days): \(words.summary)"]
    for event in review.events {
      parts += part(Self.escaped(ReviewWords.heading(event)), event.items.map(Self.link))
    }
    parts += part(
      "Renamed", review.renamings.map { "\(Self.link($0.item)), before: \(Self.escaped($0.oldTitle))" })
    parts += part("New tags", review.newTags.map { Self.code(Visible.escape($0)) })
    parts += part("New links", review.newLinks.map { "\(Self.link($0.from)) to \(Self.escaped($0.to))" })
    parts += part("Busiest notes", review.busiest.map { "\(Self.link($0.item)), \($0.count) commits" })
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func part(_ title: String, _ rows: [String]) -> [String] {
    rows.isEmpty ? [] : ["## \(title)", rows.map { "- \($0)" }.joined(separator: "\n")]
  }

  /// A wiki link by the id, which holds when the title changes, else by the path; of a note that is gone only the title.
  private static func link(_ item: Review.Item) -> String {
    guard !item.isDeleted, let target = item.id?.description ?? target(of: item.path) else {
      return escaped(item.title)
    }
    // Nothing can be escaped in a wiki link.
    let label = Visible.escape(item.title).map { "[]|\n\t".contains($0) ? " " : $0 }
    return "[[\(target)|\(String(label))]]"
  }

  /// The path as a wiki link names it, without its suffix; nil if a wiki link can't hold it.
  private static func target(of path: [UInt8]) -> String? {
    guard let text = String(validating: path, as: UTF8.self),
      !text.contains(where: { "[]|#^\n\t".contains($0) })
    else { return nil }
    return text.hasSuffix(".md") ? String(text.dropLast(3)) : text
  }

  /// A text in which no character means anything to Markdown.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in Visible.escape(text) {
      if "\\`*_[]<>#&|~".contains(character) { result += "\\" }
      result.append(character == "\t" ? " " : character)
    }
    return result
  }

  /// A tag as code, so that the review does not bear it.
  private static func code(_ tag: String) -> String {
    tag.contains("`") ? "`` \(tag) ``" : "`#\(tag)`"
  }
}

extension Review {
  /// The review as one object.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("first", first.description)
      writer.member("last", last.description)
      writer.member("begins", begins?.description)
      writer.member("commits", commitCount)
      writer.member("notes", noteCount)
      writer.member("adopted", adoptedCount)
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
