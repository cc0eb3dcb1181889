/// Places of a word, in one document or several.
final class PlaceList {
  private var places: UnsafeMutablePointer<UInt32>
  private var capacity = 1024
  private(set) var count = 0

  init() { places = .allocate(capacity: capacity) }

  deinit { places.deallocate() }

  @inline(__always)
  func append(_ place: UInt32) {
    if count == capacity { grow(count &+ 1) }
    places[count] = place
    count &+= 1
  }

  func append(_ others: UnsafeBufferPointer<UInt32>) {
    guard let start = others.baseAddress else { return }
    reserve(count + others.count)
    (places + count).update(from: start, count: others.count)
    count += others.count
  }

  /// Makes room for so many places in all.
  func reserve(_ total: Int) {
    if total > capacity { grow(total) }
  }

  @inline(never)
  private func grow(_ total: Int) {
    capacity = max(capacity * 2, total)
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    larger.update(from: places, count: count)
    places.deallocate()
    places = larger
  }

  func removeAll() { count = 0 }

  /// Forgets all places from a certain one on.
  func keep(_ count: Int) { self.count = min(self.count, count) }

  func sort() {
    var places = contents
    places.sort()
  }

  var contents: UnsafeMutableBufferPointer<UInt32> { UnsafeMutableBufferPointer(start: places, count: count) }
}
