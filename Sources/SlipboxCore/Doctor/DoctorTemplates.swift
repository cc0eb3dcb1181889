import Notes
import Text

/// Files and settings by which notes can't be made.
extension BoxSnapshot {
  /// Templates with a fault, each with its first one.
  func templateFindings() -> [Finding] {
    templateNames().compactMap { name in
      let path = Self.templatesFolder + Array("/\(name).md".utf8)
      // What can't be read now is found where a note is made by it.
      guard let bytes = (try? bytes(at: path)) ?? nil else { return nil }
      do throws(Problem) {
        _ = try NoteTemplate(bytes)
        return nil
      } catch {
        return Finding(
          .declarations, path, line: error.line, error.message,
          remedy: "edit the file; see slip help templates")
      }
    }
  }

  /// Settings of the box that will not do.
  func settingFindings() -> [Finding] {
    // A file that can't be opened stops every command with its own words.
    if let bytes = (try? bytes(at: Settings.boxFile)) ?? nil, let problem = Settings(bytes).problem {
      return [
        Finding(
          .declarations, Settings.boxFile, line: problem.line, column: problem.column,
          Visible.escape(problem.message), remedy: "edit the file; until then only doctor reads this box")
      ]
    }
    return Settings.keys.compactMap { key in
      guard !key.isUserOnly, let value = settings[key.name],
        let problem = Settings.problem(in: value, of: key.name)
      else { return nil }
      return Finding(
        .declarations, Settings.boxFile, "\(key.name): \(Visible.escape(value))\(problem.message)",
        remedy: "slip config \(key.name) VALUE")
    }
  }
}
