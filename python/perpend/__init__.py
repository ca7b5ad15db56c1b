"""Contact problems of rigid bodies with Coulomb friction: read, solve, measure, compare, simulate.

>>> import perpend
>>> scene = perpend.Scene("stack:3")
>>> frame = scene.first_frame()
>>> frame.counts["contacts"]
12
>>> result = perpend.solve(frame, "ncp/auto", tolerance=1e-8)
>>> result.status
'converged'
>>> result.errors["velocity_error"] <= 1e-8
True

Arrays of frames, systems, problems and worlds look into memory of perpend: nothing is copied, and
what you write into them is what is solved. docs/python.md is the guide.
"""

from . import plots
from . import show as _show
from ._perpend import (
    Columns,
    File,
    Frame,
    InputError,
    Option,
    Problem,
    Result,
    Snapshot,
    SolverInfo,
    System,
    __version__,
    assemble,
    formulate,
    formulations,
    impulse_energy,
    kind_of,
    load_plugin,
    measure,
    measures,
    open,
    options,
    read_raw_problem,
    read_snapshot,
    repair,
    scenes,
    solve,
    solvers,
    validate,
    write_fclib,
)
from .bench import Bench, bench
from .files import Recorder, read, write
from .plugin import Infeasible, Matrix, Stalled, Task, option, solver
from .program import ProgramError, doctor, program, reproduce, run, share, view
from .world import Scene, World
from .worlds import WorkerError, Worlds

_show.install()

__all__ = [
    "Bench",
    "Columns",
    "File",
    "Frame",
    "Infeasible",
    "InputError",
    "Matrix",
    "Option",
    "Problem",
    "ProgramError",
    "Recorder",
    "Result",
    "Scene",
    "Snapshot",
    "SolverInfo",
    "Stalled",
    "System",
    "Task",
    "WorkerError",
    "World",
    "Worlds",
    "__version__",
    "assemble",
    "bench",
    "doctor",
    "formulate",
    "formulations",
    "impulse_energy",
    "kind_of",
    "load_plugin",
    "measure",
    "measures",
    "open",
    "option",
    "plots",
    "options",
    "program",
    "read",
    "read_raw_problem",
    "read_snapshot",
    "repair",
    "reproduce",
    "run",
    "scenes",
    "share",
    "solve",
    "solver",
    "solvers",
    "validate",
    "view",
    "write",
    "write_fclib",
]
