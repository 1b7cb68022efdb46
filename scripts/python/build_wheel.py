"""Builds the wheel of a platform with the program inside: python build_wheel.py [linux-amd64] [--out FOLDER] [--program FILE].

It needs Go, and pip with setuptools. The program is compiled without C and so is one file that needs no library of the system; any
Go compiles for any of the platforms. --program takes one that is compiled already. With SOURCE_DATE_EPOCH the same program gives
the same wheel."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# platform → GOOS, GOARCH, the wheel's tag
PLATFORMS = {
    "linux-amd64": ("linux", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"),
    "linux-arm64": ("linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"),
    "darwin-amd64": ("darwin", "amd64", "macosx_12_0_x86_64"),
    "darwin-arm64": ("darwin", "arm64", "macosx_12_0_arm64"),
    "windows-amd64": ("windows", "amd64", "win_amd64"),
    "windows-arm64": ("windows", "arm64", "win_arm64"),
}


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("platform", nargs="?", default="linux-amd64", choices=sorted(PLATFORMS))
    args.add_argument("--out", type=Path, default=HERE / "dist")
    args.add_argument("--program", type=Path, help="the program, compiled for the platform")
    asked = args.parse_args()
    system, machine, tag = PLATFORMS[asked.platform]
    program = HERE / "rankbox" / ("rankbox-program.exe" if system == "windows" else "rankbox-program")
    try:
        if asked.program:
            shutil.copyfile(asked.program, program)
            program.chmod(0o755)
        else:
            go = {**os.environ, "CGO_ENABLED": "0", "GOOS": system, "GOARCH": machine}
            build = ["go", "build", "-trimpath", "-ldflags", "-s -w", "-o", str(program), "./cmd/rankbox"]
            subprocess.run(build, cwd=HERE.parent.parent, env=go, check=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(asked.out), str(HERE)],
            env={**os.environ, "RANKBOX_WHEEL": tag},
            check=True,
        )
    finally:
        program.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
