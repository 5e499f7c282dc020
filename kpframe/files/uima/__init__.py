"""Annotated documents as UIMA CAS: XMI and JSON files, by way of dkpro-cassis."""

from kpframe.files.uima.content import CasContent
from kpframe.files.uima.files import save_cas, write_cas, write_type_system
from kpframe.files.uima.loading import cas_of_bytes, read_cas

__all__ = ["CasContent", "cas_of_bytes", "read_cas", "save_cas", "write_cas", "write_type_system"]
