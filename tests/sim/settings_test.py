"""The list of Bullet's settings (src/sim/settings.inc) against Bullet's headers and the page."""

import os
import re
import subprocess
import sys
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(ROOT / "scripts"))
import settings  # noqa: E402

BULLET = Path("/usr/include/bullet")
JOINTS = "BulletDynamics/ConstraintSolver"
# Other headers with a class of that kind would be new.
OTHERS = {
    "btBatchedConstraints", "btConstraintSolver", "btJacobianEntry", "btNNCGConstraintSolver",
    "btSequentialImpulseConstraintSolver", "btSequentialImpulseConstraintSolverMt",
    "btSolve2LinearConstraint", "btSolverBody", "btSolverConstraint",
}  # fmt: skip
CLASSES = {
    "BulletCollision/CollisionDispatch/btCollisionObject": ["btCollisionObject"],
    "BulletDynamics/Dynamics/btRigidBody": ["btRigidBody", "btRigidBodyConstructionInfo"],
    "BulletCollision/BroadphaseCollision/btDispatcher": ["btDispatcherInfo"],
    f"{JOINTS}/btTypedConstraint": ["btTypedConstraint", "btJointFeedback"],
    f"{JOINTS}/btPoint2PointConstraint": ["btPoint2PointConstraint", "btConstraintSetting"],
    f"{JOINTS}/btHingeConstraint": ["btHingeConstraint", "btHingeAccumulatedAngleConstraint"],
    f"{JOINTS}/btHinge2Constraint": ["btHinge2Constraint"],
    f"{JOINTS}/btSliderConstraint": ["btSliderConstraint"],
    f"{JOINTS}/btGeneric6DofConstraint": [
        "btGeneric6DofConstraint",
        "btRotationalLimitMotor",
        "btTranslationalLimitMotor",
    ],
    f"{JOINTS}/btGeneric6DofSpringConstraint": ["btGeneric6DofSpringConstraint"],
    f"{JOINTS}/btGeneric6DofSpring2Constraint": [
        "btGeneric6DofSpring2Constraint",
        "btRotationalLimitMotor2",
        "btTranslationalLimitMotor2",
    ],
    f"{JOINTS}/btConeTwistConstraint": ["btConeTwistConstraint"],
    f"{JOINTS}/btGearConstraint": ["btGearConstraint"],
    f"{JOINTS}/btUniversalConstraint": ["btUniversalConstraint"],
    f"{JOINTS}/btFixedConstraint": ["btFixedConstraint"],
    f"{JOINTS}/btContactConstraint": ["btContactConstraint"],
    f"{JOINTS}/btContactSolverInfo": ["btContactSolverInfo"],
}
VERBS = "set|enable|apply|clear|force|activate|translate|proceed|internalSet"


def stripped(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"#ifdef IN_PARALLELL_SOLVER.*?#endif", "", text, flags=re.S)
    return re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.M)


def public(text, name):
    """What a class or struct declares as public, without the bodies of functions."""
    head = re.search(rf"\b(class|struct)\)?\s+{name}\b[^;{{]*\{{", text)
    body, depth, at = "", 1, head.end()
    while depth > 0:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 1:
            body += ";" if text[at] == "}" else text[at]
        at += 1
    parts = re.split(r"\b(public|protected|private)\s*:", body)
    shown = [part for access, part in zip(parts[1::2], parts[2::2]) if access == "public"]
    return ("" if head[1] == "class" else parts[0]) + "".join(shown)


def settable(text, name):
    """The setters and fields of a class."""
    shown = public(text, name)
    if name == "btContactSolverInfo":
        shown += public(text, name + "Data")
    names = set(re.findall(rf"\bvoid\s+((?:{VERBS})\w*)\s*\(", shown))
    for declaration in re.sub(r"\([^()]*\)", "()", shown).split(";"):
        field = re.search(r"\b(m_\w+)\s*(\[\d*\])?\s*$", declaration)
        if field and "(" not in declaration:
            names.add(field[1])
    return names


class List(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.listed = settings.settings(settings.LIST.read_text(encoding="utf-8"))

    def names(self, of):
        return [name for c, names, _, _ in self.listed if c == of for name in names]

    @unittest.skipUnless(BULLET.is_dir(), "Bullet's headers are not here")
    def test_has_every_setter_and_field_of_bullets_headers_once(self):
        for header, classes in CLASSES.items():
            text = stripped((BULLET / f"{header}.h").read_text(encoding="utf-8"))
            for of in classes:
                with self.subTest(of):
                    found = settable(text, of)
                    listed = [name for name in self.names(of) if ":" not in name]
                    for name in found:
                        covers = [one for one in listed if fnmatchcase(name, one)]
                        self.assertEqual(len(covers), 1, f"{name} is listed as {covers}")
                    for one in listed:
                        self.assertTrue(any(fnmatchcase(name, one) for name in found), one)
        self.assertGreater(len(settable(text, "btContactSolverInfo")), 30)

    @unittest.skipUnless(BULLET.is_dir(), "Bullet's headers are not here")
    def test_knows_every_joint_of_bullet(self):
        headers = {f"{JOINTS}/{path.stem}" for path in (BULLET / JOINTS).glob("bt*.h")}
        self.assertEqual(headers - set(CLASSES) - {f"{JOINTS}/{name}" for name in OTHERS}, set())

    def test_knows_no_other_class(self):
        known = {of for classes in CLASSES.values() for of in classes}
        self.assertEqual({of for of, *_ in self.listed} - known, set())

    def test_makes_the_table_of_the_page(self):
        script = ROOT / "scripts/settings.py"
        done = subprocess.run(
            [sys.executable, "-B", script, "--check"], capture_output=True, text=True
        )
        self.assertEqual((done.stdout, done.returncode), ("", 0))

    def test_a_page_with_another_table_is_noticed(self):
        text = settings.PAGE.read_text(encoding="utf-8")
        other = [("btRigidBody", ["setColour"], "ignored", "bodies are grey")]
        self.assertIn("`setColour`: bodies are grey", settings.page(text, other))
        self.assertNotEqual(settings.page(text, other), text)


if __name__ == "__main__":
    unittest.main()
