/** A call over two LiveKit nodes of one Redis: one node is killed under it, and webhooks come over a bad line. */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { AccessToken } from 'livekit-server-sdk';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasLiveKit, startLiveKitNode, type LiveKitNode } from '../../../sfu/testing/livekit-nodes.ts';
import { hearFrom, publishTone } from '../../../sfu/testing/tones.ts';
import { signUp, type RunningPerson } from '../running-people.ts';
import { freePort, poll, startService, type Service } from '../running-service.ts';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import { startWebhookRelay, type WebhookRelay } from '../webhook-relay.ts';
import { terms } from '../../domain/calls/call-machine.ts';
import { describeUnlessMissing } from '../../../tools/skip.ts';

const redis_url = process.env['REDIS_TEST_URL'] ?? '';
/** A database beside those of other tests on the same Redis. */
const redis_db = 6;
const api_key = 'nodes';
/** How long LiveKit's clients try to come back: ten times with 5 s between. */
const rejoin_ms = 60_000;
/** How soon our states are the truth, whatever happens to webhooks. */
const converge_ms = 5000;
/**
 * The same about people of a node that died: two looks, since the first waits for no answer of nobody. Whose client had begun
 * to come back before it was gone is awaited first.
 */
const died_ms = terms.joining_s * 1000 + 2 * converge_ms;
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
    const rooms = new Map<Name, { room: Room; hang(): Promise<void> }>();
    let redis: Redis;
    let balancer: TcpProxy;
    let relay: WebhookRelay;
    let service: Service;
    let call: { join_code: string };
    /** The name of its room at the media server. */
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
      let turn = 0;
      balancer = await startTcpProxy(() => {
        const living = nodes.filter((node) => node.isAlive());
        return living[turn++ % living.length]?.port ?? 0;
      });
      const environment = {
        LIVEKIT_URL: `http://127.0.0.1:${balancer.port}`,
        LIVEKIT_API_KEY: api_key,
        LIVEKIT_API_SECRET: api_secret,
      };
      service = await startService({ environment });
      for (const [at, name] of (Object.keys(hertz) as Name[]).entries())
        people[name] = await signUp(service, name, `+1415555010${at}`);
    }, 120_000);
    afterAll(async () => {
      for (const { hang } of rooms.values()) await hang();
      await service?.close();
      await Promise.all(nodes.map((node) => node.kill()));
      await Promise.all([balancer?.close(), relay?.close()]);
      await redis?.flushdb();
      await redis?.quit();
    });

    const ask = async (name: Name, route: string, body?: unknown) => {
      const answer = await service.call(route, { token: people[name].token, body });
      expect([200, 201, 204], `${route}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
      return answer.body;
    };
    const states = async (): Promise<States> => {
      const { participants } = await ask('ada', `GET /calls/${call.join_code}`);
      return Object.fromEntries(participants.map((one: { name: Name; state: string }) => [one.name, one.state]));
    };
    const becomes = async (truth: States, within_ms = converge_ms) => {
      let last: States = {};
      const isTrue = async () => {
        last = await states();
        return (Object.keys(truth) as Name[]).every((name) => last[name] === truth[name]);
      };
      await poll(isTrue, 'the truth', within_ms).catch((cause: unknown) => {
        throw new Error(`after ${within_ms} ms it is ${JSON.stringify(last)}`, { cause });
      });
    };
    const join = async (name: Name) => {
      const grant = await ask(name, `POST /calls/${call.join_code}/sfu-grant`, {});
      room_name = grant.room;
      const room = new Room();
      await room.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
      const tone = await publishTone(room, hertz[name]);
      const hang = async () => {
        rooms.delete(name);
        await tone.stop();
        await room.disconnect();
      };
      rooms.set(name, { room, hang });
      return room;
    };
    const findHolder = async () => {
      const node_id = await redis.hget('room_node_map', room_name);
      return nodes.find((node) => node.node_id === node_id);
    };
    const bothHear = (within_ms?: number) =>
      Promise.all([
        hearFrom(rooms.get('ada')!.room, people.ben.id, hertz.ben, within_ms),
        hearFrom(rooms.get('ben')!.room, people.ada.id, hertz.ada, within_ms),
      ]);

    it('carries the sound of people who came in by different nodes', async () => {
      call = await ask('ada', 'POST /calls', { to: [{ user_id: people.ben.id }, { user_id: people.cleo.id }] });
      for (const name of ['ada', 'ben', 'cleo'] as const) await join(name);
      expect(await bothHear()).toEqual([true, true]);
      await becomes({ ada: 'joined', ben: 'joined', cleo: 'joined' });
    });

    it('takes no webhook whose signature is of another key or another text, and takes it as it was signed', async () => {
      const real = await poll(async () => relay.sent.find(({ kind }) => kind === 'participant_joined'), 'a webhook');
      const { raw_body, authorization } = real;
      const forged = new AccessToken(api_key, 'another secret of the same length as ours');
      const { sha256 } = JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString());
      forged.sha256 = sha256;
      expect(await relay.deliver({ raw_body, authorization: await forged.toJwt() })).toBe(401);
      expect(await relay.deliver({ raw_body: raw_body.replace('joined', 'left'), authorization })).toBe(401);
      expect(await relay.deliver({ raw_body, authorization: '' })).toBe(401);
      expect(await relay.deliver({ raw_body, authorization })).toBe(200);
    });

    it('knows within 5 s who is in, while webhooks are lost, doubled and overtaken', async () => {
      for (let time = 0; time < 4; time++) {
        await rooms.get('ben')!.hang();
        await becomes({ ada: 'joined', ben: 'left', cleo: 'joined' });
        await join('ben');
        await becomes({ ada: 'joined', ben: 'joined', cleo: 'joined' });
      }
      expect(relay.lost).toEqual(expect.arrayContaining(['participant_joined', 'participant_left']));
      expect(relay.doubled).toEqual(expect.arrayContaining(['participant_joined', 'participant_left']));
      expect(relay.overtaken()).toBeGreaterThan(0);
    });

    it('stays one call when the node that holds it is killed: its people are back on the other', async () => {
      const holder = await findHolder();
      const reconnects = (['ada', 'ben'] as const).map((name) => {
        const { room } = rooms.get(name)!;
        return new Promise<void>((resolve) => room.once(RoomEvent.Reconnected, () => resolve()));
      });
      await holder?.kill();
      // Somebody whose machine went with it: no server is left that could tell.
      await rooms.get('cleo')!.hang();
      await Promise.all(reconnects);
      expect(await bothHear(rejoin_ms)).toEqual([true, true]);
      expect(await findHolder()).toBe(nodes.find((node) => node.isAlive()));
      await becomes({ ada: 'joined', ben: 'joined', cleo: 'left' }, died_ms);
      for (const name of ['ada', 'ben'] as const)
        expect(await ask(name, 'GET /calls/active')).toMatchObject({ join_code: call.join_code, state: 'live' });
    });

    it('goes on there: who leaves is left, who comes is in, and it ends with its host', async () => {
      await rooms.get('ben')!.hang();
      await becomes({ ada: 'joined', ben: 'left' });
      await join('ben');
      await becomes({ ada: 'joined', ben: 'joined' });
      const over = (['ada', 'ben'] as const).map(
        (name) => new Promise<void>((resolve) => rooms.get(name)!.room.once(RoomEvent.Disconnected, () => resolve())),
      );
      await ask('ada', 'DELETE /calls/active');
      await Promise.all(over);
      expect(await ask('ada', `GET /calls/${call.join_code}`)).toMatchObject({ state: 'ended', end_reason: 'hung_up' });
      expect(await states()).toEqual({ ada: 'left', ben: 'left', cleo: 'left' });
    });
  },
);
