-- Opens a script of an extension in a headless Neovim, applies the fix at a place, and writes what a user sees.
-- Its input is in the environment variable EXTLINT_TEST, as JSON. `test_neovim.py` runs it.

local task = vim.fn.json_decode(vim.env.EXTLINT_TEST)
local result = {screens = {}, titles = {}}

vim.o.columns = 120
vim.o.lines = 12
vim.diagnostic.config({virtual_text = true})

local function capture()
  vim.cmd("redraw!")
  local lines = {}
  for row = 1, vim.o.lines do
    local cells = {}
    for column = 1, vim.o.columns do
      table.insert(cells, vim.fn.screenstring(row, column))
    end
    table.insert(lines, table.concat(cells))
  end
  table.insert(result.screens, table.concat(lines, "\n"))
end

local function finish(failure)
  result.failure = failure
  vim.fn.writefile({vim.fn.json_encode(result)}, task.output)
  vim.cmd("qa!")
end

local function wait(what, condition)
  if not vim.wait(task.milliseconds, condition, 20) then
    capture()
    finish("still waiting for " .. what)
  end
end

vim.ui.select = function(items, options, choose)
  for _, item in ipairs(items) do
    local title = options.format_item(item)
    table.insert(result.titles, title)
    if title == task.title then
      return choose(item)
    end
  end
  finish("no such fix")
end

vim.cmd("edit " .. task.file)
wait("diagnostics", function() return #vim.diagnostic.get(0) == task.before end)
capture()

vim.fn.search(task.place)
local tick = vim.b.changedtick
vim.lsp.buf.code_action()
wait("the fix", function() return vim.b.changedtick ~= tick end)
wait("the diagnostics after it", function()
  local found = vim.diagnostic.get(0)
  for _, each in ipairs(found) do
    if each.message:find(task.place) then
      return false
    end
  end
  return #found == task.after
end)
capture()
finish()
