"""The site served as a host serves it: compressed, with a page for what is missing."""

import gzip
import http.server
import io
from functools import cache
from http import HTTPStatus
from pathlib import Path

TEXTS = (".html", ".css", ".js", ".json", ".svg", ".xml", ".txt", ".yaml", ".py", ".sh")


@cache
def _compressed(path):
    return gzip.compress(Path(path).read_bytes(), 6, mtime=0)


class Host(http.server.SimpleHTTPRequestHandler):
    """Files of one folder; texts compressed for who takes them so."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_args):
        """Say nothing between the dots of pytest."""

    def send_head(self):
        """The file, compressed where it is a text; folders and errors as the base does."""
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.partition("?")[0].endswith("/"):
            path /= "index.html"
        takes = "gzip" in self.headers.get("Accept-Encoding", "")
        if not (takes and path.is_file() and path.suffix in TEXTS):
            return super().send_head()
        return self._sent(HTTPStatus.OK, path)

    def send_error(self, code, message=None, explain=None):
        """The site's own page for an address that leads nowhere."""
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        with self._sent(HTTPStatus.NOT_FOUND, page) as body:
            self.copyfile(body, self.wfile)

    def _sent(self, status, path):
        body = _compressed(str(path))
        self.send_response(status)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        return io.BytesIO(body)
