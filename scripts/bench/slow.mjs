// A slow network in front of a server. Chromium's own (Network.emulateNetworkConditions) leaves out what workers and
// the service worker fetch, so bytes are held back here instead.
import { connect, createServer } from 'node:net';

/** Mbit/s on the way down and the round trip in milliseconds. */
export const slow4G = { down: 1.6, roundTrip: 150 };

const packet = 1460;

/**
 * Starts a proxy on a loopback address in front of another one. A connection costs one round trip before its first
 * byte, every byte half of one
 * in each direction, and what comes down shares the rate, packet by packet in turn. Uploads are only delayed.
 */
export async function slow(target, { down, roundTrip }) {
  const { hostname, port } = new URL(target);
  const ready = new Set(); // connections with something to send down, in turn
  const sockets = new Set();
  const perMillisecond = (down * 1e6) / 8 / 1000;
  let credit = 0, last = performance.now(), timer = null;

  function tick() {
    const now = performance.now();
    credit += (now - last) * perMillisecond;
    last = now;
    while (credit > 0 && ready.size > 0) {
      const [line] = ready;
      ready.delete(line);
      const part = line.queue[0].subarray(0, packet);
      line.queue[0] = line.queue[0].subarray(part.length);
      if (line.queue[0].length === 0) line.queue.shift();
      line.client.write(part);
      credit -= part.length;
      if (line.queue.length > 0) ready.add(line);
      else if (line.ended) line.client.end();
    }
    if (ready.size === 0) {
      clearInterval(timer);
      timer = null;
    }
  }

  function send(line) {
    ready.add(line);
    if (timer === null) {
      credit = Math.min(credit, 0); // an idle line saves nothing up
      last = performance.now();
      timer = setInterval(tick, 2);
    }
  }

  const server = createServer((client) => {
    const upstream = connect(port, hostname);
    const line = { client, queue: [], ended: false };
    const opened = performance.now() + roundTrip;
    const finish = () => {
      line.ended = true;
      if (line.queue.length === 0) client.end();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('error', () => upstream.destroy());
    client.on('close', () => {
      upstream.destroy();
      line.queue = [];
      ready.delete(line);
    });
    client.on('data', (data) => setTimeout(() => {
      if (upstream.writable) upstream.write(data);
      else client.destroy(); // too late, as on any network: the browser asks again on another connection
    }, Math.max(0, opened - performance.now()) + roundTrip / 2));
    upstream.on('data', (data) => setTimeout(() => {
      if (client.destroyed) return;
      line.queue.push(data);
      send(line);
    }, roundTrip / 2));
    upstream.on('error', () => {}); // what arrived before it is delivered
    upstream.on('close', () => setTimeout(finish, roundTrip / 2));
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
