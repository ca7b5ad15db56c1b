"""Frames, systems and problems: views, files, errors."""

import copy
import gc
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perpend
from conftest import FRAMES


def box(mu=0.5, gap=0.0, speed=(1.0, 0.0, -0.1), h=0.01):
    """A cube on the ground with one contact under its centre."""
    return perpend.Frame(
        step=h,
        bodies={
            "ids": [0, 1],
            "masses": [0.0, 2.0],
            "inertia": np.stack([np.eye(3), np.eye(3)]),
            "positions": [[0, 0, 0], [0, 0, 0.5]],
            "quaternions": [[1, 0, 0, 0], [1, 0, 0, 0]],
            "velocities": [[0] * 6, [*speed, 0, 0, 0]],
            "forces": [[0] * 6, [0, 0, -2 * 9.81, 0, 0, 0]],
        },
        contacts={
            "pairs": [[0, 1]],
            "normals": [[0, 0, 1.0]],
            "points": [[0, 0, 0.0]],
            "gap": [gap],
            "mu": [mu],
        },
    )


def large():
    """4,000 contacts: cubes side by side, four contacts each."""
    n = 1000
    place = np.arange(n, dtype=float)
    bodies = {
        "ids": np.arange(n + 1),
        "masses": np.r_[0.0, np.ones(n)],
        "inertia": np.tile(np.eye(3) / 6, (n + 1, 1, 1)),
        "positions": np.c_[np.r_[0, 2 * place], np.zeros(n + 1), np.r_[0, np.full(n, 0.5)]],
        "quaternions": np.tile([1.0, 0, 0, 0], (n + 1, 1)),
        "velocities": np.zeros((n + 1, 6)),
        "forces": np.zeros((n + 1, 6)),
    }
    bodies["velocities"][1:, 0] = 0.3
    bodies["forces"][1:, 2] = -9.81
    corner = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * 0.5
    points = np.zeros((4 * n, 3))
    points[:, :2] = np.repeat(np.c_[2 * place, 0 * place], 4, axis=0) + np.tile(corner, (n, 1))
    contacts = {
        "pairs": np.c_[np.zeros(4 * n, int), np.repeat(np.arange(n) + 1, 4)],
        "normals": np.tile([0, 0, 1.0], (4 * n, 1)),
        "points": points,
        "gap": np.zeros(4 * n),
        "mu": np.full(4 * n, 0.5),
    }
    return perpend.Frame(step=0.01, bodies=bodies, contacts=contacts)


class TestViews:
    def test_two_looks_at_a_column_of_4000_contacts_share_memory(self):
        frame = large()
        assert frame.counts["contacts"] == 4000
        for group in (frame.bodies, frame.contacts):
            for name in dir(group):
                first, second = getattr(group, name), getattr(group, name)
                if first is not None and first.size:
                    assert np.shares_memory(first, second), name

    def test_writing_through_a_view_changes_the_solve(self):
        frame = large()
        before = perpend.solve(frame, "box/pgs")
        frame.contacts.mu[:] = 0.0
        after = perpend.solve(frame, "box/pgs")
        assert abs(before.contact_impulses[:, 1:]).max() > 1e-4
        assert abs(after.contact_impulses[:, 1:]).max() == 0

    def test_a_view_outlives_its_frame(self):
        frame = box(mu=0.25)
        mu, b = frame.contacts.mu, perpend.assemble(frame).b
        was = b.copy()
        del frame
        gc.collect()
        np.zeros(100000)
        assert mu[0] == 0.25
        assert (b == was).all()

    def test_rows_do_not_move_under_a_view(self):
        frame = box()
        mu = frame.contacts.mu
        with pytest.raises(BufferError, match="contacts/restitution cannot be made"):
            frame.contacts.restitution = [0.5]
        assert mu[0] == 0.5
        del mu
        frame.contacts.restitution = [0.5]
        assert frame.contacts.restitution[0] == 0.5
        frame.contacts.restitution = None
        assert frame.contacts.restitution is None

    def test_a_system_is_written_through_its_arrays(self):
        system = perpend.assemble(box())
        assert np.shares_memory(system.b, system.b)
        assert np.shares_memory(system.body_space["j1"], system.body_space["j1"])
        assert perpend.solve(system).contact_impulses[0, 0] > 0
        system.b[0] = 3.0
        assert abs(perpend.solve(system).impulses).max() == 0

    def test_body_space_is_the_matrix(self):
        system = perpend.assemble(perpend.Scene("stack:2").first_frame())
        A = system.A.toarray()
        views = system.body_space
        i = 5
        block = np.einsum("rk,ck->rc", views["j1"][i], views["w1"][i])
        block += np.einsum("rk,ck->rc", views["j2"][i], views["w2"][i])
        assert np.allclose(A[3 * i : 3 * i + 3, 3 * i : 3 * i + 3], block, atol=1e-14)
        x = np.arange(float(system.rows))
        assert np.allclose(system.apply(x), A @ x, rtol=1e-13)

    def test_a_problem_has_its_matrix_without_a_copy(self):
        problem = perpend.formulate(box(), "lcp", facets=4)
        assert np.shares_memory(problem.A.data, problem.A.data)
        for places in (problem.A.indices, problem.A.indptr):  # a wrong one would be no entry of it
            with pytest.raises(ValueError, match="read-only"):
                places[0] = 10**9
        z = np.linspace(0, 1, problem.size)
        before = problem.own_error(z)
        problem.b[:] += 1.0
        assert problem.own_error(z) != before


