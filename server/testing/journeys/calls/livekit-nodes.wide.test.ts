/**
 * A call over two LiveKit nodes of one Redis: one node is killed during it, and webhooks are lost, duplicated and
 * reordered.
 */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { AccessToken } from 'livekit-server-sdk';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasLiveKit, startLiveKitNode, type LiveKitNode } from '../../../../sfu/testing/livekit-nodes.ts';
import { hearFrom, publishTone } from '../../../../sfu/testing/tones.ts';
import { signUp, type RunningPerson } from '../../running/running-people.ts';
import { freePort, poll, startService, type Service } from '../../running/running-service.ts';
import { startTcpProxy, type TcpProxy } from '../../running/tcp-proxy.ts';
import { startWebhookRelay, type WebhookRelay } from '../../providers/webhook-relay.ts';
import { terms } from '../../../domain/calls/state/call-machine.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

const redis_url = process.env['REDIS_TEST_URL'] ?? '';
/** A separate database, since other tests use the same Redis. */
const redis_db = 6;
const api_key = 'nodes';
/** How long LiveKit's clients try to reconnect: ten times at intervals of 5 s. */
const rejoin_ms = 60_000;
/** How soon the states of the service must be correct, whatever happens to webhooks. */
const converge_ms = 5000;
/**
 * The same for people of a killed node: two polls, since the first one may get no answer. A client that had begun to
 * reconnect before it was gone is awaited first.
 */
const converge_after_kill_ms = terms.joining_s * 1000 + 2 * converge_ms;
const hertz = { ada: 440, ben: 660, cleo: 880 };

type Name = keyof typeof hertz;
type States = Partial<Record<Name, string>>;

