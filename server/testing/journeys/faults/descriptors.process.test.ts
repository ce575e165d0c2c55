/** A process without free file descriptors: it returns 503 as long as it can, does not exit, and recovers by itself. */
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

const is_linux = process.platform === 'linux';
const descriptors = 300;

describeUnlessMissing(
  is_linux ? undefined : 'Linux, whose /proc counts descriptors',
  'a process without free descriptors',
  () => {
    let service: Service;
    let media_port = 0;
    beforeAll(async () => {
      service = await startService({
        descriptors,
        configure: (port) => ({ MEDIA_PORT: String((media_port = port + 1)) }),
      });
    });
    afterAll(() => service.close());

    /** The status of the reply on a separate connection; 0 when it is closed. */
    const statusOf = (port: number, path: string): Promise<number> =>
      new Promise((resolve) => {
        get({ port, path, host: '127.0.0.1', agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        }).on('error', () => resolve(0));
      });

    async function openMany(port: number): Promise<Socket[]> {
      const sockets = Array.from({ length: descriptors * 2 }, () => connect(port, '127.0.0.1'));
      for (const socket of sockets) socket.on('error', () => undefined).resume();
      await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
      return sockets;
    }

    it.each(['the API', 'the media server'])(
      '%s returns 503 or closes connections, and recovers afterwards',
      async (which) => {
        const api_port = Number(new URL(service.url).port);
        const [port, path] = which === 'the API' ? [api_port, '/health/live'] : [media_port, '/'];
        await poll(async () => (await statusOf(port, path)) === 200, `${which} to serve`);
        const sockets = await openMany(port);
        // Some of the rejected connections send a request before they are closed, and receive a reply.
        await poll(async () => (await statusOf(port, path)) === 503, `${which} to return 503`);
        for (const socket of sockets) socket.destroy();
        await poll(async () => (await statusOf(port, path)) === 200, `${which} to serve again`);
        expect(service.process.exitCode).toBe(null);
      },
    );
  },
);
