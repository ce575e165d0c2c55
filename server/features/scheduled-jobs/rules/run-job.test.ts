import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../../testing/steps/contacts.ts';
import { requestGrants, advanceTime, startCall, statesOf } from '../../../testing/steps/calls.ts';
import { terms } from '../../../domain/calls/state/call-machine.ts';
import { createTag } from '../../../testing/steps/follows.ts';
import { findPersonas, advanceSeconds, type Persona, type Personas } from '../../../testing/world/personas.ts';
import { runDueJobs, inSeconds, readJob, readUpdates, schedule } from '../../../testing/steps/scheduled-jobs.ts';
import { restoreBeforeEach } from '../../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { planRun } from './run-job.ts';
import { runDue, selectDue } from './run-due.ts';

describe('Runs of scheduled jobs', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const finished = async ({ id }: Persona) =>
    (await world.events(`user:${id}`)).flatMap(({ type, data }) => (type === 'job.finished' ? [data.job] : []));
  const notificationsOf = async ({ token }: Persona) => (await world.call('GET /notifications', { token })).body.items;

  it('send a direct message to a user and to the owner of a tag', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, bob, 'written');
    for (const target of [{ user_id: bob.id }, { tag: tag.name }]) {
      await world.call(`PATCH /me`, { token: alice.token, body: {} });
      const job = await schedule(world, alice, { kind: 'text', target, body: `To ${Object.keys(target)[0]}` });
      await runDueJobs(world, 30);
      expect((await readJob(world, alice, job.id)).state).toBe('scheduled');
      await runDueJobs(world, 31);
      const done = await readJob(world, alice, job.id);
      if ('user_id' in target) {
        expect(done).toMatchObject({ state: 'done', runs: [{ at: job.run_at, state: 'done' }] });
        expect(await finished(alice)).toContainEqual(done);
      } else expect(done.last_error).toBe('Wait for them to accept your request before you send another message.');
    }
    const { body } = await world.call('GET /dm/threads?folder=requests', { token: bob.token });
    expect(body.items.map((item: { last_message: { body: string } }) => item.last_message.body)).toEqual([
      'To user_id',
    ]);
  });

  it('send an SMS to a number and to a contact without an account', async () => {
    const { alice } = people;
    const contact = await addContact(world, alice, { name: 'Ann', phones: [{ number: '+14155550188' }] });
    await schedule(world, alice, { kind: 'text', target: { contact_id: contact.id }, body: 'See you' });
    await schedule(world, alice, { kind: 'text', target: { phone: '+14155550189' }, body: 'At eight' });
    await runDueJobs(world);
    expect((await world.sent('+14155550188'))[0]?.text).toBe('alice: See you');
    expect((await world.sent('+14155550189'))[0]?.text).toBe('alice: At eight');
  });

  it('post a status', async () => {
    const { alice } = people;
    const job = await schedule(world, alice, { kind: 'status', body: 'Good morning', visibility: 'followers' });
    await runDueJobs(world);
    expect((await readJob(world, alice, job.id)).state).toBe('done');
    const { body } = await world.call('GET /statuses', { token: alice.token });
    expect(body.items[0]).toMatchObject({ body: 'Good morning', visibility: 'followers' });
  });

  it('create a notification for a reminder', async () => {
    const { carol } = people;
    const job = await schedule(world, carol, { kind: 'reminder', body: 'Water the plants' });
    await runDueJobs(world);
    expect(await notificationsOf(carol)).toMatchObject([
      { kind: 'reminder', text: 'Water the plants', actor: null, subject: { type: 'scheduled_job', id: job.id } },
    ]);
  });

  it('fail without revealing a block, and notify the owner of the job', async () => {
    const { bob, carol } = people;
    const blocked = await schedule(world, bob, { kind: 'text', target: { user_id: carol.id }, body: 'Hi' });
    await world.call('POST /blocks', { token: carol.token, body: { user_id: bob.id } });
    await runDueJobs(world);
    expect(await readJob(world, bob, blocked.id)).toMatchObject({
      state: 'failed',
      last_error: 'They cannot be reached any more.',
      next_run_at: null,
    });
    expect(await notificationsOf(bob)).toMatchObject([
      { kind: 'job_failed', text: 'Your scheduled message failed: They cannot be reached any more.' },
    ]);
    expect(await finished(bob)).toMatchObject([{ id: blocked.id, state: 'failed' }]);
    expect(await notificationsOf(carol)).toEqual([]);
  });

  it('return errors in the language of the request, and emit them in that of the account', async () => {
    const { bob, carol } = people;
    const { token } = bob;
    await world.call('PATCH /me', { token, body: { locale: 'de' } });
    const blocked = await schedule(world, bob, { kind: 'text', target: { user_id: carol.id }, body: 'Hi' });
    await world.call('POST /blocks', { token: carol.token, body: { user_id: bob.id } });
    await runDueJobs(world);
    const messages = {
      en: 'They cannot be reached any more.',
      de: 'Diese Person ist nicht mehr erreichbar.',
      fr: 'Cette personne n’est plus joignable.',
    };
    expect((await finished(bob)).map(({ last_error }) => last_error)).toEqual([messages.de]);
    const events = (await world.events(`user:${bob.id}`)).filter(({ type }) => type === 'notification.created');
    expect(events.map(({ data }) => data.notification.subject_name)).toEqual([messages.de]);
    for (const [language, message] of Object.entries(messages)) {
      const headers = { 'accept-language': language };
      const { body: jobs } = await world.call('GET /scheduled-jobs', { token, headers });
      expect(jobs.items).toMatchObject([{ id: blocked.id, last_error: message, runs: [{ error: message }] }]);
      const { body: notifications } = await world.call('GET /notifications', { token, headers });
      expect(notifications.items).toMatchObject([
        {
          kind: 'job_failed',
          job_kind: 'text',
          subject_name: message,
          text: `Your scheduled message failed: ${messages.en}`,
        },
      ]);
      const path = `PATCH /notifications/${notifications.items[0].id}` as const;
      expect((await world.call(path, { token, headers, body: { read: false } })).body.subject_name).toBe(message);
    }
    const french = { token, headers: { 'accept-language': 'fr' } };
    const again = await world.call(`POST /scheduled-jobs/${blocked.id}/retry`, french);
    expect(again.body).toMatchObject({ state: 'scheduled', last_error: messages.fr });
  });

  it('return the error code "missed", and its text in notifications in the language of the request', async () => {
    const { alice } = people;
    const headers = { 'accept-language': 'es' };
    await schedule(world, alice, { kind: 'reminder', body: 'Stretch' });
    await advanceSeconds(world, 25 * 3600);
    await world.settle();
    const { body: jobs } = await world.call('GET /scheduled-jobs', { token: alice.token, headers });
    expect(jobs.items).toMatchObject([{ last_error: 'missed', runs: [{ error: 'missed' }] }]);
    const { body: notifications } = await world.call('GET /notifications', { token: alice.token, headers });
    expect(notifications.items).toMatchObject([
      { job_kind: 'reminder', subject_name: 'Se perdió: el servicio no estaba en marcha a esa hora.' },
    ]);
  });

  it('happen late after an outage, and are missed after a day', async () => {
    const { alice } = people;
    const late = await schedule(world, alice, { kind: 'reminder', body: 'Late' });
    await advanceSeconds(world, 23 * 3600);
    const missed = await schedule(world, alice, { kind: 'reminder', body: 'Missed' });
    await world.settle();
    expect((await readJob(world, alice, late.id)).state).toBe('done');
    await advanceSeconds(world, 25 * 3600);
    await world.settle();
    expect(await readJob(world, alice, missed.id)).toMatchObject({ state: 'failed', last_error: 'missed' });
  });

  it('repeat by the rule; after an outage only the latest occurrence is run', async () => {
    const { alice } = people;
    const job = await schedule(world, alice, { kind: 'status', body: 'Daily', rrule: 'FREQ=DAILY;COUNT=4' });
    const first = Date.parse(job.run_at);
    const day = (number: number) => `${new Date(first + number * 86_400_000).toISOString().slice(0, 19)}Z`;
    await runDueJobs(world, 61);
    expect(await readJob(world, alice, job.id)).toMatchObject({
      state: 'scheduled',
      next_run_at: day(1),
      runs: [{ state: 'done' }],
    });
    await runDueJobs(world, 86_400 + 25 * 3600);
    const after = await readJob(world, alice, job.id);
    expect(after.runs).toEqual([
      { at: day(2), state: 'done' },
      { at: day(1), state: 'failed', error: 'missed' },
      { at: day(0), state: 'done' },
    ]);
    expect(after).toMatchObject({ state: 'scheduled', next_run_at: day(3), last_error: null });
    // The notification is about the missed run, although a later one has succeeded since.
    expect(await notificationsOf(alice)).toMatchObject([
      { text: 'Your scheduled post failed: It was missed: the service was not running at that time.' },
    ]);
    await runDueJobs(world, 24 * 3600);
    expect(await readJob(world, alice, job.id)).toMatchObject({ state: 'done', next_run_at: null });
  });

  it('ring the caller first, and the target when the caller answers', async () => {
    const { alice, bob } = people;
    const job = await schedule(world, alice, { kind: 'call', target: { user_id: bob.id } });
    await runDueJobs(world);
    const running = await readJob(world, alice, job.id);
    expect(running.state).toBe('running');
    expect(await readUpdates(world, alice)).toContainEqual(running);
    const rings = async (who: Persona) =>
      (await world.events(`user:${who.id}`)).filter(({ type }) => type === 'call.ringing').map(({ data }) => data.call);
    const [call] = await rings(alice);
    expect(await rings(bob)).toEqual([]);
    const cancelled = await world.call(`DELETE /scheduled-jobs/${job.id}`, { token: alice.token });
    expect(cancelled.status).toBe(409);
    await requestGrants(world, call.join_code, alice);
    await world.settle();
    expect(await rings(bob)).toHaveLength(1);
    expect(await statesOf(world, call.join_code, alice)).toEqual({ alice: 'joining', bob: 'ringing' });
    expect((await readJob(world, alice, job.id)).state).toBe('done');
    await world.call('DELETE /calls/active', { token: alice.token });
  });

  it('fail if the caller does not answer; the target is not rung', async () => {
    const { alice, carol } = people;
    const job = await schedule(world, alice, { kind: 'call', target: { user_id: carol.id } });
    await runDueJobs(world);
    await advanceTime(world, terms.ring_s + 3);
    expect(await readJob(world, alice, job.id)).toMatchObject({ state: 'failed', last_error: 'You did not answer.' });
    expect((await world.events(`user:${carol.id}`)).filter(({ type }) => type.startsWith('call.'))).toEqual([]);
    const { body } = await world.call('GET /inbox', { token: alice.token });
    expect(body.items.filter(({ kind }: { kind: string }) => kind === 'missed_call')).toEqual([]);
  });

  it('fail at once, without a ring, if the target was deleted or blocked since', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, bob, 'brief');
    const jobs = [];
    for (const target of [{ user_id: bob.id }, { tag: tag.name }])
      jobs.push(await schedule(world, alice, { kind: 'call', target }));
    await world.call(`DELETE /xtags/${tag.id}`, { token: bob.token });
    await world.call('POST /blocks', { token: bob.token, body: { user_id: alice.id } });
    await runDueJobs(world);
    for (const { id } of jobs)
      expect(await readJob(world, alice, id)).toMatchObject({
        state: 'failed',
        last_error: 'They cannot be reached any more.',
      });
    const rings = (await world.events(`user:${alice.id}`)).filter(({ type }) => type.startsWith('call.'));
    expect(rings).toEqual([]);
  });

  it('fail if the caller is in another call, or ten minutes late', async () => {
    const { alice, bob, carol } = people;
    const engaged = await schedule(world, bob, { kind: 'call', target: { user_id: carol.id } });
    const late = await schedule(world, alice, { kind: 'call', target: { user_id: carol.id } });
    await advanceSeconds(world, 300);
    await startCall(world, bob, []);
    await runDue({ ...world.app.services });
    expect(await readJob(world, bob, engaged.id)).toMatchObject({
      state: 'failed',
      last_error: 'You were in another call.',
    });
    await world.call('DELETE /calls/active', { token: bob.token });
    expect((await readJob(world, alice, late.id)).state).toBe('running');
    const missed = await schedule(world, carol, { kind: 'call', target: { user_id: bob.id } });
    await runDueJobs(world, 700);
    expect(await readJob(world, carol, missed.id)).toMatchObject({ state: 'failed', last_error: 'missed' });
  });

  it('happen once, even if several workers run the job concurrently', async () => {
    const { alice } = people;
    const job = await schedule(world, alice, { kind: 'status', body: 'Only once' });
    await advanceSeconds(world, 61);
    await Promise.all(Array.from({ length: 8 }, () => runDue({ ...world.app.services })));
    const { body } = await world.call('GET /statuses', { token: alice.token });
    expect(body.items.filter((item: { body: string }) => item.body === 'Only once')).toHaveLength(1);
    expect((await readJob(world, alice, job.id)).runs).toHaveLength(1);
  });

  it('take turns between accounts', async () => {
    const { alice, bob, carol } = people;
    const run_at = inSeconds(world, 60);
    for (const many of [alice, carol])
      for (let at = 0; at < 8; at++) await schedule(world, many, { kind: 'status', body: `Many ${at}`, run_at });
    const one = await schedule(world, bob, { kind: 'status', body: 'One', run_at });
    await advanceSeconds(world, 61);
    const order = await selectDue(world.app.services);
    expect(order).toHaveLength(17);
    expect(order.slice(0, 3)).toContain(one.id);
  });

  it('end when the account is deleted', async () => {
    const { bob } = people;
    await schedule(world, bob, { kind: 'status', body: 'From beyond' });
    const gone = await world.call('DELETE /me', { token: bob.token, body: { password: bob.password } });
    expect(gone.status).toBe(204);
    await runDueJobs(world);
    const { rows } = await world.app.services.db.native.query('select 1 from scheduled_jobs where user_id = $1', [
      bob.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('planRun', () => {
  const job = {
    kind: 'reminder',
    rrule: 'FREQ=DAILY',
    timezone: 'Europe/Vienna',
    run_at: new Date('2027-03-26T01:30:00Z'),
  };
  it('keeps the local time when daylight saving begins: a skipped time moves by an hour', () => {
    // 02:30 in Vienna; on 28 March the clock skips from 02:00 to 03:00.
    const next_run_at = new Date('2027-03-27T01:30:00Z');
    const first = planRun({ ...job, next_run_at } as never, new Date('2027-03-27T01:30:01Z'));
    expect(first.next?.toISOString()).toBe('2027-03-28T01:30:00.000Z');
    const second = planRun({ ...job, next_run_at: first.next } as never, new Date('2027-03-28T01:30:01Z'));
    expect(second.next?.toISOString()).toBe('2027-03-29T00:30:00.000Z');
  });
  it('runs once at a local time that occurs twice', () => {
    const autumn = { ...job, run_at: new Date('2027-10-29T00:30:00Z') };
    const first = planRun(
      { ...autumn, next_run_at: new Date('2027-10-30T00:30:00Z') } as never,
      new Date('2027-10-30T00:30:01Z'),
    );
    expect(first.next?.toISOString()).toBe('2027-10-31T00:30:00.000Z');
    const second = planRun({ ...autumn, next_run_at: first.next } as never, new Date('2027-10-31T00:30:01Z'));
    expect(second.next?.toISOString()).toBe('2027-11-01T01:30:00.000Z');
  });
});
