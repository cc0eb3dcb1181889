/// The objects of a pack that others are changes of and that were needed lately, by their offsets.
///
/// When there are too many, those are forgotten that were not asked for since there were half as many: the beginnings of
/// many chains that a walk over history goes along side by side stay.
struct PackBases {
  private static let keptBytes = 8 << 20

  private var young: [Int: StoredObject] = [:]
  private var old: [Int: StoredObject] = [:]
  private var youngBytes = 0

  /// The object at an offset.
  subscript(offset: Int) -> StoredObject? {
    mutating get {
      if let object = young[offset] { return object }
      guard let object = old[offset] else { return nil }
      keep(object, at: offset)
      return object
    }
  }

  mutating func keep(_ object: StoredObject, at offset: Int) {
    guard object.bytes.count <= 1 << 20 else { return }
    if youngBytes > Self.keptBytes {
      old = young
      young = [:]
      youngBytes = 0
    }
    young[offset] = object
    youngBytes += object.bytes.count
  }
}
