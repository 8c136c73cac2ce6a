"""Independent jobs: side by side on one machine or on a cluster, each kept on disk as soon as it is done."""

from polythetic.jobs.carrying_out import carry_out
from polythetic.jobs.cluster import Cluster
from polythetic.jobs.crew import Alone, Call, Crew, crew_of
from polythetic.jobs.job import Job, Value
from polythetic.jobs.machine import Machine
from polythetic.jobs.store import Keeping, Nothing, Overwriting, Store

__all__ = [
    "Alone",
    "Call",
    "Cluster",
    "Crew",
    "Job",
    "Keeping",
    "Machine",
    "Nothing",
    "Overwriting",
    "Store",
    "Value",
    "carry_out",
    "crew_of",
]
