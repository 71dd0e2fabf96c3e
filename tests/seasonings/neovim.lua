-- Neovim as the host of a plugin: prints what the plugin answers, as JSON.
local id = vim.fn.jobstart(vim.fn.json_decode(vim.env.PLUGIN), { rpc = true })
local function call(method, ...)
  local ok, answer = pcall(vim.rpcrequest, id, method, ...)
  io.stderr:write(vim.fn.json_encode({ ok, answer }) .. "\n")
end
call("init", { protocol_version = "1.0", host = { name = "nvim", version = "0" } })
call("ping")
call("functions.call", { name = "repeat", arguments = { "ab", 3 } })
call("functions/call", { name = "repeat", arguments = { "ab", -3 } })
call("storage/read", { path = "none" })
call("shutdown")
