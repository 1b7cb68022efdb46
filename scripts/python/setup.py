"""Builds the wheel. Where rankbox/rankbox-PLATFORM is there (see build_wheel.py), the wheel is of that platform; otherwise it is of none, and the
program is looked for where it is installed."""

import os

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel


class Wheel(bdist_wheel):
    def finalize_options(self) -> None:
        super().finalize_options()
        self.platform_tag = os.environ.get("RANKBOX_WHEEL", "")
        if self.platform_tag:
            self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", self.platform_tag or "any"


setup(cmdclass={"bdist_wheel": Wheel})
