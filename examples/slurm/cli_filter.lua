-- Asks the desk about jobs with a deadline before they are submitted, and gives them the token by which slurmctld lets them in.
-- It runs in the user's process and can be left out by the user: then the gate in slurmctld refuses the job.

local folder = os.getenv("BOOKAHEAD_FOLDER") or "@FOLDER@"
-- Where the desk listens, host:port, if it runs on another machine.
local desk = os.getenv("BOOKAHEAD_DESK") or ""

-- A time as Slurm prints it, in seconds; 0 for none.
local function seconds(text)
  if not text or text == "Unknown" or text == "N/A" then return 0 end
  if text:match("^%d+$") then return tonumber(text) end
  local y, m, d, H, M, S = text:match("^(%d+)%-(%d+)%-(%d+)T(%d+):(%d+):(%d+)")
  if not y then return nil end
  return os.time{year = y, month = m, day = d, hour = H, min = M, sec = S}
end

-- A time limit as Slurm prints it, in minutes; nil for none.
local function minutes(text)
  local days, H, M, S = (text or ""):match("^(%d*)%-?(%d+):(%d+):(%d+)$")
  if not H then return nil end
  if days == "" then days = 0 end
  local whole = tonumber(days) * 1440 + tonumber(H) * 60 + tonumber(M)
  -- What Slurm prints for "none said" is thousands of years.
  if whole > 100 * 365 * 1440 then return nil end
  return whole
end

local function is_set(value)
  -- What another of the commands has is "invalid-context" in this one.
  return value and value ~= "" and value ~= "unset" and value ~= "0" and value ~= "-1" and value ~= "-2" and value ~= "invalid-context"
end

-- What a promise cannot be for, by the name under which the user gave it.
local others = {"array", "reservation", "nodelist", "exclude", "licenses", "dependency", "switches", "contiguous", "mem", "gres", "gpus", "gpus-per-task", "gpus-per-socket",
  "cores-per-socket", "sockets-per-node", "threads-per-core", "core-spec", "burst-buffer", "bb", "clusters", "nodefile"}

local function refuse(why)
  slurm.log_error("bookahead: %s", why)
  return slurm.ERROR
end

-- A socket to the desk on this machine, or to another one; there munge says who asks, and nobody can change the question.
local function call(question)
  local host, port = desk:match("^(.*):(%d+)$")
  if not host then
    local unix = require("socket.unix")
    local socket = (type(unix) == "table" and (unix.stream or unix))()
    socket:settimeout(15)
    return socket:connect(folder .. "/socket") and socket, question
  end
  local munged = os.getenv("BOOKAHEAD_MUNGE_SOCKET")
  local program = "munge" .. (munged and " --socket='" .. munged:gsub("'", "'\\''") .. "'" or "")
  local pipe = io.popen(program .. " --string='" .. question:gsub("'", "'\\''") .. "'")
  local credential = pipe and pipe:read("*l")
  if pipe then pipe:close() end
  if not credential then return nil end
  local socket = require("socket").tcp()
  socket:settimeout(15)
  return socket:connect(host, tonumber(port)) and socket, "credential\nmunge " .. credential .. "\n\n"
end

local function ask(question)
  local socket, sent = call(question)
  if not socket then return nil end
  socket:send(sent)
  local answer = {word = socket:receive("*l")}
  while answer.word do
    local line = socket:receive("*l")
    if not line or line == "" then break end
    local key, value = line:match("^(%S+) (.*)$")
    if key then answer[key] = value end
  end
  socket:close()
  return answer.word and answer
end

function slurm_cli_setup_defaults(options, early)
  return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, offset)
  local deadline = seconds(options["deadline"])
  if deadline == 0 then return slurm.SUCCESS end
  -- A step of a job that runs already.
  if options["type"] == "srun" and os.getenv("SLURM_JOB_ID") then return slurm.SUCCESS end
  local begin = seconds(options["begin"])
  if not deadline or not begin then return refuse("cannot read --begin or --deadline; is SLURM_TIME_FORMAT set?") end
  if offset ~= 0 or is_set(options["het-group"]) then return refuse("no promise is given for a job of several parts") end
  for _, name in ipairs(others) do
    if is_set(options[name]) then return refuse("no promise is given together with --" .. name) end
  end
  local limit = minutes(options["time"])
  if not limit or limit == 0 then return refuse("a job with --deadline needs a time limit (-t)") end
  local low, high = (options["nodes"] or ""):match("^(%d+)%-?(%d*)$")
  if not low or (high ~= "" and high ~= low) then return refuse("a job with --deadline needs a number of nodes (-N), and no range") end
  -- Whole nodes are promised: each has to have what its share of the tasks needs.
  local tasks = tonumber(options["ntasks"]) or 1
  local cpus = math.max(1, tonumber(options["cpus-per-task"]) or 1)
  local per_node = math.max(math.ceil(tasks / tonumber(low)), tonumber(options["ntasks-per-node"]) or 0) * cpus
  per_node = math.max(per_node, tonumber(options["mincpus"]) or 0)
  local gpus = 0
  if is_set(options["gpus-per-node"]) then
    gpus = options["gpus-per-node"]:match("^%d+$")
    if not gpus then return refuse("no promise is given for GPUs of a kind: --gpus-per-node=" .. options["gpus-per-node"] .. "; say the kind as a feature of the nodes (-C)") end
  end
  local comment = options["comment"] or ""
  local waits = (" " .. comment .. " "):find(" bookahead:wait ", 1, true) and 1 or 0
  local lines = {"promise", "nodes " .. low, "limit " .. limit, "begin " .. begin, "deadline " .. deadline, "features " .. (options["constraint"] or ""),
    "partition " .. (options["partition"] or ""), "cpus " .. per_node, "gpus " .. gpus, "wait " .. waits, "", ""}
  local answer = ask(table.concat(lines, "\n"))
  if not answer then return refuse("no desk answers, so nothing can be promised now; without --deadline the job is Slurm's own") end
  if not answer.token then return refuse(answer.text or "refused") end
  slurm.log_info("bookahead: %s", answer.text or "")
  options["comment"] = (comment == "" and "" or comment .. " ") .. answer.token
  return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job, step)
  return slurm.SUCCESS
end
