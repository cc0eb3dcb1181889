import Bytes
import CLibgit2

/// Unpacks zlib streams, one after another with the same memory.
final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>

  /// nil if there is no memory for it.
  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Begins a stream at the beginning of some bytes.
  ///
  /// The bytes must not move until the last call of `fill`.
  func begin(_ source: UnsafeRawBufferPointer) {
    inflateReset(stream)
    let start = UnsafeMutableRawPointer(mutating: source.baseAddress)
    stream.pointee.next_in = start?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(clamping: source.count)
  }

  /// Unpacks until the room is full or the stream ends; nil if the stream is broken or cut short.
  func fill(_ room: UnsafeMutableRawBufferPointer) -> Int? {
    guard let start = room.baseAddress, room.count > 0 else { return 0 }
    stream.pointee.next_out = start.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: room.count)
    let status = inflate(stream, Z_SYNC_FLUSH)
    let filled = min(room.count, Int(UInt32.max)) - Int(stream.pointee.avail_out)
    return status == Z_STREAM_END || status == Z_OK && stream.pointee.avail_out == 0 ? filled : nil
  }

  /// Whether the stream ends here, with the right sum.
  func isAtEnd() -> Bool {
    var spare: UInt8 = 0
    return withUnsafeMutableBytes(of: &spare) { room in
      stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = 1
      return inflate(stream, Z_SYNC_FLUSH) == Z_STREAM_END && stream.pointee.avail_out == 1
    }
  }

  /// Whether nothing of the bytes of the last stream is left.
  var hasTakenAll: Bool { stream.pointee.avail_in == 0 }

  /// Unpacks a stream of known length; nil if it is another or broken.
  func bytes(of source: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
    guard Self.isPlausible(count, from: source.count) else { return nil }
    begin(source)
    return rest(count, after: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Unpacks the rest of a stream of known length, after the part that was unpacked before; nil if
  /// the length differs or the stream is broken.
  func rest(_ count: Int, after begun: UnsafeRawBufferPointer) -> [UInt8]? {
    guard begun.count <= count else { return nil }
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      let room = UnsafeMutableRawBufferPointer(room)
      room.copyMemory(from: begun)
      let got = fill(UnsafeMutableRawBufferPointer(rebasing: room[begun.count..<count]))
      isWhole = got == count - begun.count && isAtEnd()
      filled = begun.count + (got ?? 0)
    }
    return isWhole ? bytes : nil
  }

  /// Longer streams are not read here.
  static let longest = Int(Int32.max)

  /// Whether a stream can be so long: zlib packs no better than 1 to 1,032.
  static func isPlausible(_ count: Int, from packed: Int) -> Bool {
    count >= 0 && count <= longest && count / 1_100 <= packed
  }
}

/// Packs bytes as zlib streams, one after another with the same memory.
final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private var room: [UInt8] = []

  /// nil if there is no memory for it.
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

  /// Lends the stream of some bytes after others; nil if they are too many.
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
