"""The address of a server at work: its counters, and what it says of itself; nothing else."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import httpx

from speculoos.measure.build import NotUsableError
from speculoos.measure.observe.page import Page, read_page

_CONNECT_S, _ANSWER_S = 5.0, 60.0
"""A server at work answers between two passes: one over a long prompt may take a minute."""
_ENDPOINTS = ("metrics", "slots", "props", "health", "v1", "v1/models", "v1/chat/completions")
_BIRTH = "Process-Start-Time-Unix"
_KEPT = frozenset(
    {"build_info", "model_path", "total_slots", "speculative", "id", "data", "meta", "ftype"}
)
"""Keys that are read of `/props`, `/slots` and `/v1/models`; prompts and texts are in others."""


class NotObservableError(NotUsableError):
    """Nothing can be observed at this address; the sentence says why and what to do."""


class SilentError(Exception):
    """The server does not answer now; the sentence says how that shows."""


@dataclass(frozen=True)
class Told:
    """What a server says of itself; None where it does not."""

    build: str | None = None
    model_file: str | None = None
    slots: int | None = None
    speculative: bool | None = None
    quantization: str | None = None


class Address:
    """Where a server answers; `url` may be any address of it, `key` its API key.

    `?model=NAME` at its end names one model of a router, which counts for each apart.
    """

    def __init__(self, url: str, key: str | None = None) -> None:
        self.url, self.base = url, base_of(url)
        self.model = parse_qs(urlsplit(url).query).get("model", [""])[-1]
        host = httpx.URL(self.base).host
        self.local = host in {"localhost", "127.0.0.1", "::1"}
        self._http = httpx.Client(
            base_url=self.base,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(_ANSWER_S, connect=_CONNECT_S),
            limits=httpx.Limits(max_keepalive_connections=0),  # a restarted server knows no old one
            trust_env=not self.local,  # a proxy of the environment is not for this machine
        )
        self._key = key

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def page(self) -> Page:
        """The counters now; raises `SilentError` where there are none to be had."""
        response = self._get("/metrics")
        if not response.is_success:
            raise SilentError(_said(response.status_code))
        page = read_page(response.text, response.headers.get(_BIRTH, ""))
        if not page.totals:
            raise SilentError("the page is not that of llama-server")
        return page

    def first_page(self) -> Page | None:
        """The first reading; None while the server loads, `NotObservableError` if it is hopeless.

        It reads twice: two answers of different servers cannot be told apart later.
        """
        response = self._first()
        if response.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            return None
        if why := self._hopeless(response):
            raise NotObservableError(why)
        page = read_page(response.text, response.headers.get(_BIRTH, ""))
        if not page.totals:
            raise NotObservableError(
                f"{self.base}: no llama-server: its /metrics names no tokens_predicted_total"
            )
        if self._first().headers.get(_BIRTH, "") != page.birth:
            raise NotObservableError(
                f"{self.base}: several servers answer in turn; observe each at its own address"
            )
        return page

    def told(self) -> Told:
        """Build, model, slots and whether it speculates, as far as the server says so."""
        props, slots, models = map(self._json, ("/props", "/slots", "/v1/models"))
        own = props if isinstance(props, dict) else {}
        each = [slot for slot in slots if isinstance(slot, dict)] if isinstance(slots, list) else []
        speculative = [slot["speculative"] for slot in each if "speculative" in slot]
        path = str(own.get("model_path") or "")
        return Told(
            build=str(own["build_info"]) if own.get("build_info") else None,
            model_file=PurePosixPath(PureWindowsPath(path).as_posix()).name or None,
            slots=int(own.get("total_slots") or len(each)) or None,
            speculative=any(speculative) if speculative else None,
            quantization=_file_type(models),
        )

    def _first(self) -> httpx.Response:
        try:
            return self._get("/metrics")
        except SilentError as error:
            raise NotObservableError(
                f"{self.base}: {error}; is the address right, and does the server run?"
            ) from error

    def _hopeless(self, response: httpx.Response) -> str | None:
        code = response.status_code
        if code == httpx.codes.NOT_IMPLEMENTED:
            return (
                f"{self.base}: /metrics is off; start the server with --metrics "
                "(or LLAMA_ARG_ENDPOINT_METRICS=1), then observe it again"
            )
        if code in {httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN}:
            what = "refuses the API key" if self._key else "wants an API key"
            return (
                f"{self.base}: the server {what} (HTTP {code}); put its key into LLAMA_API_KEY, "
                "or name another variable with --api-key-env"
            )
        if code == httpx.codes.BAD_REQUEST:
            what = f"no model {self.model}" if self.model else "a router counts each model apart"
            return f"{self.base}: {what}; write {self.base}?model=NAME, a name of its /v1/models"
        if not response.is_success:
            return f"{self.base}: no llama-server: /metrics answers with HTTP {code}"
        return None

    def _get(self, path: str) -> httpx.Response:
        try:
            return self._http.get(path, params={"model": self.model} if self.model else None)
        except httpx.TimeoutException as error:
            raise SilentError("no answer in time") from error
        except httpx.HTTPError as error:
            raise SilentError(f"no connection ({_cause(error)})") from error

    def _json(self, path: str) -> Any:
        try:
            response = self._get(path)
            return json.loads(response.text, object_pairs_hook=_kept) if response.is_success else {}
        except (SilentError, ValueError):
            return {}


def _kept(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    """Called while the text is parsed: what is not kept here never becomes a value of ours."""
    return {key: value for key, value in pairs if key in _KEPT}


def _file_type(models: Any) -> str | None:
    """The quantization of the only model that a server lists; a router lists many."""
    listed = models.get("data") if isinstance(models, dict) else None
    if not isinstance(listed, list) or len(listed) != 1:
        return None
    meta = listed[0].get("meta") if isinstance(listed[0], dict) else None
    return str(meta["ftype"]) if isinstance(meta, dict) and meta.get("ftype") else None


def _said(code: int) -> str:
    if code == httpx.codes.SERVICE_UNAVAILABLE:
        return "it loads its model"
    if code == httpx.codes.NOT_IMPLEMENTED:
        return "it runs without --metrics"
    return f"it answers with HTTP {code}"


def _cause(error: httpx.HTTPError) -> str:
    return str(error).removeprefix("[Errno 111] ").lower() or type(error).__name__


def base_of(url: str) -> str:
    """The server's own address: without an endpoint at its end; raises `NotObservableError`."""
    whole = url if "://" in url else f"http://{url}"
    try:
        parts = urlsplit(whole)
        port = parts.port
    except ValueError as error:
        raise NotObservableError(f"{url}: no address: {error}") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise NotObservableError(f"{url}: no address; write http://host:8080")
    if parts.username or parts.password:
        raise NotObservableError(
            "an address with a name or password in it; put a key into LLAMA_API_KEY instead"
        )
    path = parts.path.rstrip("/")
    for endpoint in sorted(_ENDPOINTS, key=len, reverse=True):
        path = path.removesuffix(f"/{endpoint}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{path}"
