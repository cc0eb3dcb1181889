import Bytes
import Notes
import Platform
import Text

/// Kinds of the sources that the box does not declare.
extension ImportPlanning {
  /// Brings the kinds that a folder declares and the box does not know.
  ///
  /// A kind that the box knows stays as it is here; a file with a mistake stays behind. Both are said.
  mutating func addKinds(of folder: ImportFolder) throws(SlipboxError) {
    for file in folder.kinds {
      let place = BytePath.join(Array(folder.name.utf8), file.path)
      let bytes: [UInt8]
      do throws(SlipboxError) {
        bytes = try folder.read(file.path)
      } catch {
        fail(ImportResult.Place(file: Visible.escape(place), line: nil), error.message)
        continue
      }
      let path = String(decoding: file.path, as: UTF8.self)
      guard let name = Schema.kindName(ofFile: path) else { continue }
      if schema.kind(named: name) != nil || broughtKinds.contains(name.lowercased()) {
        if try snapshot.box.bytes(at: file.path) != bytes {
          result.remarks.append(
            "kind \(name) keeps its declaration in the box; \(Visible.escape(place)) differs")
        }
        continue
      }
      let problems = Schema.reading(snapshot.declarations().files + [(path, bytes)]).problems
      guard !problems.contains(where: { $0.file == path }) else {
        result.remarks.append(
          "not imported: \(Visible.escape(place)): it is not a valid kind")
        continue
      }
      if addNew(file.path, bytes, ImportResult.Place(file: Visible.escape(place), line: nil)) {
        broughtKinds.insert(name.lowercased())
        result.remarks.append("kind \(name) is imported, in \(Visible.escape(file.path))")
      }
    }
  }

  /// Says which kinds of imported notes the box does not declare, and what to do.
  mutating func nameUnknownKinds() {
    var counts: [String: Int] = [:]
    for item in result.made + result.changed where !item.note.kind.isEmpty {
      let kind = item.note.kind
      guard schema.kind(named: kind) == nil, !broughtKinds.contains(kind.lowercased()) else { continue }
      counts[kind, default: 0] += 1
    }
    for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
      let name = Visible.escape(kind)
      let notes =
        count == 1
        ? "1 note of this kind becomes a plain note" : "\(count) notes of this kind become plain notes"
      result.remarks.append(
        "the box declares no kind \(name): \(notes) until it is declared in .slipbox/kinds/\(name).yaml (slip kinds --help)"
      )
    }
  }
}