READING = """
import os, signal, subprocess, sys, perpend
signal.signal(signal.SIGINT, signal.SIG_IGN)
press = "import os, time; [(os.killpg(0, 2), time.sleep(0.001)) for _ in iter(int, 1)]"
keys = subprocess.Popen([sys.executable, "-c", press])
signal.signal(signal.SIGINT, lambda *_: None)
try:
    frames = [perpend.read(sys.argv[1]) for _ in range(100)]
finally:
    keys.kill()
print(len(frames[-1]))
"""


class TestFiles:
    @pytest.mark.parametrize("name", ["run.h5", "run.jsonl"])
    def test_frames_come_back_bit_for_bit(self, tmp_path, blocks, name):
        path = tmp_path / name
        perpend.write(path, blocks)
        back = perpend.read(path)
        assert len(back) == len(blocks)
        for was, now in zip(blocks, back):
            for group in ("bodies", "contacts", "constraints", "solution"):
                for column in dir(getattr(was, group)):
                    a, b = getattr(getattr(was, group), column), getattr(
                        getattr(now, group), column
                    )
                    if a is not None and b is not None:
                        assert a.tobytes() == b.tobytes(), (group, column)
            a, b = perpend.assemble(was), perpend.assemble(now)
            assert np.array_equal(a.b, b.b) and np.array_equal(a.A.data, b.A.data)

    def test_rows_over_two_pairs_of_bodies_come_back_in_a_file_of_version_three(self, tmp_path):
        path, frames = str(tmp_path / "run.h5"), perpend.read(FRAMES / "mimics.jsonl")
        perpend.write(path, frames)
        assert perpend.validate(path) == []
        assert perpend.open(path).header["format_version"] == 3
        for was, now in zip(frames, perpend.read(path)):
            assert np.array_equal(was.constraints.pairs2, now.constraints.pairs2)
            assert np.array_equal(was.constraints.jacobian2, now.constraints.jacobian2)
            again = pickle.loads(pickle.dumps(perpend.assemble(now)))
            assert np.array_equal(again.A.data, perpend.assemble(was).A.data)

    def test_the_file_is_valid_and_names_its_engine(self, tmp_path, blocks):
        path = str(tmp_path / "run.h5")
        perpend.write(path, blocks[:2], engine="mine", version="7")
        assert perpend.validate(path) == []
        assert perpend.open(path).header["engine_version"] == "7"

    def test_fclib_has_the_same_problem(self, tmp_path, blocks):
        path = str(tmp_path / "p.h5")
        perpend.write_fclib(blocks[0], path)
        back = perpend.open(path)[0]
        assert isinstance(back, perpend.System)
        assert np.allclose(back.A.toarray(), perpend.assemble(blocks[0]).A.toarray(), atol=1e-12)

    def test_control_c_while_a_file_is_read_is_no_damage_of_the_file(self, tmp_path):
        # As from a terminal: the child that opens the file first hears it too.
        path = str(tmp_path / "run.h5")
        perpend.write(path, [box()] * 50)
        done = subprocess.run(
            [sys.executable, "-B", "-c", READING, path],
            capture_output=True,
            text=True,
            start_new_session=True,
        )
        assert done.stdout == "50\n", done.stderr

    def test_an_exception_keeps_the_frames_recorded_so_far(self, tmp_path):
        path = str(tmp_path / "run.h5")
        with pytest.raises(RuntimeError, match="my engine"):
            with perpend.Recorder(path) as record:
                record(box())
                raise RuntimeError("my engine broke")
        assert len(perpend.open(path)) == 1

    def test_a_recorder_without_frames_that_fails_leaves_nothing(self, tmp_path):
        with pytest.raises(RuntimeError):
            with perpend.Recorder(str(tmp_path / "run.h5")):
                raise RuntimeError
        assert list(tmp_path.iterdir()) == []


