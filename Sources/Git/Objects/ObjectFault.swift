/// A file of git's objects that is damaged, or an object that is needed and can't be read.
package struct ObjectFault: Sendable, Equatable {
  /// What is wrong.
  package enum What: Sendable, Equatable {
    /// A pack whose bytes are not those that were written.
    case pack
    /// The index of a pack is missing, damaged, or that of another one; it can be made again from the pack.
    case packIndex
    /// A file of one object does not hold what its name says.
    case loose(ObjectID)
    /// An object that HEAD needs is nowhere.
    case missing(ObjectID)
    /// An object that HEAD needs is in a pack and can't be read there.
    case unreadable(ObjectID)
    /// More objects are faulty than are named.
    case more
  }

  /// What HEAD has the object for.
  package enum Use: Sendable, Equatable {
    /// The commit of HEAD or one before it.
    case commit
    /// The list of the files in a folder, named from the root of the repository.
    case folder([UInt8])
    /// The content of a file, named from the root of the repository.
    case file([UInt8])
  }

  package let what: What
  /// The file that is at fault; nil for an object that is nowhere.
  package let file: [UInt8]?
  /// Nil for objects that are not needed for HEAD's files, as far as was looked.
  package internal(set) var use: Use?
}
