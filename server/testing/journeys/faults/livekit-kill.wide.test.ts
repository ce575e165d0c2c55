/**
 * LiveKit is killed while a call runs and others use the service: they notice nothing, the call goes on when LiveKit is back,
 * and nothing is left behind.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { hasLiveKit, startLiveKitNode, type LiveKitNode } from '../../../../sfu/testing/livekit-nodes.ts';
import { hearFrom } from '../../../../sfu/testing/tones.ts';
import { terms } from '../../../domain/calls/state/call-machine.ts';
import { joinWithTone, type JoinedParticipant } from '../../running/call-crowd.ts';
import { countConnections } from '../../running/open-connections.ts';
import { requestAs, signUp, type RunningPerson } from '../../running/running-people.ts';
import { freePort, poll, startService, type Service } from '../../running/running-service.ts';

/** How long clients try to reconnect, and how long the service waits for somebody who does. */
const rejoin_ms = 60_000;
const rounds = 2;
/** So many requests of others are answered before, during and after each outage. */
const requests_of_phase = 100;
/** How much longer the slowest twentieth of their requests may take during an outage, and how long in any case. */
const bearable_factor = 3;
const bearable_ms = 500;
const hertz = { ada: 440, ben: 660 };
type Name = keyof typeof hertz;

describeUnlessMissing(
  hasLiveKit() ? undefined : '.cache/bin/livekit-server',
  'LiveKit is killed while a call runs',
  () => {
    const api = { api_key: 'killed', api_secret: randomBytes(24).toString('hex') };
    const people = {} as Record<Name | 'cleo' | 'dora', RunningPerson>;
    const joined = {} as Record<Name, JoinedParticipant>;
    let start: () => Promise<LiveKitNode>;
    let node: LiveKitNode;
    let service: Service;
    let livekit_port = 0;
    let log = '';

    beforeAll(async () => {
      livekit_port = await freePort();
      const ports = { port: livekit_port, udp_port: await freePort() };
      start = () =>
        startLiveKitNode({ ...api, ...ports, webhook_url: `${service?.url ?? 'http://127.0.0.1:9'}/v1/media/webhook` });
      node = await start();
      service = await startService({
        is_program: true,
        environment: {
          LIVEKIT_URL: `http://127.0.0.1:${ports.port}`,
          LIVEKIT_API_KEY: api.api_key,
          LIVEKIT_API_SECRET: api.api_secret,
        },
      });
      service.process.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
      for (const [at, name] of (['ada', 'ben', 'cleo', 'dora'] as const).entries())
        people[name] = await signUp(service, name, `+1415555010${at}`);
    });
    afterAll(async () => {
      for (const { leave } of Object.values(joined)) await leave();
      await service?.close();
      await node?.kill();
    });

    const bothHear = () =>
      Promise.all([
        hearFrom(joined.ada.room, people.ben.id, hertz.ben, rejoin_ms),
        hearFrom(joined.ben.room, people.ada.id, hertz.ada, rejoin_ms),
      ]);

    it('lets others go on as before, and the call when it is back', async () => {
      const call = await requestAs(service, people.ada, 'POST /calls', { to: [{ user_id: people.ben.id }] });
      for (const name of ['ada', 'ben'] as const)
        joined[name] = await joinWithTone(service, people[name], call.join_code, hertz[name]);
      expect(await bothHear()).toEqual([true, true]);

      const odd = new Set<string>();
      const over = new AbortController();
      let answered = 0;
      let durations_ms: number[] = [];
      /** Requests that need no media server: each is answered, and soon. */
      const useService = async (name: 'cleo' | 'dora') => {
        for (let at = 0; !over.signal.aborted; at++) {
          const [route, body] =
            at % 2 ? (['POST /contacts', { name: `Contact ${at}` }] as const) : (['GET /home'] as const);
          const began_ms = performance.now();
          const { status } = await service.call(route, {
            token: people[name].token,
            body,
            ...(body && { headers: { 'idempotency-key': randomUUID() } }),
          });
          durations_ms.push(performance.now() - began_ms);
          answered += 1;
          if (![200, 201].includes(status)) odd.add(`${route}: ${status}`);
        }
      };
      /** Calls, which need it: they are refused while it is away. */
      const callOthers = async () => {
        while (!over.signal.aborted) {
          const started = await service.call('POST /calls', { token: people.dora.token, body: { to: [] } });
          const grant = await service.call(`POST /calls/${started.body.join_code}/sfu-grant`, {
            token: people.dora.token,
            body: {},
          });
          const ended = await service.call('DELETE /calls/active', { token: people.dora.token });
          for (const { status } of [started, grant, ended])
            if (![200, 201, 204, 503].includes(status)) odd.add(`a call: ${status}`);
        }
      };
      onTestFinished(() => over.abort());
      const working = [useService('cleo'), useService('dora'), callOthers()];
      const awaitOthers = async () => {
        const until = answered + requests_of_phase;
        durations_ms = [];
        await poll(async () => answered >= until, 'answers to others');
        return durations_ms.toSorted((one, other) => one - other).at(Math.floor(0.95 * durations_ms.length)) ?? 0;
      };
      const usual_ms = await awaitOthers();
      for (let round = 0; round < rounds; round++) {
        await node.kill();
        expect(await awaitOthers()).toBeLessThan(Math.max(bearable_ms, bearable_factor * usual_ms));
        node = await start();
        expect(await bothHear()).toEqual([true, true]);
        await awaitOthers();
      }
      over.abort();
      await Promise.all(working);
      expect([...odd]).toEqual([]);
      expect([service.process.exitCode, service.process.signalCode]).toEqual([null, null]);
      expect(log).not.toContain('an error was left unhandled');
      const { participants, state } = await requestAs(service, people.ada, `GET /calls/${call.join_code}`);
      expect([state, participants.map((one: { state: string }) => one.state)]).toEqual(['live', ['joined', 'joined']]);
    });

    it('ends a call whose people do not come back', async () => {
      const { join_code } = await requestAs(service, people.ada, 'GET /calls/active');
      await node.kill();
      for (const { leave } of Object.values(joined)) await leave();
      node = await start();
      const look = () => requestAs(service, people.ada, `GET /calls/${join_code}`);
      const areGone = async () => (await look()).participants.every(({ state }: { state: string }) => state === 'left');
      await poll(areGone, 'everybody to have left', rejoin_ms);
      await poll(async () => (await look()).state === 'ended', 'the end of the call', 2 * terms.empty_s * 1000);
      for (const name of ['ada', 'ben'] as const)
        expect((await service.call('GET /calls/active', { token: people[name].token })).status).toBe(404);
      // Clients may hold a socket of an attempt that they gave up, so connections are counted once all have left.
      const connections = () => countConnections(service.process.pid ?? 0, livekit_port);
      await poll(async () => connections() === 0, 'connections to LiveKit to be closed', 20_000);
    });
  },
);
