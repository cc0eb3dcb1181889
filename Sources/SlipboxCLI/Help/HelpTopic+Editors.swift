/// The topic on editors.
extension HelpTopic {
  static let editors = HelpTopic(
    name: "editors", title: "In an editor", summary: "slip lsp in neovim, vim, emacs, helix and VS Code",
    text: """
      slip lsp is a language server: any editor with LSP support completes links, tags
      and fields, shows the target of a link, renames notes with every link to them,
      reports and fixes broken links, and runs the actions of records.

      Neovim 0.8 or later, ~/.config/nvim/ftplugin/markdown.lua:

        vim.lsp.start({
          name = "slip",
          cmd = { "slip", "lsp" },
          root_dir = vim.fs.dirname(vim.fs.find(".slipbox", { upward = true,
            path = vim.fs.dirname(vim.api.nvim_buf_get_name(0)) })[1]),
        })
        vim.api.nvim_create_autocmd({ "FocusGained", "BufEnter", "CursorHold" },
          { buffer = 0, command = "checktime" })

      Vim with ALE, ~/.vim/after/ftplugin/markdown.vim:

        call ale#linter#Define('markdown', {
          \\ 'name': 'slip', 'lsp': 'stdio', 'executable': 'slip',
          \\ 'command': '%e lsp',
          \\ 'project_root': {b -> fnamemodify(
          \\   finddir('.slipbox', expand('#' . b . ':p:h') . ';'), ':h')}})
        let b:ale_linters = ['slip']
        setlocal autoread omnifunc=ale#completion#OmniFunc
        autocmd FocusGained,BufEnter,CursorHold <buffer> checktime

      Emacs with eglot, in the init file:

        (with-eval-after-load 'eglot
          (add-to-list 'eglot-server-programs '(markdown-mode "slip" "lsp")))
        (add-hook 'markdown-mode-hook 'eglot-ensure)
        (add-hook 'markdown-mode-hook 'auto-revert-mode)

      Helix, ~/.config/helix/languages.toml:

        [language-server.slip]
        command = "slip"
        args = ["lsp"]

        [[language]]
        name = "markdown"
        language-servers = ["slip"]
        roots = [".slipbox"]

      VS Code has no client without an extension; one for any server, such as Generic
      LSP Client, takes this in its settings:

        "glspc.server.command": "slip",
        "glspc.server.commandArguments": ["lsp"],
        "glspc.server.languageId": ["markdown"]

      The lines with checktime and auto-revert reload a note that another program
      changed, for example git or an action on a linked record.

      Saving a note does not commit it: the next change or slip commit does. Settings
      of the box or your own:

        lsp.commit  never: not at all; save: each saved note; idle: all saved notes
                    after half a minute without a save
        lsp.links   how completed links name a note: title, id or path; if not set,
                    as most links in the same note do

      Commands for plug-ins (workspace/executeCommand), each with one object:

        slip.new    title, kind, changes (a list of CHANGEs), body; creates a note
        slip.list   query; the notes as slip list --json prints them
        slip.do     action, ref or uri, changes; runs an action of a record
        slip.undo   op; undoes the last change, slip.redo reverses the undo
        slip.daily  day, text; the note of a day
        slip.commit uri; commits saved notes

      """)
}
