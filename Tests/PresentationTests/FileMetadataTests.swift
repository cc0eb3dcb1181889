import Bytes
import Testing

@testable import Presentation

/// Pictures and films lose their metadata and keep everything else.
@Suite struct FileMetadataTests {
  private static func removed(_ bytes: [UInt8]) -> [UInt8] { FileMetadata.removed(from: bytes) }

  @Test func aGIFKeepsItsPicturesAndRepetitions() {
    let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [1, 2, 3, 4, 5, 6]
    let loop = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    let xmp = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [4] + Array("xyzz".utf8) + [0]
    let comment = [0x21, 0xFE, 5] + Array("xyzzy".utf8) + [0]
    let control: [UInt8] = [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
    let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0]
    let trailer = [0x3B] + Array("xyzzy".utf8)
    #expect(
      Self.removed(head + loop + xmp + comment + control + image + trailer) == head + loop + control + image
        + [0x3B])
    #expect(Self.removed(head + comment.prefix(4)) == head + [0x3B])
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 8
    return [0, 0, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(type.utf8) + content
  }

  @Test func anAVIFKeepsItsPlaces() {
    let exif = Array("xyzzyexif".utf8)
    let pixels: [UInt8] = [9, 8, 7]
    let item = { (id: UInt8, type: String) in
      Self.box("infe", [2, 0, 0, 0, 0, id, 0, 0] + Array(type.utf8) + [0])
    }
    let info = Self.box("iinf", [0, 0, 0, 0, 0, 2] + item(1, "av01") + item(2, "Exif"))
    func file(_ data: Int) -> [UInt8] {
      let place = { (id: UInt8, offset: Int, length: Int) -> [UInt8] in
        [0, id, 0, 0, 0, 1, 0, 0, UInt8(offset >> 8), UInt8(offset & 0xFF), 0, 0, 0, UInt8(length)]
      }
      let places = Self.box(
        "iloc",
        [0, 0, 0, 0, 0x44, 0, 0, 2] + place(1, data, pixels.count) + place(2, data + pixels.count, exif.count)
      )
      let meta = Self.box("meta", [0, 0, 0, 0] + info + places)
      return Self.box("ftyp", Array("avif".utf8) + [0, 0, 0, 0]) + meta + Self.box("mdat", pixels + exif)
    }
    let length = file(0).count
    let whole = file(length - pixels.count - exif.count)
    let clean = Self.removed(whole)
    #expect(clean == whole.dropLast(exif.count) + [UInt8](repeating: 0, count: exif.count))
    // Every cut of the file is read without a fault.
    for count in whole.indices { _ = Self.removed(Array(whole[..<count])) }
  }

  /// An item of EXIF stays one that decoders read; bytes behind the last box go.
  @Test func anAVIFKeepsAnEmptyBlockOfEXIF() {
    let exif = Array("\0\0\0\0MM\0*xyzzyexifxyzzyexif".utf8)
    let info = Self.box(
      "iinf", [0, 0, 0, 0, 0, 1] + Self.box("infe", [2, 0, 0, 0, 0, 2, 0, 0] + Array("Exif".utf8) + [0]))
    func file(_ data: Int) -> [UInt8] {
      let place: [UInt8] = [0, 2, 0, 0, 0, 1, 0, 0, UInt8(data >> 8), UInt8(data & 0xFF), 0, 0, 0]
      let places = Self.box("iloc", [0, 0, 0, 0, 0x44, 0, 0, 1] + place + [UInt8(exif.count)])
      let meta = Self.box("meta", [0, 0, 0, 0] + info + places)
      return Self.box("ftyp", Array("avif".utf8) + [0, 0, 0, 0]) + meta + Self.box("mdat", exif)
    }
    let whole = file(file(0).count - exif.count)
    let empty: [UInt8] =
      [0, 0, 0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0] + [UInt8](repeating: 0, count: exif.count - 12)
    #expect(Self.removed(whole + Array("xyzzyjunk".utf8)) == whole.dropLast(exif.count) + empty)
    #expect(Self.removed(whole + [1, 2]) == whole.dropLast(exif.count) + empty)
    // Data of a film that are cut off stay.
    let cut = Self.box("ftyp", Array("isom".utf8) + [0, 0, 0, 0]) + [0, 0, 9, 9] + Array("mdatabc".utf8)
    #expect(Self.removed(cut) == cut)
  }

