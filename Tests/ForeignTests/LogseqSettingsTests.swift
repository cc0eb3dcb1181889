import Foreign
import Testing

@Suite struct LogseqSettingsTests {
  private func read(_ text: String) -> LogseqSettings { LogseqSettings(Array(text.utf8)) }

  @Test func readsSettings() {
    let settings = read(
      """
      {:meta/version 1 ; a remark with :pages-directory "no"
       ;; :journal/page-title-format "yyyy"
       :pages-directory "notes",:journals-directory "days"
       :journal/page-title-format "E, dd.MM.yyyy 'at' do"
       :journal/file-name-format "yyyy_MM_dd"
       :commands [["js" "a \\"b\\""]]
       :macros {"x" {:file/name-format :legacy}}
       :file/name-format :triple-lowbar}
      """)
    #expect(!settings.hasLegacyNames && settings.pages == "notes" && settings.journals == "days")
    #expect(settings.journalTitle == "ddd, DD.MM.YYYY [at] Do" && settings.journalName == "YYYY_MM_DD")
  }

  @Test(arguments: ["", "{}", "{:file/name-format :legacy}", "{", "}{:x"]) func hasStandards(text: String) {
    let settings = read(text)
    #expect(settings.hasLegacyNames && settings.pages == nil && settings.journalTitle == nil)
  }

  @Test func refusesFormatsWithOtherWords() {
    #expect(read("{:journal/page-title-format \"QQQ yyyy\"}").journalTitle == nil)
  }
}
