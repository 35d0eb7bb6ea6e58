"""Makes the package's wheel by the standard library alone (PEP 517), so that `pip install ./python` needs no network.

    python3 python/build_backend.py FOLDER FILE...

makes a wheel that carries these files, libregard.so and models with their examples, in the package."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sys
import sysconfig
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def project(key: str) -> str:
    found = re.search(rf'^{key} = "(.*)"$', (HERE / "pyproject.toml").read_text(), re.MULTILINE)
    assert found, key
    return found[1]


def metadata() -> str:
    return (f"Metadata-Version: 2.1\nName: regard\nVersion: {project('version')}\nSummary: {project('description')}\nLicense: MIT\n"
            f"Requires-Python: {project('requires-python')}\nProvides-Extra: numpy\nRequires-Dist: numpy; extra == 'numpy'\n")


def make(folder: str, files: list[Path]) -> str:
    """Makes a wheel, the same bytes of the same files, and returns its name."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_") if files else "any"
    version, tag = project("version"), f"py3-none-{platform}"
    info, name = f"regard-{version}.dist-info", f"regard-{version}-{tag}.whl"
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800))[:6]
    members = {f"regard/{path.name}": path.read_bytes() for path in sorted(HERE.glob("regard/*")) if path.suffix in (".py", ".typed")}
    for path in files:
        models = "" if ".so" in path.suffixes else "models/"
        members[f"regard/{models}{path.name}"] = path.read_bytes()
    members[f"{info}/METADATA"] = metadata().encode()
    pure = "false" if files else "true"
    members[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: regard\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode()
    record = ""
    for member, data in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{member},sha256={digest},{len(data)}\n"
    members[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(Path(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for member, data in members.items():
            item = zipfile.ZipInfo(member, date)
            item.compress_type, item.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(item, data)
    return name


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    return make(wheel_directory, [])


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    raise NotImplementedError("Regard's source is its repository; install from there")


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(Path(sys.argv[1], make(sys.argv[1], [Path(file) for file in sys.argv[2:]])))
