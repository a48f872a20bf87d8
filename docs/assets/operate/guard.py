#!/usr/bin/env python3
"""Ask a llama-server for tokens; where none come, reload it, a few times and no more.

    guard.py --url http://127.0.0.1:8080 -- systemctl restart llama-server
    guard.py --url http://127.0.0.1:8080 -- docker restart llama
    guard.py --url http://127.0.0.1:8080              # a router: reloads one model at a time
    guard.py --url http://127.0.0.1:8080 --check      # asks once, reloads nothing

It needs Python 3.11 on Linux or macOS, nothing else. LLAMA_API_KEY holds the server's key.
It ends with 0 (--check: all is well), 1 (gave up; --check: a fault) or 2 (wrong use, refused).
"""

import argparse
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

# Eight tokens, because two never draft: the question must go where speculation goes.
QUESTION = {"prompt": "a b c a b c a b c a", "max_tokens": 8, "temperature": 0}
FINE = ("answers", "busy")
COMMAND_S = 120


class Fault(Exception):
    """No good answer: what the server seems to be (stuck, dead, broken, loading), and why."""

    def __init__(self, what, why):
        super().__init__(f"{what}: {why}")
        self.what, self.why = what, why


class Refused(Exception):
    """The server lives and refuses the question: no reload would help."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code


class TooLate(Exception):
    """The deadline passed."""


def _ring(*_):
    raise TooLate


class Server:
    """A llama-server, spoken to with a deadline for every whole answer."""

    def __init__(self, url, deadline_s):
        self.url, self.deadline_s = url.rstrip("/"), deadline_s
        self.key = os.environ.get("LLAMA_API_KEY", "").split(",")[0]
        # What is asked here concerns this server, never a proxy that the environment names.
        self.open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
        signal.signal(signal.SIGALRM, _ring)

    def call(self, path, body=None):
        """The JSON of the answer; Fault or Refused where there is none."""
        notify("WATCHDOG=1")
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            signal.setitimer(signal.ITIMER_REAL, self.deadline_s)
            with self.open(request) as answer:
                return json.loads(answer.read())
        except TooLate:
            raise Fault("stuck", f"nothing from {path} in {self.deadline_s:g} s") from None
        except urllib.error.HTTPError as error:
            raise self._meaning(error, path) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Fault("dead", f"{type(error).__name__}: {error}") from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _meaning(self, error, path):
        said = f"HTTP {error.code} from {path}: {error.read().decode(errors='replace')[:200]}"
        if 400 <= error.code < 500 or error.code == 501:
            return Refused(error.code, said)
        return Fault("loading" if error.code == 503 else "broken", said)

    def moves(self, query):
        """Whether a slot comes forward for somebody else: two readings of /slots differ."""
        try:
            first = self.call("/slots" + query)
            time.sleep(min(2, self.deadline_s))
            return first != self.call("/slots" + query)
        except (Fault, Refused):
            return False


def ask(server, model=""):
    """One question: what the server does, and the reason."""
    query = f"?autoload=false&model={urllib.parse.quote(model, safe='')}" if model else ""
    body = QUESTION | {"cache_prompt": False} | ({"model": model} if model else {})
    try:
        answer = server.call("/v1/completions" + query, body)
        return ("answers", "") if answer["usage"]["completion_tokens"] else ("broken", "no token")
    except Fault as fault:
        if fault.what == "stuck" and server.moves(query):
            return "busy", "not in time, but its slots come forward"
        return fault.what, fault.why
    except (KeyError, TypeError):
        return "broken", "no answer as llama-server gives it"


def survey(server):
    """The server, or every model of a router that is loaded: its name, what it does, the reason.

    A model that is not loaded is left in peace: a question would load it.
    """
    try:
        models = [each for each in server.call("/v1/models")["data"] if "status" in each]
    except Fault as fault:
        return [("", fault.what, fault.why)]
    if not models:
        return [("", *ask(server))]
    return [(each["id"], *found) for each in models if (found := _look(server, each))]


def _look(server, model):
    status = model["status"]
    if status.get("failed"):
        return "dead", f"its process ended, exit code {status.get('exit_code')}"
    if status["value"] == "loading":
        return "loading", "the router loads it"
    if status["value"] != "loaded":
        return None
    try:
        return ask(server, model["id"])
    except Refused as refused:
        if refused.code == 400:  # unloaded since the list was read
            return None
        raise


def reload_model(server, model):
    """Let a router end a model's process, hung or not, and start it again."""
    with contextlib.suppress(Refused):  # it is not loaded
        server.call("/models/unload", {"model": model})
    for _ in range(60):  # the router kills a process that hangs, after some ten seconds
        found = {each["id"]: each["status"]["value"] for each in server.call("/v1/models")["data"]}
        if found.get(model) == "unloaded":
            break
        time.sleep(1)
    server.call("/models/load", {"model": model})


