/// Sets of documents as ascending lists.
enum DocumentLists {
  /// Returns the documents of both lists.
  ///
  /// - Complexity: O(n · log(m / n)) for n in the shorter and m in the longer one.
  static func intersection(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    var result: [UInt32] = []
    var start = 0
    for document in short {
      start = first(from: document, in: long, after: start)
      if start == long.count { break }
      if long[start] == document { result.append(document) }
    }
    return result
  }

  /// Returns the documents of either list.
  ///
  /// - Complexity: O(n).
  static func union(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    var result: [UInt32] = []
    result.reserveCapacity(left.count + right.count)
    var (first, second) = (0, 0)
    while first < left.count, second < right.count {
      let (one, other) = (left[first], right[second])
      result.append(min(one, other))
      if one <= other { first += 1 }
      if other <= one { second += 1 }
    }
    return result + left[first...] + right[second...]
  }

  /// Returns the documents of the first list that are not in the second.
  ///
  /// - Complexity: O(n · log m).
  static func difference(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var start = 0
    for document in left {
      start = first(from: document, in: right, after: start)
      if start == right.count || right[start] != document { result.append(document) }
    }
    return result
  }

  /// Returns all documents below a count that are not in a list.
  ///
  /// - Complexity: O(n).
  static func complement(_ list: [UInt32], documentCount: Int) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(max(documentCount - list.count, 0))
    var next = 0
    for document in 0..<UInt32(clamping: documentCount) {
      if next < list.count, list[next] == document { next += 1 } else { result.append(document) }
    }
    return result
  }

  /// The index of the first document not before `document`, looked for in steps that grow.
  static func first(from document: UInt32, in list: [UInt32], after start: Int) -> Int {
    var (low, step) = (start, 1)
    while low + step < list.count, list[low + step] < document {
      low += step
      step *= 2
    }
    var high = min(low + step + 1, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < document { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
