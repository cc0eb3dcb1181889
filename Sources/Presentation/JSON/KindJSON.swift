package import Notes

/// The declarations of kinds as JSON: what programs need to offer fields and actions.
package enum KindJSON {
  /// A list of kinds.
  package static func list(_ kinds: [Kind]) -> [UInt8] { JSONDocument.list("kinds", kinds, write) }

  private static func write(_ kind: Kind, to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, value) in [
        ("name", kind.name), ("comment", kind.comment), ("active", kind.active), ("match", kind.match),
        ("key", kind.key), ("sort", kind.sort),
      ] {
        writer.member(name, value)
      }
      writer.member("fields", of: kind.fields, write)
      writer.key("actions")
      writer.object { writer in
        for action in kind.actions { writer.member(action.name, of: action.words) { $1.string($0) } }
      }
    }
  }

  private static func write(_ field: Field, to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, value) in [
        ("name", field.name), ("type", field.type.rawValue), ("default", field.defaultValue),
        ("target", field.target),
      ] {
        writer.member(name, value)
      }
      if field.isList { writer.member("list", true) }
      if field.isRequired { writer.member("required", true) }
      writer.member("minimum", field.minimum)
      writer.member("maximum", field.maximum)
      if !field.values.isEmpty { writer.member("values", of: field.values) { $1.string($0) } }
    }
  }
}
