"""The folder of a run: one codec writes and reads every file in it; nobody else opens one.

`records` says what the files hold, `codec` turns it into lines and back (`lost_gold` those of losses),
`seals` tells whether a cell is as it was written. `folder` is what an experiment writes into, `finished`
what everybody else reads; `gold` and `columns` go with that. `tables` and `trec_files` hand a finished run
over to other tools.
"""
