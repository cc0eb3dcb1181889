import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

@Suite struct PackedConnectionsTests {
  @Test func `connections come out as they went in`() {
    let forms: [BodyScan.Link.Form?] = [nil, .wiki, .embed, .markdown, .image, .reference, .html, .path]
    let targets: [Connection.Target] = [
      .broken, .note(0), .note(123_456), .ambiguous([1, 70_000]), .file(Array("a/\u{FF}.png".utf8) + [0xFF]),
      .url(Array("https://example.org".utf8)),
    ]
    let all = forms.indices.flatMap { form in
      targets.indices.map { target in
        Connection(
          source: 7 * form, form: forms[form], field: [nil, "", "depends on"][target % 3], text: "t\(target)",
          line: form + 1, range: 40 * target..<40 * target + form, target: targets[target])
      }
    }
    let unpacked = PackedConnections(all).connections
    #expect(unpacked.map(String.init(describing:)) == all.map(String.init(describing:)))
    #expect(PackedConnections([]).connections.isEmpty)
  }
}
