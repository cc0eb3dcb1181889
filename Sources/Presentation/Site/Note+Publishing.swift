import Notes

extension Note {
  /// Whether its front-matter keeps it off a site: `draft: true`, `private: true`, `publish: false`.
  ///
  /// Source: `draft` of Hugo, `published` of Jekyll, `publish` of Obsidian Publish.
  var isUnpublished: Bool {
    frontMatter.fields.contains { field in
      guard let text = field.value.text?.lowercased() else { return false }
      switch field.name.lowercased() {
      case "draft", "private": return ["true", "yes", "on"].contains(text)
      case "publish", "published": return ["false", "no", "off"].contains(text)
      default: return false
      }
    }
  }
}