  @Test func picturesInAnSVGLoseTheirMetadata() {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, 7] + Array("xyzzy".utf8) + [0xFF, 0xD9]
    let clean: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    func svg(_ data: String) -> String {
      "<svg><image href=\"data:image/jpeg;base64,\(data)\"/><image href='data:image/png;base64,AAAA'/></svg>"
    }
    let lines = Base64.encoded(jpeg).map { "\($0)" }.joined(separator: "\n")
    for data in [
      Base64.encoded(jpeg), lines, lines.replacing("\n", with: "&#10;"),
      Base64.encoded(jpeg).replacing("/", with: "%2F"),
    ] {
      let text = String(decoding: Self.removed(Array(svg(data).utf8)), as: UTF8.self)
      #expect(text == svg(Base64.encoded(clean)), "\(text)")
    }
    let inner = Base64.encoded(Array("<svg><!-- xyzzy --><g/></svg>".utf8))
    let outer = "<svg><image href=\"data:image/svg+xml;base64,\(inner)\"/></svg>"
    let expected = "data:image/svg+xml;base64,\(Base64.encoded(Array("<svg><g/></svg>".utf8)))"
    #expect(String(decoding: Self.removed(Array(outer.utf8)), as: UTF8.self).contains(expected))
    let encoded = "<svg><image href='data:image/svg+xml,%3Csvg%3E%3C!-- xyzzy --%3E%3C/svg%3E'/></svg>"
    #expect(!String(decoding: Self.removed(Array(encoded.utf8)), as: UTF8.self).contains("xyzzy"))
  }

  @Test func aPNGKeepsItsOrientation() {
    func chunk(_ name: String, _ content: [UInt8], _ sum: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(content.count)] + Array(name.utf8) + content + sum
    }
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let little: [UInt8] = [
      0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
    ]
    let exif = chunk("eXIf", little + Array("xyzzy".utf8), [1, 2, 3, 4])
    let end = chunk("IEND", [], [0xAE, 0x42, 0x60, 0x82])
    // The checksum is that of zlib.
    let kept = chunk(
      "eXIf",
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0],
      [0xD6, 0x67, 0x4B, 0x69])
    #expect(Self.removed(head + exif + end) == head + kept + end)
    #expect(Self.removed(head + chunk("eXIf", Array("xyzzy".utf8), [1, 2, 3, 4]) + end) == head + end)
  }

  @Test func aFilmHasNoPlaceOfItsOwn() {
    let film =
      Self.box("ftyp", Array("isom".utf8) + [0, 0, 0, 0])
      + Self.box("moov", Self.box("mvhd", [1, 2]) + Self.box("udta", Array("xyzzy+52.5".utf8)))
    let clean = Self.removed(film)
    #expect(clean.count == film.count && !String(decoding: clean, as: UTF8.self).contains("xyzzy"))
    #expect(String(decoding: clean, as: UTF8.self).contains("free"))
  }

  @Test(
    arguments: [
      (
        "<!-- x --><svg><metadata><a>x</a></metadata><path d=\"M0 0\"/></svg>",
        "<svg><path d=\"M0 0\"/></svg>"
      ),
      ("<?xml version=\"1.0\"?><?x y?><svg><metadata/><g/></svg>", "<?xml version=\"1.0\"?><svg><g/></svg>"),
      (
        "<svg><title>x</title><g aria-label=\"x\"><svg:desc>x<b>x</b></svg:desc><path/></g></svg>",
        "<svg><g ><path/></g></svg>"
      ),
      (
        "<svg inkscape:export-filename=\"/home/me/a > b.png\" sodipodi:docname='a.svg' width=\"1\"/>",
        "<svg   width=\"1\"/>"
      ),
      (
        "<svg p:docname='/home/a.svg' absref='/home/a.png'><image x:href=' File:///home/a' y=\"1\"/></svg>",
        "<svg  ><image  y=\"1\"/></svg>"
      ),
      (
        "<svg><a:xmpmeta><r:RDF>x</r:RDF></a:xmpmeta><s:namedview><s:namedview/>x</s:namedview><g/></svg>",
        "<svg><g/></svg>"
      ),
      ("<svg><m:metadata><m:metadata>x</m:metadata><!--</m:metadata>-->x</m:metadata></svg>", "<svg></svg>"),
      ("<svg><use href=\"#file:\"/><image xlink:href=\"a.png\"/></svg>", nil),
      ("<svg><text title=\"a -- b\">x:y</text><![CDATA[<!-- kept -->]]></svg>", nil), ("no <svg", nil),
      ("<p>text</p>", nil),
      ("<svg><scr rdf:x=\"\"ipt/></svg>", "<svg><scr ipt/></svg>"), ("<svg><!-- open", "<svg>"),
    ] as [(String, String?)]) func anSVGHasItsDrawingAlone(source: String, expected: String?)
  {
    #expect(String(decoding: Self.removed(Array(source.utf8)), as: UTF8.self) == expected ?? source)
  }
}
