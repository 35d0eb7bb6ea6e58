-- For wrk: POSTs the lines of $SENTENCES in turn to /translate, from $SOURCE to $TARGET, and prints what bench/serve.py reads.

local bodies, at = {}, 0

local function escaped(line)
    return (line:gsub('[%c"\\]', function(c) return string.format("\\u%04x", c:byte()) end))
end

function init()
    for line in io.lines(os.getenv("SENTENCES")) do
        bodies[#bodies + 1] = wrk.format("POST", "/translate", {["Content-Type"] = "application/json"}, string.format(
            '{"q":"%s","source":"%s","target":"%s"}', escaped(line), os.getenv("SOURCE"), os.getenv("TARGET")))
    end
end

function request()
    at = at % #bodies + 1
    return bodies[at]
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