class Guard:
    """Counts misses and reloads, and knows when to stop."""

    def __init__(self, server, options):
        self.server, self.options = server, options
        self.misses, self.loading_since, self.lost = {}, {}, set()

    def watch(self):
        """Ask for ever; return where nothing that runs is left to guard."""
        notify("READY=1")
        while True:
            found = [each for each in survey(self.server) if each[0] not in self.lost]
            if self.lost and not found:
                return 1
            for model, what, why in found:
                self.judge(model, what, why)
            if "" in self.lost:
                return 1
            rest(self.options.every)

    def judge(self, model, what, why):
        """Forgive, wait, count, reload or give up."""
        missed = self.misses.pop(model, 0)
        if what in FINE:
            self.loading_since.pop(model, None)
            if missed:
                say(model, why or "answers again")
            return
        if what == "loading":
            began = self.loading_since.setdefault(model, time.monotonic())
            if time.monotonic() - began < self.options.loading:
                return
        self.misses[model] = missed + 1
        say(model, f"{what} ({missed + 1} of {self.options.misses}): {why}")
        if missed + 1 >= self.options.misses:
            self.repair(model, f"{what}: {why}")

    def repair(self, model, why):
        """Reload within the limits, and rest longer each time; beyond them, give up loudly."""
        reloads = self.remembered()
        recent = reloads.get(model, [])
        helpless = not (model or self.options.command)
        if len(recent) >= self.options.limit or helpless:
            self.lost.add(model)
            tried = "no command after --" if helpless else f"{len(recent)} reloads did not help"
            tell(self.options.hook, "gave-up", model, f"GIVING UP, {tried}; {why}")
            return
        self.misses.pop(model, None)
        self.loading_since.pop(model, None)
        # Before the reload: a guard that dies in it must not forget it.
        self.remember(reloads | {model: [*recent, time.time()]})
        said = f"reload {len(recent) + 1} of {self.options.limit}: {why}"
        tell(self.options.hook, "reload", model, said)
        try:
            if model:
                reload_model(self.server, model)
            else:
                subprocess.run(self.options.command, check=True, timeout=COMMAND_S)
        except (Fault, Refused, OSError, subprocess.SubprocessError) as error:
            say(model, f"the reload failed: {error}")
        rest(self.options.backoff * 2 ** len(recent))

    def remembered(self):
        """The times of reloads within the window, by model; they outlive the guard."""
        try:
            kept = json.loads(self.options.state.read_text())
        except FileNotFoundError:
            return {}
        except ValueError:
            say("", f"{self.options.state} cannot be read: the count starts anew")
            return {}
        now, window = time.time(), self.options.window
        return {model: [t for t in times if 0 <= now - t < window] for model, times in kept.items()}

    def remember(self, reloads):
        """All or nothing: a file that is half written would lose the count."""
        new = self.options.state.with_suffix(".new")
        new.write_text(json.dumps(reloads))
        new.replace(self.options.state)


def tell(hook, event, model, text):
    """Into the log, and to the hook, which may carry it to a person."""
    say(model, text)
    if hook:
        env = os.environ | {"GUARD_EVENT": event, "GUARD_MODEL": model, "GUARD_SAYS": text}
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(hook, shell=True, check=False, timeout=30, env=env)


def say(model, text):
    """One line to standard error, which is the journal under systemd."""
    print(f"guard: {model or 'server'}: {text}", file=sys.stderr, flush=True)


def rest(seconds):
    """Sleep, and tell systemd now and then that the guard itself is alive."""
    until = time.monotonic() + seconds
    while True:
        notify("WATCHDOG=1")
        left = until - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, 10))


def notify(text):
    """What sd_notify does: one datagram, where systemd asks for it."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.sendto(text.encode(), address.replace("@", "\0", 1))


def check(server):
    """Ask once; 0 where all is well, or still loading."""
    found = survey(server)
    for model, what, why in found:
        say(model, f"{what}: {why}" if why else what)
    return int(any(what not in (*FINE, "loading") for _, what, _ in found))


def read_options():
    """The command line; everything after -- is the command that reloads."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add, number = parser.add_argument, {"type": seconds, "metavar": "SECONDS"}
    add("--url", default="http://127.0.0.1:8080")
    add("--every", **number, default=30, help="between two questions (30)")
    add("--deadline", **number, default=60, help="for the answer to one question (60)")
    add("--loading", **number, default=900, help="that a start may take (900)")
    add("--misses", type=int, default=2, help="in a row before a reload (2)")
    add("--limit", type=int, default=3, help="reloads within the window, then give up (3)")
    add("--window", **number, default=3600, help="in which reloads are counted (3600)")
    add("--backoff", **number, default=15, help="rest after a reload; doubles each time (15)")
    add("--state", type=Path, help="file that keeps the count of reloads")
    add("--hook", help="shell command told of every reload and of giving up, in $GUARD_SAYS")
    add("--check", action="store_true", help="ask once, reload nothing")
    add("command", nargs="*", help="reloads the server, after --")
    options = parser.parse_args()
    folder = Path(os.environ.get("STATE_DIRECTORY", "."))
    options.state = options.state or folder / "llama-guard.json"
    if not options.check and not os.access(options.state.parent, os.W_OK):
        parser.error(f"{options.state}: cannot be written there; name another file with --state")
    return options


def seconds(text):
    """More than none: a deadline of 0 would be no deadline."""
    if not float(text) > 0:
        raise ValueError
    return float(text)


def main():
    """Check once, or watch."""
    options = read_options()
    server = Server(options.url, options.deadline)
    try:
        return check(server) if options.check else Guard(server, options).watch()
    except Refused as error:
        say("", f"refused, no reload would help; is --url right, LLAMA_API_KEY set? {error}")
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
