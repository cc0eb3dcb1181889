extension ObjectID {
  /// The name that a blob of these bytes has, as they are: no filter is asked.
  package init(ofBlob bytes: [UInt8]) { self = SHA1.objectID(kind: "blob", bytes) }
}
