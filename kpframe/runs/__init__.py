"""The folder of a run: what writes its files and what reads them back; nobody else opens one."""
