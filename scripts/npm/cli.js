#!/usr/bin/env node
// Runs the native program of this platform, which npm installs as an optional package.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

const name = `@rankbox/${process.platform}-${process.arch}`;
let program = process.env.RANKBOX;
if (!program) {
  try {
    const ending = process.platform === 'win32' ? '.exe' : '';
    program = createRequire(import.meta.url).resolve(`${name}/bin/rankbox${ending}`);
  } catch {
    console.error(
      `rankbox: the package ${name} is missing. If there is such a package, npm was told to omit optional ones: ` +
        'install it too. Otherwise build the program with Go, and name it in $RANKBOX.',
    );
    process.exit(3);
  }
}
const done = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
if (done.error) {
  console.error(`rankbox: ${done.error.message}`);
  process.exit(3);
}
process.exit(done.signal ? 128 + (constants.signals[done.signal] ?? 0) : done.status);
