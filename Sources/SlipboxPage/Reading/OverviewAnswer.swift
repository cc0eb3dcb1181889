import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The box as a whole: its kinds, filters and tags with their numbers of notes, and what can be undone.
enum OverviewAnswer {
  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let isBrief = try call.argument("brief") == "true"
    let facts = isBrief ? outline(of: moment) : try moment.overview.value { try members(moment, call) }
    let bytes = JSONDocument.object { writer in
      writer.member("name", bytes: BytePath.name(of: moment.snapshot.box.root))
      writer.member("path", bytes: moment.snapshot.box.root)
      writer.member("today", moment.snapshot.clock.today.description)
      writer.member("readOnly", call.box.circumstances.isReadOnly || call.isOfPast)
      writer.key("at")
      if call.isOfPast, let at = call.target.text("at") { writer.string(at) } else { writer.null() }
      writer.members(bytes: facts)
    }
    return .json(bytes).with(PageResponse.stateHeader, call.isOfPast ? call.box.state : moment.state)
  }

  /// What follows from the moment alone, as members of an object.
  private static func members(_ moment: PageMoment, _ call: PageCall) throws -> [UInt8] {
    let snapshot = moment.snapshot
    let facts = try OverviewFacts(
      moment, device: snapshot.box.device(call.box.circumstances.context()), isNow: !call.isOfPast)
    try snapshot.refuseUnreadTexts()
    var writer = JSONWriter()
    writer.object { facts.write(to: &$0) }
    return Array(writer.takeBytes().dropFirst().dropLast())
  }

  /// What the settings alone say, for a page that waits for nothing: as `members`, without numbers, groups and tags.
  private static func outline(of moment: PageMoment) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("brief", true)
      writer.member("kinds", of: moment.snapshot.schema().kinds) { kind, writer in
        KindJSON.write(kind, to: &writer) { OverviewFacts.writeShape(of: kind, to: &$0) }
      }
      writer.member("filters", of: moment.snapshot.allFilters) { filter, writer in
        writer.object { writer in
          writer.member("name", filter.name)
          writer.member("query", filter.query)
        }
      }
    }
    return Array(writer.takeBytes().dropFirst().dropLast())
  }
}
