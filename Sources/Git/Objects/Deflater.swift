import Bytes
import CLibgit2

/// Packs bytes as zlib streams, one after another with the same memory.
final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private var room: [UInt8] = []

  /// Nil where there is no memory for it.
  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // As git for loose objects: notes are small, and `git gc` packs them better.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard deflateInit_(stream, Z_BEST_SPEED, ZLIB_VERSION, size) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Lends the stream of some bytes after others; nil where they are too many.
  func withStream<Result, Failure>(
    of head: [UInt8], _ body: [UInt8], _ lend: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard body.count <= Int(Int32.max) else { return nil }
    deflateReset(stream)
    let limit = Int(deflateBound(stream, UInt(head.count + body.count))) + 64
    if room.count < limit { room = [UInt8](repeating: 0, count: limit) }
    let isWhole = room.withUnsafeMutableBufferPointer { room in
      stream.pointee.next_out = room.baseAddress
      stream.pointee.avail_out = UInt32(clamping: room.count)
      return feed(head, Z_NO_FLUSH) == Z_OK && feed(body, Z_FINISH) == Z_STREAM_END
    }
    guard isWhole else { return nil }
    let count = Int(stream.pointee.total_out)
    let filled = room
    return try filled.span.withUnsafeBytes { (bytes) throws(Failure) in try lend(bytes[rebased: 0..<count]) }
  }

  private func feed(_ bytes: [UInt8], _ flush: Int32) -> Int32 {
    bytes.withUnsafeBytes { source in
      let start = UnsafeMutableRawPointer(mutating: source.baseAddress)
      stream.pointee.next_in = start?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_in = UInt32(clamping: source.count)
      return bytes.isEmpty && flush == Z_NO_FLUSH ? Z_OK : deflate(stream, flush)
    }
  }
}
