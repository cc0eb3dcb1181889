import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

@Suite struct OperationIDTests {
  @Test func isReadAsItIsWritten() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<100 {
      let id = OperationID.random(using: &random)
      #expect(id.description.utf8.count == 16)
      #expect(OperationID(id.description) == id)
    }
    #expect(OperationID("pvmnkdztszrfxztk")?.description == "pvmnkdztszrfxztk")
  }

  @Test(arguments: [
    "", "pvmnkdzt", "pvmnkdztszrfxzt", "pvmnkdztszrfxztkk", "Pvmnkdztszrfxztk", "pvmnkdztszrfxzta",
    " pvmnkdztszrfxztk", "pvmnkdztszrfxz\u{301}",
  ])
  func refusesWhatIsNotSpelledSo(_ text: String) { #expect(OperationID(text) == nil) }
}