describeUnlessMissing(
  redis_url && hasLiveKit() ? undefined : 'REDIS_TEST_URL and .cache/bin/livekit-server',
  'a call over two LiveKit nodes',
  () => {
    const api_secret = randomBytes(24).toString('hex');
    const nodes: LiveKitNode[] = [];
    const people = {} as Record<Name, RunningPerson>;
    const rooms = new Map<Name, { room: Room; disconnect(): Promise<void> }>();
    let redis: Redis;
    let balancer: TcpProxy;
    let relay: WebhookRelay;
    let service: Service;
    let call: { join_code: string };
    /** The name of the call's room at the media server. */
    let room_name = '';

    beforeAll(async () => {
      redis = new Redis(redis_url, { db: redis_db });
      await redis.flushdb();
      relay = await startWebhookRelay(() => `${service.url}/v1/media/webhook`);
      const shared = { redis: { address: new URL(redis_url).host, db: redis_db }, api_key, api_secret };
      for (let count = 0; count < 2; count++) {
        const ports = { port: await freePort(), udp_port: await freePort() };
        nodes.push(await startLiveKitNode({ ...shared, ...ports, webhook_url: relay.url }));
      }
      let next = 0;
      balancer = await startTcpProxy(() => {
        const alive = nodes.filter((node) => node.isAlive());
        return alive[next++ % alive.length]?.port ?? 0;
      });
      const environment = {
        LIVEKIT_URL: `http://127.0.0.1:${balancer.port}`,
        LIVEKIT_API_KEY: api_key,
        LIVEKIT_API_SECRET: api_secret,
      };
      service = await startService({ environment });
      for (const [at, name] of (Object.keys(hertz) as Name[]).entries())
        people[name] = await signUp(service, name, `+1415555010${at}`);
    });
    afterAll(async () => {
      for (const { disconnect } of rooms.values()) await disconnect();
      await service?.close();
      await Promise.all(nodes.map((node) => node.kill()));
      await Promise.all([balancer?.close(), relay?.close()]);
      await redis?.flushdb();
      await redis?.quit();
    });

    const request = async (name: Name, route: string, body?: unknown) => {
      const answer = await service.call(route, { token: people[name].token, body });
      expect([200, 201, 204], `${route}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
      return answer.body;
    };
    const states = async (): Promise<States> => {
      const { participants } = await request('ada', `GET /calls/${call.join_code}`);
      return Object.fromEntries(participants.map(({ name, state }: { name: Name; state: string }) => [name, state]));
    };
    const expectStates = async (expected: States, within_ms = converge_ms) => {
      let last: States = {};
      const isExpected = async () => {
        last = await states();
        return (Object.keys(expected) as Name[]).every((name) => last[name] === expected[name]);
      };
      await poll(isExpected, 'the expected states', within_ms).catch((cause: unknown) => {
        throw new Error(`after ${within_ms} ms it is ${JSON.stringify(last)}`, { cause });
      });
    };
    const join = async (name: Name) => {
      const grant = await request(name, `POST /calls/${call.join_code}/sfu-grant`, {});
      room_name = grant.room;
      const room = new Room();
      await room.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
      const tone = await publishTone(room, hertz[name]);
      const disconnect = async () => {
        rooms.delete(name);
        await tone.stop();
        await room.disconnect();
      };
      rooms.set(name, { room, disconnect });
      return room;
    };
    const findNodeOfRoom = async () => {
      const node_id = await redis.hget('room_node_map', room_name);
      return nodes.find((item) => item.node_id === node_id);
    };
    const bothReceiveAudio = (within_ms?: number) =>
      Promise.all([
        hearFrom(rooms.get('ada')!.room, people.ben.id, hertz.ben, within_ms),
        hearFrom(rooms.get('ben')!.room, people.ada.id, hertz.ada, within_ms),
      ]);

    it('forwards the audio of people who joined by different nodes', async () => {
      call = await request('ada', 'POST /calls', { to: [{ user_id: people.ben.id }, { user_id: people.cleo.id }] });
      for (const name of ['ada', 'ben', 'cleo'] as const) await join(name);
      expect(await bothReceiveAudio()).toEqual([true, true]);
      await expectStates({ ada: 'joined', ben: 'joined', cleo: 'joined' });
    });

    it('rejects a webhook signed with another key or for another body, and accepts the original', async () => {
      const original = await poll(
        async () => relay.sent.find(({ kind }) => kind === 'participant_joined'),
        'a webhook',
      );
      const { raw_body, authorization } = original;
      const forged = new AccessToken(api_key, 'another secret of the same length as ours');
      const { sha256 } = JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
      forged.sha256 = sha256;
      expect(await relay.deliver({ raw_body, authorization: await forged.toJwt() })).toBe(401);
      expect(await relay.deliver({ raw_body: raw_body.replace('joined', 'left'), authorization })).toBe(401);
      expect(await relay.deliver({ raw_body, authorization: '' })).toBe(401);
      expect(await relay.deliver({ raw_body, authorization })).toBe(200);
    });

    it('has correct states within 5 s, while webhooks are lost, duplicated and reordered', async () => {
      for (let round = 0; round < 4; round++) {
        await rooms.get('ben')!.disconnect();
        await expectStates({ ada: 'joined', ben: 'left', cleo: 'joined' });
        await join('ben');
        await expectStates({ ada: 'joined', ben: 'joined', cleo: 'joined' });
      }
      expect(relay.dropped).toEqual(expect.arrayContaining(['participant_joined', 'participant_left']));
      expect(relay.duplicated).toEqual(expect.arrayContaining(['participant_joined', 'participant_left']));
      expect(relay.reordered()).toBeGreaterThan(0);
    });

    it('continues the call when its node is killed: its people reconnect to the other node', async () => {
      const room_node = await findNodeOfRoom();
      const reconnects = (['ada', 'ben'] as const).map((name) => {
        const { room } = rooms.get(name)!;
        return new Promise<void>((resolve) => room.once(RoomEvent.Reconnected, () => resolve()));
      });
      await room_node?.kill();
      // A person whose machine went down with the node: no server is left to report it.
      await rooms.get('cleo')!.disconnect();
      await Promise.all(reconnects);
      expect(await bothReceiveAudio(rejoin_ms)).toEqual([true, true]);
      expect(await findNodeOfRoom()).toBe(nodes.find((node) => node.isAlive()));
      await expectStates({ ada: 'joined', ben: 'joined', cleo: 'left' }, converge_after_kill_ms);
      for (const name of ['ada', 'ben'] as const)
        expect(await request(name, 'GET /calls/active')).toMatchObject({ join_code: call.join_code, state: 'live' });
    });

    it('continues on the other node: people leave and join, and it ends with its host', async () => {
      await rooms.get('ben')!.disconnect();
      await expectStates({ ada: 'joined', ben: 'left' });
      await join('ben');
      await expectStates({ ada: 'joined', ben: 'joined' });
      const over = (['ada', 'ben'] as const).map(
        (name) => new Promise<void>((resolve) => rooms.get(name)!.room.once(RoomEvent.Disconnected, () => resolve())),
      );
      await request('ada', 'DELETE /calls/active');
      await Promise.all(over);
      expect(await request('ada', `GET /calls/${call.join_code}`)).toMatchObject({
        state: 'ended',
        end_reason: 'hung_up',
      });
      expect(await states()).toEqual({ ada: 'left', ben: 'left', cleo: 'left' });
    });
  },
);
