"""The folder of a run: one codec writes and reads every file in it; nobody else opens one.

`records` says what the files hold, `codec` turns it into lines and back, `seals` tells whether a cell is
as it was written. `folder` is what an experiment writes into, `finished` what everybody else reads;
`gold` and `columns` go with that. `tables` and `exports` hand a finished run over to other tools.
"""