class TestErrors:
    """Each is one line, and that of the command line where there is one."""

    def test_a_missing_file(self, program):
        with pytest.raises(perpend.InputError) as caught:
            perpend.open("/nonexistent/run.h5")
        done = subprocess.run(
            [program, "solve", "/nonexistent/run.h5", "--solver", "ncp/auto"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert done.stderr.strip() == "perpend: " + str(caught.value)

    def test_a_bad_line_of_a_file(self, tmp_path, program):
        path = tmp_path / "bad.jsonl"
        line = (FRAMES / "single_contact.jsonl").read_text().splitlines()[0]
        path.write_text(line[:-40] + "\n")
        with pytest.raises(perpend.InputError) as caught:
            perpend.read(path)
        done = subprocess.run([program, "info", str(path)], capture_output=True, text=True)
        assert done.stderr.strip() == "perpend: " + str(caught.value)

    def test_a_file_that_has_no_frames(self, tmp_path):
        perpend.Scene("stack:1").write(tmp_path / "box.json")
        with pytest.raises(perpend.InputError, match="has no frames"):
            perpend.open(str(tmp_path / "box.json"))

    @pytest.mark.parametrize(
        "change, words",
        [
            (lambda f: f.contacts.mu.__setitem__(0, -1), "contacts/mu row 0"),
            (lambda f: f.bodies.masses.__setitem__(1, np.nan), "masses"),
            (lambda f: f.contacts.pairs.__setitem__((0, 1), 7), "pairs"),
            (lambda f: f.contacts.normals.__imul__(2), "normals"),
        ],
    )
    def test_what_a_view_wrote_is_checked_before_the_solve(self, change, words):
        frame = box()
        change(frame)
        with pytest.raises(perpend.InputError, match=words) as caught:
            perpend.solve(frame)
        assert "\n" not in str(caught.value)

    def test_shapes(self):
        frame = box()
        with pytest.raises(
            perpend.InputError, match=r"contacts/mu has the shape \(2,\), expected \(1,\)"
        ):
            frame.contacts.mu = [1, 2]
        with pytest.raises(AttributeError, match="choose one of: .*mu"):
            frame.contacts.friction
        with pytest.raises(perpend.InputError, match="contacts/[a-z]+ is missing"):
            perpend.Frame(step=1, contacts={"gap": [0.0]})

    @pytest.mark.parametrize(
        "column, value, words",
        [
            ("pairs", [[0.5, 1.0]], "a number that is not whole"),
            ("pairs", [[np.nan, 1.0]], "a number that is not whole"),
            ("pairs", np.array([[0, 2**63 + 1]], np.uint64), "a number that is not whole"),
            ("mu", np.array([0.5 + 1j]), "complex numbers"),
            ("mu", np.ma.array([0.5], mask=[True]), "masked numbers"),
            ("mu", ["0.5"], "no array of numbers"),
            ("normals", [[0, 0], [1]], "no array of numbers"),
        ],
    )
    def test_a_column_takes_no_number_that_would_change(self, column, value, words):
        frame = box()
        with pytest.raises(perpend.InputError, match=f"^frame: contacts/{column} (has|is) {words}"):
            setattr(frame.contacts, column, value)
        assert perpend.solve(frame).status == "converged"

    def test_rows_are_counted_in_arrays(self):
        for groups, words in [
            ({"bodies": {"masses": 1.0}}, "bodies/masses is no array of rows"),
            ({"constraints": {"rows": [1.5]}}, "constraints/rows has a number that is not whole"),
            ({"constraints": {"rows": [10**6] * 11}}, "constraints/rows has 1000000"),
        ]:
            with pytest.raises(perpend.InputError, match=words):
                perpend.Frame(step=0.1, **groups)

    def test_rows_are_not_taken_for_columns(self, blocks):
        result = perpend.solve(blocks[3])
        rows = result.contact_impulses
        for same in (rows, rows.ravel(), rows.reshape(-1, 1), rows.tolist()):
            assert perpend.measure(blocks[3], same)["velocity_error"] < 1e-8
        for wrong, words in [(rows.T, r"\(3, 4\), expected rows of 3"), (rows * 1j, "complex")]:
            with pytest.raises(perpend.InputError, match=words):
                perpend.measure(blocks[3], wrong)
            with pytest.raises(perpend.InputError, match=words):
                perpend.solve(blocks[3], warm_start=wrong)

    @pytest.mark.parametrize(
        "call, line",
        [
            (lambda f: perpend.solve(f, 3), "solve() takes (frame: object, solver: str = "
             "'ncp/auto', **kwargs), not (Frame, int)"),
            (lambda f: perpend.measure(f), "measure() takes (frame: object, impulses: object, "
             "joint_impulses: object = None), not (Frame)"),
            (lambda f: perpend.assemble(), "assemble() takes (frame: object), not ()"),
            (lambda f: perpend.write_fclib(f, np.zeros(1)), "write_fclib() takes (frame: object, "
             "path: os.PathLike, global_: bool = False, title: str = ''), not (Frame, ndarray)"),
            (lambda f: perpend.open(None), "open() takes (path: os.PathLike), not (NoneType)"),
            (lambda f: setattr(f, "step", "x"), "this property takes (float), not (str)"),
            (lambda f: f.contacts[0], "__getitem__() takes (name: str), not (int)"),
            (lambda f: perpend.World("stack:1").step("x"), "step() takes (count: int), not (str)"),
        ],
    )  # fmt: skip
    def test_wrong_arguments_are_one_line(self, call, line):
        with pytest.raises(TypeError) as caught:
            call(box())
        assert str(caught.value) == line
        with pytest.raises(TypeError, match=r"^Frame\(\) takes .*, not \(bodies=list\)$"):
            perpend.Frame(bodies=[1])

    def test_a_problem_too_large_is_not_made(self):
        with pytest.raises(perpend.InputError, match="lcp needs .* bytes, the memory limit is"):
            perpend.formulate(box(), "lcp", facets=10**8)

    def test_impulses_of_another_length_have_no_unknowns(self):
        for name in perpend.formulations():
            problem = perpend.formulate(box(), name)
            for wrong in ([], [1.0], np.zeros(4)):
                with pytest.raises(ValueError, match="expected 3"):
                    problem.unknowns(wrong)
            assert problem.unknowns(np.zeros(3)).shape == (problem.size,)

    def test_a_matrix_with_a_wrong_place_is_not_multiplied(self):
        for columns, starts in [([5], [0, 1]), ([-1], [0, 1]), ([0], [0, 9]), ([0], [-3, 1])]:
            matrix = perpend.Matrix(np.ones(1), np.array(columns), np.array(starts), 1, 2)
            with pytest.raises(ValueError, match="row 0"):
                matrix @ np.ones(2)

    def test_a_frame_needs_its_step(self):
        with pytest.raises(perpend.InputError, match="frame: step is missing"):
            perpend.Frame(bodies={"masses": [1.0]})

    def test_a_wrong_index(self, blocks):
        with pytest.raises(IndexError, match="no frame 99"):
            perpend.open(str(FRAMES / "blocks.jsonl"))[99]
        assert [f.name for f in perpend.open(FRAMES / "blocks.jsonl")[1:6:2]] == [
            f.name for f in blocks[1:6:2]
        ]

    def test_a_bad_frame_is_not_recorded(self, tmp_path):
        frame = box()
        frame.contacts.mu[0] = np.nan
        for name in ("run.h5", "run.jsonl"):
            with pytest.raises(perpend.InputError, match="frame: contacts/mu row 0 is not finite"):
                perpend.write(tmp_path / name, [box(), frame])


class TestObjects:
    def test_frames_and_results_are_pickled(self):
        frame = box()
        again = pickle.loads(pickle.dumps(frame))
        assert np.array_equal(again.contacts.normals, frame.contacts.normals)
        result = perpend.solve(frame, history=True)
        back = pickle.loads(pickle.dumps(result))
        assert back.errors == result.errors and back.status == result.status
        assert np.array_equal(back.impulses, result.impulses)
        for name, column in result.history.items():
            assert np.array_equal(back.history[name], column)
        assert np.array_equal(copy.copy(frame).bodies.masses, frame.bodies.masses)
        assert np.array_equal(back.contact_impulses, result.contact_impulses)
        assert back.joint_impulses.shape == (0,)

    def test_a_pickled_frame_lacks_nothing(self, program, tmp_path, blocks):
        path = tmp_path / "run.h5"
        perpend.run("simulate", "chain:2", "--steps", 2, "--out", path)
        bad = box()
        bad.contacts.mu[0] = np.nan  # to be looked at elsewhere
        for frame in [*blocks, *perpend.read(FRAMES / "joints.jsonl"), perpend.open(path)[1], bad]:
            for again in (pickle.loads(pickle.dumps(frame)), copy.deepcopy(frame)):
                assert again.to_json() == frame.to_json()
                assert (again.tags, again.answered) == (frame.tags, frame.answered)
                for group in ("bodies", "contacts", "constraints", "solution", "timing", "system"):
                    for name, column in dict(getattr(frame, group)).items():
                        there = getattr(again, group)[name]
                        if column is None:
                            assert there is None
                        else:
                            assert there.tobytes() == column.tobytes(), (group, name)
        again.contacts.mu[0] = 0.1
        assert np.isnan(bad.contacts.mu[0])

    def test_a_pickled_system_is_the_system(self, blocks):
        system = perpend.assemble(blocks[3])
        system.b[0] -= 0.5
        again = pickle.loads(pickle.dumps(system))
        assert again.A.data.tobytes() == system.A.data.tobytes()
        assert np.array_equal(perpend.solve(again).impulses, perpend.solve(system).impulses)

    def test_columns_are_a_mapping(self):
        columns = box().contacts
        columns["mu"] = [0.25]
        assert "mu" in columns and "friction" not in columns and len(columns) == len(list(columns))
        assert dict(columns)["mu"][0] == columns.mu[0] == 0.25

    def test_a_path_is_a_path(self, tmp_path, blocks):
        path = tmp_path / "run.h5"
        perpend.write(path, blocks[:1])
        assert perpend.kind_of(path) == "perpend" and perpend.validate(path) == []
        perpend.write_fclib(blocks[0], tmp_path / "p.h5")
        world = perpend.World("stack:1")
        world.scene.write(tmp_path / "scene.json")
        world.save().write(tmp_path / "s.json")
        assert perpend.read_snapshot(tmp_path / "s.json").step == 0

    def test_they_say_what_they_are(self):
        frame = box()
        assert repr(frame) == "<Frame: 2 bodies, 1 contact, h = 0.01 s, t = 0 s>"
        assert "1 contact" in repr(perpend.assemble(frame))
        result = perpend.solve(frame)
        assert "converged" in repr(result) and "velocity_error" in result._repr_html_()
        assert "<table>" in frame._repr_html_()


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(
    column=st.sampled_from(["mu", "gap", "pairs", "group", "normals"]),
    value=st.recursive(
        st.none() | st.integers() | st.floats() | st.booleans() | st.text(max_size=3)
        | st.complex_numbers(),
        lambda part: st.lists(part, max_size=3),
        max_leaves=6,
    ),
    kind=st.sampled_from([None, "f4", "f8", ">f8", "i1", "u8", "c16", "O", "U5"]),
)  # fmt: skip
def test_any_value_is_what_the_column_then_has_or_an_error_of_one_line(column, value, kind):
    frame = box()
    try:
        value = value if kind is None else np.array(value, kind)
    except (ValueError, TypeError, OverflowError):
        pass  # numpy's own
    try:
        setattr(frame.contacts, column, value)
    except perpend.InputError as error:
        assert f"contacts/{column}" in str(error) and "\n" not in str(error)
        return
    there = getattr(frame.contacts, column)
    if value is None:
        assert there is None
    else:
        assert np.array_equal(there.ravel(), np.ravel(value).astype(float), equal_nan=True)
    try:
        perpend.solve(frame)
    except perpend.InputError as error:
        assert "\n" not in str(error)


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(
    mu=st.integers(0, 200),
    gap=st.integers(-1000, 1000),
    speed=st.tuples(*[st.integers(-3000, 3000)] * 3),
)
def test_any_single_contact_obeys_coulomb_and_survives_a_file(tmp_path_factory, mu, gap, speed):
    mu, gap = mu / 100, gap * 1e-6
    frame = box(mu, gap, [v / 1000 for v in speed])
    result = perpend.solve(frame, tolerance=1e-9)
    assert result.status == "converged"
    n, t, o = result.contact_impulses[0]
    assert np.hypot(t, o) <= mu * n + 1e-8
    path = tmp_path_factory.mktemp("frames") / "one.jsonl"
    perpend.write(path, frame)
    assert perpend.measure(perpend.read(path)[0], result.impulses) == perpend.measure(
        frame, result.impulses
    )
    os.unlink(path)
