import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../world/personas.ts';
import { extendSessions } from '../../world/restore-world.ts';
import { createWorld, type Answer, type World } from '../../world/world.ts';
import { sql } from '../../../kernel/database/database.ts';
import { event } from '../../../kernel/event.ts';
import { job } from '../../../kernel/job.ts';
import { object } from '../../../kernel/schema.ts';
import { change } from '../../../kernel/services.ts';

const at_once = 50;

describe('an idempotency key', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const createTag = (name: string, key: string, token = people.alice.token, more: object = {}) =>
    world.call('POST /xtags', { token, body: { name, ...more }, headers: { 'idempotency-key': key } });
  const dropTag = (name: string) => world.app.services.db.run(sql`delete from tags where name = ${name}`);
  const count = async (table: string) =>
    Number((await world.app.services.db.native.query(`select count(*) from ${table}`)).rows[0].count);
  const outcome = ({ status, body }: Answer) => `${status} ${body.error?.code ?? 'done'}`;
  const replayed = ({ headers }: Answer) => headers['idempotent-replayed'];

  it('executes one of fifty concurrent requests, and replays the same bytes afterwards', async () => {
    const tags = await count('tags');
    const answers = await Promise.all(Array.from({ length: at_once }, () => createTag('fifty', 'fifty at once')));
    const outcomes = new Set(answers.map(outcome));
    expect(outcomes).toContain('201 done');
    expect([...outcomes].filter((result) => result !== '201 done' && result !== '409 request_in_progress')).toEqual([]);
    const created = answers.filter(({ status }) => status === 201);
    expect(created.filter((answer) => replayed(answer) === undefined)).toHaveLength(1);
    const again = await createTag('fifty', 'fifty at once');
    expect([again.status, replayed(again)]).toEqual([201, 'true']);
    for (const { body } of created) expect(body).toEqual(again.body);
    expect(await count('tags')).toBe(tags + 1);
  });

  it('rejects fifty concurrent requests with 409, and replays the rejection when it would succeed by now', async () => {
    await createTag('taken', 'the first of that name', people.bob.token);
    const stored = await count('idempotency');
    const answers = await Promise.all(Array.from({ length: at_once }, () => createTag('taken', 'refused')));
    const outcomes = [...new Set(answers.map(outcome))];
    expect(outcomes).toContain('409 tag_taken');
    expect(outcomes.filter((result) => result !== '409 tag_taken' && result !== '409 request_in_progress')).toEqual([]);
    expect(await count('idempotency')).toBe(stored + 1);
    await dropTag('taken');
    const repeats = await Promise.all(Array.from({ length: 5 }, () => createTag('taken', 'refused')));
    const refused = repeats.find(({ body }) => body.error?.code === 'tag_taken');
    expect([refused?.status, refused && replayed(refused)]).toEqual([409, 'true']);
    expect(refused?.body).toEqual(answers.find(({ body }) => body.error.code === 'tag_taken')?.body);
    expect(refused?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(repeats.filter(({ status }) => status === 201)).toEqual([]);
    expect(outcome(await createTag('taken', 'another key'))).toBe('201 done');
  });

  it('consumes no budget for a replay, which succeeds even when the budget is exhausted', async () => {
    const { bob } = people;
    const report = (key: string, to: string) =>
      world.call('POST /abuse-reports', {
        token: bob.token,
        body: { target_type: 'user', target_id: people.alice.id, reason: 'spam', note: to },
        headers: { 'idempotency-key': key },
      });
    const remaining = (answer: Answer) => Number(/r=(\d+)/.exec(answer.headers['ratelimit'] ?? '')?.[1]);
    const first = await report('report', 'first');
    expect(first.status).toBe(201);
    const again = await report('report', 'first');
    expect([again.status, replayed(again), remaining(again)]).toEqual([201, 'true', remaining(first)]);
    let refused: Answer | undefined;
    for (let at = 0; at < 40 && !refused; at++) {
      const answer = await report(`report ${at}`, `number ${at}`);
      if (answer.status === 429) refused = answer;
    }
    expect(refused?.status).toBe(429);
    const repeat = await report('report', 'first');
    expect([repeat.status, replayed(repeat), repeat.body]).toEqual([201, 'true', first.body]);
    expect((await report('another', 'another')).status).toBe(429);
  });

  it('belongs to one account and one body, and expires after 24 hours', async () => {
    expect(outcome(await createTag('mine', 'shared'))).toBe('201 done');
    expect(outcome(await createTag('yours', 'shared', people.bob.token))).toBe('201 done');
    const other = await createTag('mine', 'shared', people.alice.token, { title: 'Another' });
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    await dropTag('mine');
    await world.clock.advance(24 * 60 * 60 + 1);
    expect((await createTag('mine', 'shared')).status).toBe(401);
    await world.clock.reset();
    expect(replayed(await createTag('mine', 'shared'))).toBe('true');
  });

  it('also stores a rejection (422) from before the transaction', async () => {
    const reset = (password: string) =>
      world.call('POST /auth/reset', {
        body: { token: 'never issued', password },
        headers: { 'idempotency-key': 'reset' },
      });
    const first = await reset('password1');
    expect([first.status, Object.keys(first.body.error.fields)]).toEqual([422, ['password']]);
    const second = await reset('password1');
    expect([second.status, second.body, replayed(second)]).toEqual([422, first.body, 'true']);
    expect((await reset('a good long password')).body.error.code).toBe('idempotency_key_reused');
  });

  it('is not consumed by an invalid body (422), an invalid token (401) or too many requests (429)', async () => {
    const { carol } = people;
    expect((await createTag('NOT/VALID', 'unused', carol.token)).status).toBe(422);
    expect((await createTag('fresh', 'unused', 'ast_garbage')).status).toBe(401);
    expect(outcome(await createTag('fresh', 'unused', carol.token))).toBe('201 done');

    const resend = () =>
      world.call('POST /me/mobile/codes', { token: carol.token, body: {}, headers: { 'idempotency-key': 'late' } });
    for (let at = 0; at < 5; at++) await world.call('POST /me/mobile/codes', { token: carol.token, body: {} });
    const refused = await resend();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    const wait_s = Number(refused.headers['retry-after']);
    await extendSessions(world, wait_s);
    await world.clock.advance(wait_s);
    expect((await resend()).status).toBe(202);
    await world.clock.reset();
  });

  it('is not consumed by an internal error (500)', async () => {
    const { db } = world.app.services;
    await db.run(sql`alter table tags rename to tags_away`);
    expect((await createTag('later', 'failed')).status).toBe(500);
    await db.run(sql`alter table tags_away rename to tags`);
    expect(outcome(await createTag('later', 'failed'))).toBe('201 done');
  });

  it('uses a checkpoint, whose rollback undoes later rows, events, jobs and callbacks', async () => {
    const { services } = world.app;
    const happened = event('test.happened', 'A test.', object({}));
    const nothing = job<object>({ name: 'test.nothing', max_attempts: 1, run: async () => undefined });
    const called: string[] = [];
    const insert = (id: string) => sql`
      insert into idempotency (owner, operation, key_hash, body_hash, status, reply, created_at)
      values (${id}, 'test', 'key', 'body', 200, '', now())`;
    await change(services, async (unit, checkpoint) => {
      await unit.db.run(insert('before'));
      unit.emit(happened, ['user:before'], {});
      unit.afterCommit(() => called.push('before'));
      const undo = checkpoint();
      await unit.db.run(insert('after'));
      unit.emit(happened, ['user:after'], {});
      unit.enqueue(nothing, {});
      unit.afterCommit(() => called.push('after'));
      // A failed statement makes the whole transaction unusable, until the rollback to the checkpoint.
      await expect(unit.db.run(insert('before'))).rejects.toMatchObject({ code: '23505' });
      await undo();
      unit.emit(happened, ['user:last'], {});
    });
    const rows = await services.db.many<{ owner: string }>(sql`select owner from idempotency where operation = 'test'`);
    expect(rows).toEqual([{ owner: 'before' }]);
    const topics = await services.db.many<{ topic: string }>(
      sql`select topic from events where type = 'test.happened' order by position`,
    );
    expect(topics.map(({ topic }) => topic)).toEqual(['user:before', 'user:last']);
    expect(called).toEqual(['before']);
    expect(await services.db.run(sql`select 1 from graphile_worker.jobs where task_identifier = 'test.nothing'`)).toBe(
      0,
    );
  });
});
