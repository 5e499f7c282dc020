"""Annotated documents as UIMA CAS: XMI and JSON files, by way of dkpro-cassis."""

from kpframe.uima.content import CasContent
from kpframe.uima.files import cas_of_bytes, read_cas, write_cas, write_type_system

__all__ = ["CasContent", "cas_of_bytes", "read_cas", "write_cas", "write_type_system"]
