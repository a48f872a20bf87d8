"""Buffers in the start-up log of a server."""

from speculoos.measure.memory import read_backend, read_memory

BASELINE = """
load_tensors:   CPU_Mapped model buffer size =   100.00 MiB
load_tensors:        CUDA0 model buffer size =   900.00 MiB
llama_context: constructing llama_context
llama_context:  CUDA_Host  output buffer size =     0.50 MiB
llama_kv_cache:      CUDA0 KV buffer size =    60.00 MiB
sched_reserve:      CUDA0 compute buffer size =    20.00 MiB
sched_reserve:  CUDA_Host compute buffer size =     4.00 MiB
"""
HEAD = """
llama_context: constructing llama_context
llama_kv_cache:      CUDA0 KV buffer size =     2.00 MiB
sched_reserve:      CUDA0 compute buffer size =    11.00 MiB
spec common_specu: adding speculative implementation 'draft-mtp'
sched_reserve: reserving ...
sched_reserve:      CUDA0 compute buffer size =    12.00 MiB
"""


def test_buffers_of_all_devices_add_up():
    """Model, context with the output, and compute; what lies on cards is told apart."""
    memory = read_memory(BASELINE)
    assert (memory.model_mib, memory.context_mib, memory.compute_mib) == (1000, 60.5, 24)
    assert memory.on_cards_mib == 980
    assert read_backend(BASELINE) == "CPU, CUDA"


def test_the_context_of_a_head_is_included_and_counts_once():
    """A context that reserves its buffer anew gives the old one back."""
    memory = read_memory(BASELINE + HEAD)
    assert (memory.context_mib, memory.compute_mib) == (62.5, 36)


def test_a_processor_has_no_buffers_on_cards():
    """Absent, not 0."""
    log = "load_tensors:   CPU_Mapped model buffer size =   100.00 MiB"
    assert read_memory(log).on_cards_mib is None
    assert read_memory("").model_mib is None


def test_a_head_takes_memory_on_a_real_server(measured, server, tiny):
    """The same model with its head at work holds a context and a compute buffer more."""
    record, _ = measured(server.path, tiny, depths=(1,))
    sizes = {run.settings.spec_type: run.memory for run in record.runs}
    assert sizes["draft-mtp"].compute_mib > sizes["none"].compute_mib
    assert sizes["draft-mtp"].context_mib > sizes["none"].context_mib
    assert sizes["draft-mtp"].model_mib >= sizes["none"].model_mib
