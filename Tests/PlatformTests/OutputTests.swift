import Glibc
import Platform
import SlipboxTesting
import Testing

@Suite struct OutputTests {
  @Test func writesEverythingInOrder() throws {
    let folder = try TemporaryFolder()
    let file = open(folder.path + "/out", O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    let output = Output(descriptor: file)
    var expected: [UInt8] = []
    for number in 0..<20_000 {
      output.write("line \(number) é\n")
      expected += b("line \(number) é\n")
    }
    let big = [UInt8](repeating: 7, count: 200_000)
    output.write(big)
    output.write(big.dropFirst(3))
    expected += big + big.dropFirst(3)
    try output.flush()
    #expect(folder.read("out") == expected)
  }

  @Test func tellsOfAFullDevice() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let output = Output(descriptor: full)
    output.write("x")
    #expect(failure { () throws(SystemError) in try output.flush() }?.code == ENOSPC)
    #expect(failure { () throws(SystemError) in try output.flush() } == nil)
    output.write([UInt8](repeating: 65, count: 200_000))
    output.write("later")
    #expect(failure { () throws(SystemError) in try output.flush() }?.code == ENOSPC)
  }
}
