import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The box as a whole: its kinds, filters and tags with their numbers of notes, and what can be undone.
enum OverviewAnswer {
  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    let facts = try moment.overview.value { try members(moment, call) }
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
      moment, device: call.box.circumstances.context().device, isNow: !call.isOfPast)
    try snapshot.refuseUnreadTexts()
    var writer = JSONWriter()
    writer.object { facts.write(to: &$0) }
    return Array(writer.takeBytes().dropFirst().dropLast())
  }
}
