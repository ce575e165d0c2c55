import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { createTag, follow } from '../../testing/steps/follows.ts';
import { createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /commands', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
    await createTag(world, people.bob, 'jazz');
  });
  afterAll(() => world.close());

  const run = (text: string, more: object = {}, who: Persona = people.alice, headers: Record<string, string> = {}) =>
    world.call('POST /commands', { token: who.token, body: { text, ...more }, headers });
  const count = async (rows: string) =>
    (await world.app.services.db.native.query<{ n: number }>(`select count(*)::int as n from ${rows}`)).rows[0]?.n;

  it('runs the operation and returns its result', async () => {
    const { status, body } = await run('status On stage tonight');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      understood: true,
      command: 'status',
      arguments: { body: 'On stage tonight' },
      preview: 'Post “On stage tonight” now.',
      result: { id: expect.stringMatching(/^post_/), body: 'On stage tonight' },
    });
  });

  it('returns 500 for a database error, also on a dry run, not that a contact is nobody', async () => {
    const { native } = world.app.services.db;
    const { id } = await addContact(world, people.alice, { name: 'Ann', phones: [{ number: '+14155550123' }] });
    await native.query('alter table contacts rename to contacts_away');
    try {
      for (const more of [{}, { dry_run: true }]) {
        const { status, body } = await run(`text ${id} hi`, more);
        expect([status, body.error?.code]).toEqual([500, 'internal_error']);
      }
    } finally {
      await native.query('alter table contacts_away rename to contacts');
    }
    await world.call(`DELETE /contacts/${id}`, { token: people.alice.token });
  });

  it('changes nothing on a dry run', async () => {
    const tables = [
      'statuses',
      'calls',
      'dm_messages',
      'follows',
      'blocks',
      'contacts',
      'groups',
      'scheduled_jobs',
      'events',
    ];
    const before = await Promise.all(tables.map(count));
    for (const text of [
      'status x',
      'call *jazz',
      'text *jazz hi',
      'follow *jazz',
      'block @bob',
      'group Choir',
      'end',
      'live',
      'remind me to go at 5',
      'add Ann +14155550123',
      'voicemail *jazz hi',
    ]) {
      const { status, body } = await run(text, { dry_run: true });
      expect([text, status, body.understood, body.result]).toEqual([text, 200, true, undefined]);
    }
    expect(await Promise.all(tables.map(count))).toEqual(before);
  });

  it('understands unknown names on a dry run, and returns the error of the operation otherwise', async () => {
    for (const [text, command, status] of [
      ['call *nowhere', 'call', 422],
      ['block @nobody', 'block', 422],
      ['follow *nowhere', 'follow', 404],
      ['cancel last', 'cancel', 404],
    ] as const) {
      const preview = await run(text, { dry_run: true });
      expect([text, preview.status]).toEqual([text, 200]);
      expect(preview.body).toEqual({
        understood: true,
        command,
        arguments: {},
        preview: 'Nothing with that name was found.',
        requires_confirmation: true,
        suggestions: [],
      });
      expect([text, (await run(text)).status]).toEqual([text, status]);
    }
  });

  it('accepts "group create", and "everyone" for all people', async () => {
    expect((await run('group create Choir', { dry_run: true })).body.arguments).toEqual({ name: 'Choir' });
    expect((await run('where is everyone')).body).toMatchObject({ arguments: {}, result: { items: [] } });
  });

  it('follows a tag, and unfollows with the returned undo command', async () => {
    const followed = await run('follow *jazz');
    expect(followed.body).toMatchObject({ result: { state: 'following' }, undo: 'unfollow *jazz' });
    const undone = await run(followed.body.undo);
    expect(undone.body).toMatchObject({ command: 'unfollow', undo: 'follow *jazz', result: null });
    expect((await run('follow *nowhere')).status).toBe(404);
  });

  it('sends messages and SMS, and leaves voicemail', async () => {
    const { alice, bob } = people;
    const { body: sent } = await run('message @bob Hello there', {}, alice);
    expect(sent.error).toBe(undefined);
    expect(sent.result).toMatchObject({ body: 'Hello there' });
    const second = await run('text *jazz And again', {}, alice);
    expect([second.status, second.body.error.code]).toEqual([409, 'thread_pending']);
    const sms = await run('text +14155550123 "Running late"');
    expect(sms.body.result).toEqual({ to: '+14155550123' });
    expect((await world.sent('+14155550123'))[0]?.text).toBe('alice: Running late');
    const mail = await run('voicemail *jazz Please call me back');
    expect(mail.body.result.kind).toBe('voicemail');
    const inbox = await world.call('GET /inbox', { token: bob.token });
    expect(inbox.body.items[0]).toMatchObject({ kind: 'voicemail', body: 'Please call me back', file: null });
  });

  it('starts and ends calls', async () => {
    const none = await run('end');
    expect([none.status, none.body.error.code]).toEqual([404, 'not_found']);
    const { body } = await run('call *jazz and @carol with video');
    expect(body).toMatchObject({ arguments: { to: ['*jazz', '@carol'], video: true }, result: { media: 'video' } });
    expect(body.undo).toBe('end');
    const twice = await run('call @bob');
    expect([twice.status, twice.body.error.code]).toEqual([409, 'call_in_progress']);
    expect((await run('hang up')).status).toBe(200);
    const live = await run('go live');
    expect(live.body.result).toMatchObject({ privacy: 'public' });
    expect((await run('is *jazz live')).body.result).toMatchObject({ live: false });
    await run('end');
  });

  it('blocks by the name of a tag, and unblocks with the returned undo command', async () => {
    const { carol } = people;
    await createTag(world, carol, 'choir');
    const blocked = await run('block *choir');
    expect(blocked.body).toMatchObject({ result: { user: { id: carol.id } }, undo: 'unblock @carol' });
    const hidden = await run('text @carol hi');
    const absent = await run('text @nobo1 hi');
    expect([hidden.status, hidden.body]).toEqual([422, absent.body]);
    const undone = await run(blocked.body.undo);
    expect(undone.body).toMatchObject({ command: 'unblock', undo: 'block @carol' });
    expect((await run('unblock @carol')).status).toBe(404);
  });

  it('adds a contact, and removes it with the returned undo command', async () => {
    const added = await run('add Anna Smith +1 415 555 0123');
    expect(added.body.result).toMatchObject({ name: 'Anna Smith', phones: [{ number: '+14155550123' }] });
    expect(added.body.undo).toBe(`remove contact ${added.body.result.id}`);
    expect((await run(added.body.undo)).status).toBe(200);
    expect((await world.call(`GET /contacts/${added.body.result.id}`, { token: people.alice.token })).status).toBe(404);
  });

  it('schedules jobs and reminders in the time zone of the account, and cancels them', async () => {
    const { carol } = people;
    await world.call('PATCH /me', { token: carol.token, body: { timezone: 'Asia/Tokyo' } });
    const job = await run('schedule call *jazz for tomorrow at 5pm', {}, carol);
    expect(job.body.preview).toMatch(/^On \w+, \d+ \w+ \d{4} at 17:00 \(Asia\/Tokyo\): call \*jazz\.$/);
    expect(job.body.result).toMatchObject({
      kind: 'call',
      target: { tag: 'jazz' },
      run_at: expect.stringMatching(/T08:00:00Z$/),
    });
    expect(job.body.undo).toBe(`cancel ${job.body.result.id}`);
    const weekly = await run('at 9am every monday status Weekly', {}, carol);
    expect(weekly.body.result).toMatchObject({ kind: 'status', rrule: 'FREQ=WEEKLY;BYDAY=MO', timezone: 'Asia/Tokyo' });
    const reminder = await run('remind me to water the plants tomorrow at 8', { timezone: 'UTC' }, carol);
    expect(reminder.body.result).toMatchObject({ kind: 'reminder', body: 'water the plants', timezone: 'UTC' });
    expect((await run('cancel last', {}, carol)).body.arguments).toEqual({ job: reminder.body.result.id });
    expect((await run(job.body.undo, {}, carol)).status).toBe(200);
    expect((await run('schedule follow *jazz for tomorrow', {}, carol)).status).toBe(422);
    expect((await run('status x', { timezone: 'Mars/Olympus' }, carol)).body.error.fields).toHaveProperty('timezone');
  });

  it('requires confirmation if a name is ambiguous or only guessed', async () => {
    const { bob, carol } = people;
    await setReach(world, carol, { find: 'everyone' });
    const first = await addContact(world, bob, { name: 'Anna Smith', phones: [{ number: '+14155550131' }] });
    await addContact(world, bob, { name: 'Anna Jones', phones: [{ number: '+14155550132' }] });
    const before = await count('graphile_worker._private_jobs');
    const several = await run('text Anna: On my way', {}, bob);
    expect(several.body).toMatchObject({ requires_confirmation: true });
    expect(several.body.suggestions).toEqual(['text "Anna Jones": On my way', 'text "Anna Smith": On my way']);
    expect(several.body.preview).toBe('Say which one you mean: "Anna Jones", "Anna Smith".');
    expect((await run('text Anna: On my way', { confirm: true }, bob)).body.requires_confirmation).toBe(true);
    expect(await count('graphile_worker._private_jobs')).toBe(before);
    const exact = await run('text Anna Smith on my way', {}, bob);
    expect(exact.body).toMatchObject({
      arguments: { to: '"Anna Smith"', body: 'on my way' },
      result: { to: '+14155550131' },
    });
    const again = await run(several.body.suggestions[0], {}, bob);
    expect(again.body.result).toEqual({ to: '+14155550132' });
    const twin = await addContact(world, bob, { name: 'anna smith', phones: [{ number: '+14155550133' }] });
    const twins = await run('call Anna Smith', {}, bob);
    expect(twins.body.suggestions).toEqual([`call ${first.id}`, `call ${twin.id}`]);
    const guess = await run('message carol hello', {}, bob);
    expect(guess.body).toMatchObject({ requires_confirmation: true, suggestions: ['message @carol hello'] });
    expect(guess.body.preview).toBe('Did you mean @carol?');
    const sure = await run('message carol hello', { confirm: true }, bob);
    expect(sure.body.result).toMatchObject({ body: 'hello' });
  });

  it('recognizes a name in each Unicode form of its accents', async () => {
    const { bob } = people;
    for (const [at, form] of (['NFC', 'NFD'] as const).entries()) {
      const number = `+1415555014${at}`;
      await addContact(world, bob, { name: `Zoë ${form}`.normalize(form), phones: [{ number }] });
      for (const typed of ['NFC', 'NFD'] as const) {
        const dry = await run(`text ZOË ${form} hello`.normalize(typed), { dry_run: true }, bob);
        expect([dry.status, dry.body.arguments.to?.normalize('NFC')]).toEqual([200, `"Zoë ${form}"`]);
      }
    }
  });

  it('never reveals contacts and groups of other accounts', async () => {
    const { alice, bob, carol } = people;
    await addContact(world, alice, { name: 'Zoe Private', phones: [{ number: '+14155550141' }] });
    await createGroup(world, alice, 'Zoe Group');
    const hidden = await run('text Zoe hi', {}, carol);
    expect(hidden.status).toBe(422);
    expect(JSON.stringify(hidden.body)).not.toContain('Private');
    expect(hidden.body).toEqual((await run('text Zoe hi', {}, bob)).body);
    expect(hidden.body).toEqual((await run('text Zob hi', {}, bob)).body);
  });

  it('returns where parsing stopped, what was expected, and at most three complete suggestions', async () => {
    const { status, body } = await run('cal *jazz');
    expect([status, body.error.code]).toEqual([422, 'validation_failed']);
    expect(body.error).toMatchObject({ fields: { text: expect.any(String) }, span: [0, 3] });
    expect(body.error.suggestions[0]).toBe('call *jazz');
    expect(body.error.suggestions.length).toBeLessThanOrEqual(3);
    const emoji = await run('🙂🙂 hello');
    expect(emoji.body.error.span).toEqual([0, 2]);
    const half = await run('message @bob');
    expect(half.body.error).toMatchObject({ span: [12, 12], expected: ['text'] });
  });

  it('returns the preview in the language of the request, with the same values', slow, async () => {
    const { bob } = people;
    await world.call('PATCH /me', { token: bob.token, body: { timezone: 'Europe/Vienna' } });
    await addContact(world, bob, { name: 'Lena Weiß', phones: [{ number: '+14155550151' }] });
    await createGroup(world, bob, 'Chor');
    const texts: Record<string, string[]> = {
      'call +14155550123 and +14155550124': ['+14155550123', '+14155550124'],
      'video call "Lena Weiß"': ['Lena Weiß'],
      'text "Lena Weiß" {braced}': ['Lena Weiß', '{braced}'],
      'message @carol Hello there': ['@carol', 'Hello there'],
      'voicemail @carol Hello there': ['@carol', 'Hello there'],
      'status Hello there': ['Hello there'],
      'follow *jazz': ['*jazz'],
      'unfollow *jazz': ['*jazz'],
      'invite ann@example.org': ['ann@example.org'],
      'invite +14155550123': ['+14155550123'],
      'block @carol': ['@carol'],
      'add Otto +14155550152': ['Otto', '+14155550152'],
      'add "Lena Weiß" to group "Chor"': ['Lena Weiß', 'Chor'],
      'remove contact "Lena Weiß"': ['Lena Weiß'],
      'group Orchester': ['Orchester'],
      'schedule call +14155550123 for tomorrow at 5pm': ['+14155550123', '17:00', 'Europe/Vienna'],
      'schedule call +14155550123 with video for tomorrow at 5pm': ['+14155550123', '17:00'],
      'schedule text "Lena Weiß" Hello there for tomorrow at 5pm': ['Lena Weiß', 'Hello there', '17:00'],
      'schedule message @carol Hello there for tomorrow at 5pm': ['@carol', 'Hello there', '17:00'],
      'at 9am every monday status Hello there': ['Hello there', '09:00', ' · '],
      'remind me to stretch tomorrow at 8': ['stretch', '08:00'],
      [`cancel job_${'0'.repeat(26)}`]: [`job_${'0'.repeat(26)}`],
      'share my location with @carol until 6pm': ['@carol', '18:00'],
      'share my location with my followers until 6pm': ['18:00'],
      'share my location with everybody until 6pm': ['18:00'],
      'share my location until 6pm': ['18:00'],
      'stop sharing': [],
      where: [],
      'where is @carol': ['@carol'],
      live: [],
      'is *jazz live': ['*jazz'],
      end: [],
      help: [],
      // An ambiguous name.
      'text Lena: Hello there': ['Lena Weiß'],
    };
    const previewIn = async (language: string, text: string): Promise<string> => {
      const answer = await run(text, { dry_run: true }, bob, { 'accept-language': language });
      expect([text, answer.status]).toEqual([text, 200]);
      return answer.body.preview;
    };
    for (const [text, values] of Object.entries(texts)) {
      const previews = [];
      for (const language of ['en', 'de', 'es', 'fr', 'ar']) previews.push(await previewIn(language, text));
      expect([text, new Set(previews).size]).toEqual([text, previews.length]);
      for (const value of values)
        for (const preview of previews) expect(preview.replaceAll('\u00A0', ' '), text).toContain(value);
    }
    expect(await previewIn('de', 'call +14155550123 and +14155550124')).toBe(
      'Jetzt +14155550123 und +14155550124 anrufen.',
    );
    expect(await previewIn('de', 'at 9am every monday status Servus')).toMatch(
      /^Am Montag, \d+\. \p{L}+ \d{4} um 09:00 \(Europe\/Vienna\) · Jeden Montag: „Servus“ posten\.$/u,
    );
  });

  it.each([
    ['en', 'is not complete: expected a text', 'is not understood from “now”: expected nothing more'],
    ['de', 'Das ist noch nicht vollständig. Es fehlt: ein Text', 'Ab „now“ nicht verstanden. Erwartet: nichts weiter'],
    ['fr', 'C’est incomplet. Il manque : un texte', 'Incompris à partir de « now ». Attendu : rien de plus'],
    ['ar', 'غير مكتمل. المتوقع: نص', 'غير مفهوم ابتداءً من «now». المتوقع: لا شيء آخر'],
  ])('returns what was expected in %s, with words of the grammar in English', async (language, half, more) => {
    const refusalOf = async (text: string) =>
      (await run(text, {}, people.alice, { 'accept-language': language })).body.error.fields.text.replaceAll(
        /[\u00A0\u202F]/g,
        ' ',
      );
    expect(await refusalOf('message @bob')).toBe(half);
    expect(await refusalOf('hang up now')).toBe(more);
    expect(await refusalOf('hang')).toContain('“up”');
  });

  it('replays the first response for a repeated idempotency key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await run('status Only this once', {}, people.carol, headers);
    const again = await run('status Only this once', {}, people.carol, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await count("statuses where body = 'Only this once'")).toBe(1);
    expect((await run('status Another', {}, people.carol, headers)).status).toBe(422);
  });

  it('stores nothing if the operation is rejected midway', async () => {
    const { bob, carol } = people;
    await setReach(world, carol, { message: 'none' });
    const before = await count('dm_threads');
    const stranger = await run('text @carol hi', {}, people.alice);
    expect([stranger.status, stranger.body.error.code]).toEqual([403, 'forbidden']);
    expect(await count('dm_threads')).toBe(before);
    await setReach(world, carol, { message: 'everyone' });
    expect((await run('help schedule', {}, bob)).body.result.items).toMatchObject([{ name: 'schedule' }]);
  });
});

