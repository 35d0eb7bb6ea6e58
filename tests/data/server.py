"""A web server for one folder, on loopback, that can be told to misbehave.

usage: server.py FOLDER; the port it took is written to FOLDER/port, each request to FOLDER/requests.
Files that make it misbehave: FOLDER/cut (half of the next answer, then it hangs up; removed by that),
FOLDER/always-cut (the same every time), FOLDER/no-ranges (every answer is the whole file) and FOLDER/busy
(the next answer is 503; removed by that).
"""

import http.server
import os
import sys

folder = sys.argv[1]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked = self.headers.get("Range", "")
        with open(os.path.join(folder, "requests"), "a") as log:
            log.write(f"{os.path.basename(self.path)} {asked}\n")
        path = os.path.join(folder, os.path.basename(self.path))
        if not os.path.isfile(path):
            self.send_error(404)
            return
        busy = os.path.join(folder, "busy")
        if os.path.exists(busy):
            os.remove(busy)
            self.send_error(503)
            return
        with open(path, "rb") as file:
            data = file.read()
        start = 0
        if asked and not os.path.exists(os.path.join(folder, "no-ranges")):
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(data):
                self.send_error(416)
                return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        cut = os.path.join(folder, "cut")
        if os.path.exists(cut) or os.path.exists(os.path.join(folder, "always-cut")):
            if os.path.exists(cut):
                os.remove(cut)
            data = data[: (start + len(data)) // 2]
        self.wfile.write(data[start:])

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(os.path.join(folder, "port.new"), "w") as port:
    port.write(str(server.server_port))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
server.serve_forever()
