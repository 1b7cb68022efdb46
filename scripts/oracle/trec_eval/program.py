"""Fetches the trec_eval program, 9.0.4, which comes inside a Maven package: program(folder) returns its path.

Usage: python3 program.py FOLDER
"""
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import zipfile

PACKAGE = 'uk.ac.gla.dcs.terrierteam:jtreceval:0.0.5'
VERSION = '9.0.4'
# What the package holds, by system and machine, and the SHA-256 of what was measured and compared with.
BINARIES = {('Linux', 'x86_64'): 'trec_eval-linux-amd64', ('Darwin', 'x86_64'): 'trec_eval-macosx-x86_64', ('Darwin', 'arm64'): 'trec_eval-macosx-x86_64'}
SHA256 = {'trec_eval-linux-amd64': 'a282ee9c22966f306c4bcbbfda9142ff22f371012a2994782194e6afdadbe6e4'}


class Absent(Exception):
    """The program cannot be had on this machine."""


def program(folder):
    """Returns the path of the program in folder, fetched with Maven where it is not there yet."""
    name = BINARIES.get((platform.system(), platform.machine()))
    if not name:
        raise Absent(f'{PACKAGE} has no trec_eval for {platform.system()} {platform.machine()}')
    path = os.path.join(folder, f'trec_eval-{VERSION}')
    if not os.path.exists(path):
        if not shutil.which('mvn'):
            raise Absent('there is no mvn to fetch trec_eval with')
        os.makedirs(folder, exist_ok=True)
        done = subprocess.run(['mvn', '-q', '-B', 'dependency:copy', f'-Dartifact={PACKAGE}', f'-DoutputDirectory={folder}'], cwd=folder, capture_output=True, text=True)
        group, artifact, version = PACKAGE.split(':')
        jar = os.path.join(folder, f'{artifact}-{version}.jar')
        if done.returncode or not os.path.exists(jar):
            raise Absent(f'mvn could not fetch {PACKAGE}: {(done.stdout + done.stderr).strip()[-300:]}')
        with zipfile.ZipFile(jar) as z, open(path + '.part', 'wb') as f:
            f.write(z.read(name))
        os.chmod(path + '.part', 0o755)
        os.rename(path + '.part', path)
    with open(path, 'rb') as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    if digest != SHA256.get(name, digest):
        raise Absent(f'{path} is another program than expected (SHA-256 {digest}): remove it')
    return path


if __name__ == '__main__':
    try:
        print(program(os.path.abspath(sys.argv[1])))
    except Absent as e:
        sys.exit(f'program.py: {e}')