describe('Rate budgets of commands', () => {
  it('include that of guesses of usernames, which those of known people do not use', async () => {
    const world = await createWorld({ environment: { THROTTLE_FACTOR: '0.1' } });
    const { alice, bob } = findPersonas();
    const preview = async (text: string) =>
      (await world.call('POST /commands', { token: alice.token, body: { text, dry_run: true } })).status;
    await follow(world, await createTag(world, bob, 'jazz'), alice);
    for (let at = 0; at < 8; at++) expect(await preview('message @bob hello')).toBe(200);
    const guesses = [];
    for (let at = 0; at < 4; at++) guesses.push(await preview(`call @anybody${at}, @somebody${at}`));
    for (let at = 0; at < 6; at++) guesses.push(await preview('message @carol hello'));
    expect([guesses.filter((status) => status === 200).length, guesses.at(-1)]).toEqual([6, 429]);
    expect(await preview('message @bob hello')).toBe(200);
    await world.close();
  });

  it('are those of their operations', async () => {
    const world = await createWorld({ environment: { THROTTLE_FACTOR: '0.1' } });
    const { alice } = findPersonas();
    const call = () => world.call('POST /commands', { token: alice.token, body: { text: 'live' } });
    const end = () => world.call('DELETE /calls/active', { token: alice.token });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) {
      statuses.push((await call()).status);
      await end();
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    await world.close();
  });
});
