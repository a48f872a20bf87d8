"""Proof that the figures belong to the child that was started, and that speculation is on."""

from dataclasses import dataclass
from pathlib import Path

from speculoos.measure.server import Server
from speculoos.record.types import NO_SPECULATION, Incident, Proof, Settings


@dataclass(frozen=True)
class Refutation:
    """Why a run must not be measured, and what to do."""

    incident: Incident
    remedy: str


def prove(server: Server, model: Path) -> Proof:
    """Whose port it is, and what the server says of itself.

    `/slots[].speculative` is the one field that tells the truth: `/props` says `none` whatever
    runs, and an answer's settings repeat what was asked (b10434, b11434).
    """
    path = str(server.client.props().get("model_path", ""))
    same = bool(path) and Path(path).resolve() == model.resolve()
    flags = [slot["speculative"] for slot in server.client.slots() if "speculative" in slot]
    return Proof(
        port_owner="child" if server.owns_port() else "unknown",
        model_path="match" if same else "other",
        speculative=any(flags) if flags else None,
        draft_n=0,
    )


def other_server(proof: Proof) -> Refutation | None:
    """The answer comes from a server with another model."""
    if proof.model_path == "match":
        return None
    return _refutation(
        "other-server", "the model is another one", "stop the other llama-server and try again"
    )


def speculation_fault(proof: Proof, settings: Settings) -> Refutation | None:
    """Speculation is off where it was asked for, or on in the baseline."""
    wanted = settings.spec_type != NO_SPECULATION
    if proof.speculative is None or proof.speculative == wanted:
        return None
    if wanted:
        return _refutation(
            "silently-off",
            "/slots says speculative: false",
            "see its log for the draft model or the type that it could not use",
        )
    return _refutation(
        "on-in-baseline",
        "/slots says speculative: true",
        "leave every flag of speculation out of the arguments after --",
    )


def _refutation(kind: str, line: str, remedy: str) -> Refutation:
    return Refutation(Incident(kind=kind, line=line, after_samples=0), remedy)
