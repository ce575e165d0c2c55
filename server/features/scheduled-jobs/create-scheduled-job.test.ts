import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { after, wireTime } from '../../kernel/time.ts';
import { addContact } from '../../testing/steps/contacts.ts';
import { createTag } from '../../testing/steps/follows.ts';
import { addMember, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { inSeconds, readJob, readUpdates, trySchedule, schedule } from '../../testing/steps/scheduled-jobs.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /scheduled-jobs', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('creates a job in the time zone of the account', async () => {
    const { alice, bob } = people;
    await world.call('PATCH /me', { token: alice.token, body: { timezone: 'Europe/Vienna' } });
    const run_at = inSeconds(world, 3600);
    const job = await schedule(world, alice, { kind: 'text', target: { user_id: bob.id }, body: 'Hello', run_at });
    expect(job).toEqual({
      id: expect.stringMatching(/^job_/),
      kind: 'text',
      target: { user_id: bob.id },
      body: 'Hello',
      tag_id: null,
      visibility: null,
      run_at: `${run_at.slice(0, 19)}Z`,
      timezone: 'Europe/Vienna',
      rrule: null,
      next_run_at: `${run_at.slice(0, 19)}Z`,
      state: 'scheduled',
      last_error: null,
      runs: [],
      created_at: expect.any(String),
    });
    expect(await readJob(world, alice, job.id)).toEqual(job);
    // The other devices of the account learn of it.
    expect(await readUpdates(world, alice)).toEqual([job]);
    const { body } = await world.call('GET /billing/entitlements', { token: alice.token });
    expect(body.used.scheduled_jobs).toBe(1);
    await world.call(`DELETE /scheduled-jobs/${job.id}`, { token: alice.token });
  });

  it('accepts every kind of target', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, bob, 'jobs');
    const contact = await addContact(world, alice, { name: 'Ann', phones: [{ number: '+14155550177' }] });
    const group = await createGroup(world, alice, 'Choir');
    await addMember(world, group, contact, alice);
    for (const target of [
      { user_id: bob.id },
      { tag: tag.name },
      { contact_id: contact.id },
      { group_id: group.id },
      { phone: '+14155550178' },
    ]) {
      for (const kind of ['text', 'call']) {
        const job = await schedule(world, alice, { kind, target, ...(kind === 'text' ? { body: 'Hi' } : {}) });
        expect(job.target).toEqual(target);
        await world.call(`DELETE /scheduled-jobs/${job.id}`, { token: alice.token });
      }
    }
  });

  it.each([
    ['no target', { kind: 'text', body: 'x' }, 'target'],
    ['no text', { kind: 'reminder' }, 'body'],
    ['blank text', { kind: 'reminder', body: '  ' }, 'body'],
    ['a status with a target', { kind: 'status', body: 'x', target: { phone: '+14155550178' } }, 'target'],
    ['a call with text', { kind: 'call', body: 'x', target: { phone: '+14155550178' } }, 'body'],
    ['a reminder with visibility', { kind: 'reminder', body: 'x', visibility: 'public' }, 'visibility'],
    ['an unknown tag', { kind: 'status', body: 'x', tag_id: `tag_${'0'.repeat(26)}` }, 'tag_id'],
    ['a long status', { kind: 'status', body: 'x'.repeat(2001) }, 'body'],
    ['a long SMS', { kind: 'text', body: 'x'.repeat(601), target: { phone: '+14155550178' } }, 'body'],
    ['an emergency number', { kind: 'text', body: 'x', target: { phone: '112' } }, 'target'],
    ['an unknown time zone', { kind: 'reminder', body: 'x', timezone: 'Mars/Olympus' }, 'timezone'],
    ['an offset as a zone', { kind: 'reminder', body: 'x', timezone: '+02:00' }, 'timezone'],
    ['an invalid time', { kind: 'reminder', body: 'x', run_at: 'soon' }, 'run_at'],
    ['a past time', { kind: 'reminder', body: 'x', run_at: '2020-01-01T00:00:00Z' }, 'run_at'],
    ['a time too far ahead', { kind: 'reminder', body: 'x', run_at: '2099-01-01T00:00:00Z' }, 'run_at'],
    ['an invalid rule', { kind: 'reminder', body: 'x', rrule: 'FREQ=NEVER' }, 'rrule'],
    [
      'a rule without an occurrence',
      { kind: 'reminder', body: 'x', rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' },
      'rrule',
    ],
    ['a rule for every second', { kind: 'reminder', body: 'x', rrule: 'FREQ=SECONDLY' }, 'rrule'],
  ])('rejects %s', async (_case, body, field) => {
    const answer = await trySchedule(world, people.carol, body);
    expect([answer.status, answer.body.error.code, Object.keys(answer.body.error.fields)]).toEqual([
      422,
      'validation_failed',
      [field],
    ]);
  });

  it('accepts null for what a reply shows as null', async () => {
    const { carol } = people;
    for (const wanted of [
      { kind: 'reminder', body: 'Stretch', target: null },
      { kind: 'status', body: 'Hello', target: null },
      { kind: 'call', body: null, target: { phone: '+14155550178' } },
    ]) {
      const job = await schedule(world, carol, { tag_id: null, visibility: null, rrule: null, ...wanted });
      expect(job).toMatchObject({ tag_id: null, visibility: null, rrule: null, ...wanted });
      await world.call(`DELETE /scheduled-jobs/${job.id}`, { token: carol.token });
    }
    const aimless = await trySchedule(world, carol, { kind: 'text', body: 'x', target: null });
    expect([aimless.status, aimless.body.error.fields]).toEqual([422, { target: 'is required' }]);
  });

  it('counts characters as the operations do: an emoji is one', async () => {
    const { carol } = people;
    for (const [kind, most] of [
      ['status', 2000],
      ['reminder', 1000],
    ] as const) {
      const job = await schedule(world, carol, { kind, body: '🎷'.repeat(most) });
      await world.call(`DELETE /scheduled-jobs/${job.id}`, { token: carol.token });
      const over = await trySchedule(world, carol, { kind, body: '🎷'.repeat(most + 1) });
      expect([over.status, Object.keys(over.body.error.fields)]).toEqual([422, ['body']]);
    }
  });

  it('accepts a time of up to a year ahead', async () => {
    const later = new Date(world.clock.now());
    later.setUTCFullYear(later.getUTCFullYear() + 1);
    const at = (seconds: number) => ({ kind: 'reminder', body: 'x', run_at: wireTime(after(later, seconds)) });
    const { status, body } = await trySchedule(world, people.carol, at(0));
    expect(status).toBe(201);
    await world.call(`DELETE /scheduled-jobs/${body.id}`, { token: people.carol.token });
    const refused = await trySchedule(world, people.carol, at(60));
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['run_at']]);
  });

  it('returns the same error for a target across a block as for an absent one', async () => {
    const { alice, bob, carol } = people;
    await world.call('POST /blocks', { token: carol.token, body: { user_id: bob.id } });
    const strangers = await createGroup(world, alice, 'Not yours');
    for (const kind of ['text', 'call']) {
      const content = kind === 'text' ? { body: 'x' } : {};
      const blocked = await trySchedule(world, bob, { kind, ...content, target: { user_id: carol.id } });
      const absent = await trySchedule(world, bob, { kind, ...content, target: { user_id: `usr_${'0'.repeat(26)}` } });
      expect([blocked.status, Object.keys(blocked.body.error.fields)]).toEqual([422, ['target']]);
      expect(blocked.body).toEqual(absent.body);
      const hidden = await trySchedule(world, bob, { kind, ...content, target: { group_id: strangers.id } });
      const none = await trySchedule(world, bob, { kind, ...content, target: { group_id: `grp_${'0'.repeat(26)}` } });
      expect(hidden.body).toEqual(none.body);
      expect(Object.keys(none.body.error.fields)).toEqual(['target']);
    }
    await world.call(`DELETE /blocks/${bob.id}`, { token: carol.token });
  });

  it('enforces the plan limit, also for concurrent requests', async () => {
    const { carol } = people;
    const answers = await Promise.all(
      Array.from({ length: 13 }, () => trySchedule(world, carol, { kind: 'reminder', body: 'Stretch' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const over = answers.find(({ status }) => status !== 201);
    expect([over?.status, over?.body.error.code]).toEqual([403, 'plan_limit_reached']);
  });
});
