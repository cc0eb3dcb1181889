-- A neovim with the server and nothing else. The test types keys and calls the functions below.
vim.o.swapfile = false
vim.o.hidden = true
vim.o.autoread = true
vim.o.completeopt = "menu,menuone"
vim.cmd("filetype on")

local client
Failures = {}

local function attach(event)
  if not event.match:match("%.md$") then return end
  client = client or vim.lsp.start_client({
    name = "slip", cmd = { vim.env.SLIP, "lsp" }, root_dir = vim.fn.getcwd(),
    on_exit = function(code, signal) if signal ~= 0 then table.insert(Failures, "ended by " .. signal) end end,
    on_error = function(code, why) table.insert(Failures, vim.inspect(why)) end,
  })
  vim.lsp.buf_attach_client(event.buf, client)
  vim.bo[event.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
end
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { callback = attach })

function IsReady() return vim.lsp.buf_is_attached(0, client) and #vim.lsp.buf_get_clients(0) > 0 end

-- The first action whose title has a word; the titles are kept for a message.
Titles = {}
local wanted
vim.ui.select = function(items, options, choose)
  Titles = {}
  local found
  for number, item in ipairs(items) do
    local title = options.format_item and options.format_item(item) or tostring(item)
    table.insert(Titles, title)
    if not found and title:lower():find(wanted:lower(), 1, true) then found = number end
  end
  choose(found and items[found], found)
end

function Act(word)
  wanted = word
  Titles = {}
  -- Where there is but one action, neovim asks too.
  vim.lsp.buf.code_action()
  return true
end

function Text(name)
  local buffer = vim.fn.bufnr(name)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
end

function Run(command)
  vim.lsp.buf.execute_command({ command = command, arguments = {} })
  return true
end

function Quickfix()
  local found = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    table.insert(found, vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ":t") .. ":" .. item.text)
  end
  return table.concat(found, "\n")
end

function Diagnostics() return #vim.diagnostic.get(0) end

function Messages() return vim.fn.execute("messages") end
