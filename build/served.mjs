// The built site on its real server, for scripts that visit it: $RANKBOX_BUILD serves it.
import { spawn } from 'node:child_process';

/** Starts the server: {origin, stop}. */
export async function served() {
  const server = spawn(process.env.RANKBOX_BUILD, ['serve', '-built', '-quiet'],
    { stdio: ['ignore', 'pipe', 'inherit'] });
  const origin = await new Promise((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      const line = text.match(/^(http:\/\/\S+)\/\n/m);
      if (line) resolve(line[1]);
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { origin, stop: () => server.kill('SIGTERM') };
}
