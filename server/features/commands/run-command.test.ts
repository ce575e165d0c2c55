import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../testing/contacting.ts';
import { createTag } from '../../testing/following.ts';
import { createGroup } from '../../testing/grouping.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/personas.ts';
import { createWorld, type World } from '../../testing/world.ts';

describe('POST /commands', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
    await createTag(world, people.bob, 'jazz');
  });
  afterAll(() => world.close());

  const say = (text: string, more: object = {}, who: Persona = people.alice, headers: Record<string, string> = {}) =>
    world.call('POST /commands', { token: who.token, body: { text, ...more }, headers });
  const count = async (rows: string) =>
    (await world.app.services.db.native.query<{ n: number }>(`select count(*)::int as n from ${rows}`)).rows[0]?.n;

  it('runs the operation itself and answers what that answers', async () => {
    const { status, body } = await say('status On stage tonight');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      understood: true,
      command: 'status',
      arguments: { body: 'On stage tonight' },
      preview: 'Post the status “On stage tonight” now.',
      result: { id: expect.stringMatching(/^post_/), body: 'On stage tonight' },
    });
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
      const { status, body } = await say(text, { dry_run: true });
      expect([text, status, body.understood, body.result]).toEqual([text, 200, true, undefined]);
    }
    expect(await Promise.all(tables.map(count))).toEqual(before);
  });

  it('understands on a dry run what names nobody, and refuses to run it', async () => {
    for (const [text, command, status] of [
      ['call *nowhere', 'call', 422],
      ['block @nobody', 'block', 422],
      ['follow *nowhere', 'follow', 404],
      ['cancel last', 'cancel', 404],
    ] as const) {
      const preview = await say(text, { dry_run: true });
      expect([text, preview.status]).toEqual([text, 200]);
      expect(preview.body).toEqual({
        understood: true,
        command,
        arguments: {},
        preview: 'Nothing with that name was found.',
        requires_confirmation: true,
        suggestions: [],
      });
      expect([text, (await say(text)).status]).toEqual([text, status]);
    }
  });

  it('takes a group by either order of the words, and everyone as everybody', async () => {
    expect((await say('group create Choir', { dry_run: true })).body.arguments).toEqual({ name: 'Choir' });
    expect((await say('where is everyone')).body).toMatchObject({ arguments: {}, result: { items: [] } });
  });

  it('follows and takes it back', async () => {
    const followed = await say('follow *jazz');
    expect(followed.body).toMatchObject({ result: { state: 'following' }, undo: 'unfollow *jazz' });
    const undone = await say(followed.body.undo);
    expect(undone.body).toMatchObject({ command: 'unfollow', undo: 'follow *jazz', result: null });
    expect((await say('follow *nowhere')).status).toBe(404);
  });

  it('writes, texts and leaves voicemail', async () => {
    const { alice, bob } = people;
    const { body: sent } = await say('message @bob Hello there', {}, alice);
    expect(sent.error).toBe(undefined);
    expect(sent.result).toMatchObject({ body: 'Hello there' });
    const second = await say('text *jazz And again', {}, alice);
    expect([second.status, second.body.error.code]).toEqual([409, 'thread_pending']);
    const sms = await say('text +14155550123 "Running late"');
    expect(sms.body.result).toEqual({ to: '+14155550123' });
    expect((await world.sent('+14155550123'))[0]?.text).toBe('alice: Running late');
    const mail = await say('voicemail *jazz Please call me back');
    expect(mail.body.result.kind).toBe('voicemail');
    const inbox = await world.call('GET /inbox', { token: bob.token });
    expect(inbox.body.items[0]).toMatchObject({ kind: 'voicemail', body: 'Please call me back', file: null });
  });

  it('calls, and ends the call', async () => {
    const none = await say('end');
    expect([none.status, none.body.error.code]).toEqual([404, 'not_found']);
    const { body } = await say('call *jazz and @carol with video');
    expect(body).toMatchObject({ arguments: { to: ['*jazz', '@carol'], video: true }, result: { media: 'video' } });
    expect(body.undo).toBe('end');
    const twice = await say('call @bob');
    expect([twice.status, twice.body.error.code]).toEqual([409, 'call_in_progress']);
    expect((await say('hang up')).status).toBe(200);
    const live = await say('go live');
    expect(live.body.result).toMatchObject({ privacy: 'public' });
    expect((await say('is *jazz live')).body.result).toMatchObject({ live: false });
    await say('end');
  });

  it('blocks and takes it back, whatever the name', async () => {
    const { carol } = people;
    await createTag(world, carol, 'choir');
    const blocked = await say('block *choir');
    expect(blocked.body).toMatchObject({ result: { user: { id: carol.id } }, undo: 'unblock @carol' });
    const hidden = await say('text @carol hi');
    const absent = await say('text @nobo1 hi');
    expect([hidden.status, hidden.body]).toEqual([422, absent.body]);
    const undone = await say(blocked.body.undo);
    expect(undone.body).toMatchObject({ command: 'unblock', undo: 'block @carol' });
    expect((await say('unblock @carol')).status).toBe(404);
  });

  it('adds a contact and takes it back', async () => {
    const added = await say('add Anna Smith +1 415 555 0123');
    expect(added.body.result).toMatchObject({ name: 'Anna Smith', phones: [{ number: '+14155550123' }] });
    expect(added.body.undo).toBe(`remove contact ${added.body.result.id}`);
    expect((await say(added.body.undo)).status).toBe(200);
    expect((await world.call(`GET /contacts/${added.body.result.id}`, { token: people.alice.token })).status).toBe(404);
  });

  it('schedules and reminds in the zone of the account, and cancels', async () => {
    const { carol } = people;
    await world.call('PATCH /me', { token: carol.token, body: { timezone: 'Asia/Tokyo' } });
    const job = await say('schedule call *jazz for tomorrow at 5pm', {}, carol);
    expect(job.body.preview).toMatch(/^On \w+, \d+ \w+ \d{4} at 17:00 \(Asia\/Tokyo\): call \*jazz\.$/);
    expect(job.body.result).toMatchObject({
      kind: 'call',
      target: { tag: 'jazz' },
      run_at: expect.stringMatching(/T08:00:00Z$/),
    });
    expect(job.body.undo).toBe(`cancel ${job.body.result.id}`);
    const weekly = await say('at 9am every monday status Weekly', {}, carol);
    expect(weekly.body.result).toMatchObject({ kind: 'status', rrule: 'FREQ=WEEKLY;BYDAY=MO', timezone: 'Asia/Tokyo' });
    const reminder = await say('remind me to water the plants tomorrow at 8', { timezone: 'UTC' }, carol);
    expect(reminder.body.result).toMatchObject({ kind: 'reminder', body: 'water the plants', timezone: 'UTC' });
    expect((await say('cancel last', {}, carol)).body.arguments).toEqual({ job: reminder.body.result.id });
    expect((await say(job.body.undo, {}, carol)).status).toBe(200);
    expect((await say('schedule follow *jazz for tomorrow', {}, carol)).status).toBe(422);
    expect((await say('status x', { timezone: 'Mars/Olympus' }, carol)).body.error.fields).toHaveProperty('timezone');
  });

  it('asks when several may be meant, and when it is a guess', async () => {
    const { bob, carol } = people;
    await setReach(world, carol, { find: 'everyone' });
    const one = await addContact(world, bob, { name: 'Anna Smith', phones: [{ number: '+14155550131' }] });
    await addContact(world, bob, { name: 'Anna Jones', phones: [{ number: '+14155550132' }] });
    const before = await count('graphile_worker._private_jobs');
    const several = await say('text Anna: On my way', {}, bob);
    expect(several.body).toMatchObject({ requires_confirmation: true });
    expect(several.body.suggestions).toEqual(['text "Anna Jones": On my way', 'text "Anna Smith": On my way']);
    expect((await say('text Anna: On my way', { confirm: true }, bob)).body.requires_confirmation).toBe(true);
    expect(await count('graphile_worker._private_jobs')).toBe(before);
    const exact = await say('text Anna Smith on my way', {}, bob);
    expect(exact.body).toMatchObject({
      arguments: { to: '"Anna Smith"', body: 'on my way' },
      result: { to: '+14155550131' },
    });
    const again = await say(several.body.suggestions[0], {}, bob);
    expect(again.body.result).toEqual({ to: '+14155550132' });
    const twin = await addContact(world, bob, { name: 'anna smith', phones: [{ number: '+14155550133' }] });
    const twins = await say('call Anna Smith', {}, bob);
    expect(twins.body.suggestions).toEqual([`call ${one.id}`, `call ${twin.id}`]);
    const guess = await say('message carol hello', {}, bob);
    expect(guess.body).toMatchObject({ requires_confirmation: true, suggestions: ['message @carol hello'] });
    const sure = await say('message carol hello', { confirm: true }, bob);
    expect(sure.body.result).toMatchObject({ body: 'hello' });
  });

  it("never names another's contacts and groups", async () => {
    const { alice, bob, carol } = people;
    await addContact(world, alice, { name: 'Zoe Private', phones: [{ number: '+14155550141' }] });
    await createGroup(world, alice, 'Zoe Group');
    const hidden = await say('text Zoe hi', {}, carol);
    expect(hidden.status).toBe(422);
    expect(JSON.stringify(hidden.body)).not.toContain('Private');
    expect(hidden.body).toEqual((await say('text Zoe hi', {}, bob)).body);
    expect(hidden.body).toEqual((await say('text Zob hi', {}, bob)).body);
  });

  it('says where it stopped, what it expected, and three whole commands at the most', async () => {
    const { status, body } = await say('cal *jazz');
    expect([status, body.error.code]).toEqual([422, 'validation_failed']);
    expect(body.error).toMatchObject({ fields: { text: expect.any(String) }, span: [0, 3] });
    expect(body.error.suggestions[0]).toBe('call *jazz');
    expect(body.error.suggestions.length).toBeLessThanOrEqual(3);
    const emoji = await say('🙂🙂 hello');
    expect(emoji.body.error.span).toEqual([0, 2]);
    const half = await say('message @bob');
    expect(half.body.error).toMatchObject({ span: [12, 12], expected: ['text'] });
  });

  it('says what it would do in the language of the request, with the same values', async () => {
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
      // Several may be meant.
      'text Lena: Hello there': ['Lena Weiß'],
    };
    const previewIn = async (language: string, text: string): Promise<string> => {
      const answer = await say(text, { dry_run: true }, bob, { 'accept-language': language });
      expect([text, answer.status]).toEqual([text, 200]);
      return answer.body.preview;
    };
    for (const [text, values] of Object.entries(texts)) {
      const said = [];
      for (const language of ['en', 'de', 'es', 'fr', 'ar']) said.push(await previewIn(language, text));
      expect([text, new Set(said).size]).toEqual([text, said.length]);
      for (const value of values)
        for (const preview of said) expect(preview.replaceAll('\u00A0', ' '), text).toContain(value);
    }
    expect(await previewIn('de', 'call +14155550123 and +14155550124')).toBe(
      'Jetzt +14155550123 und +14155550124 anrufen.',
    );
    expect(await previewIn('de', 'at 9am every monday status Servus')).toMatch(
      /^Am Montag, \d+\. \p{L}+ \d{4} um 09:00 \(Europe\/Vienna\) · Jeden Montag: „Servus“ posten\.$/u,
    );
  });

  it.each([
    ['en', 'is not complete: expected a text', 'is not understood from “now” on: expected nothing more'],
    ['de', 'Das ist noch nicht vollständig. Es fehlt: ein Text', 'Ab „now“ nicht verstanden. Erwartet: nichts weiter'],
    ['fr', 'C’est incomplet. Il manque : un texte', 'Incompris à partir de « now ». Attendu : rien de plus'],
    ['ar', 'غير مكتمل. المتوقع: نص', 'غير مفهوم ابتداءً من ”now“. المتوقع: لا شيء آخر'],
  ])('says in %s what it expected, words of its grammar as they are', async (language, half, more) => {
    const refusalOf = async (text: string) =>
      (await say(text, {}, people.alice, { 'accept-language': language })).body.error.fields.text.replaceAll(
        /[\u00A0\u202F]/g,
        ' ',
      );
    expect(await refusalOf('message @bob')).toBe(half);
    expect(await refusalOf('hang up now')).toBe(more);
    expect(await refusalOf('hang')).toContain('“up”');
  });

  it('answers a repeat under its key with the first answer, and does it once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await say('status Only this once', {}, people.carol, headers);
    const again = await say('status Only this once', {}, people.carol, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await count("statuses where body = 'Only this once'")).toBe(1);
    expect((await say('status Another', {}, people.carol, headers)).status).toBe(422);
  });

  it('keeps nothing of a command whose operation refuses in the middle', async () => {
    const { bob, carol } = people;
    await setReach(world, carol, { message: 'none' });
    const before = await count('dm_threads');
    const stranger = await say('text @carol hi', {}, people.alice);
    expect([stranger.status, stranger.body.error.code]).toEqual([403, 'forbidden']);
    expect(await count('dm_threads')).toBe(before);
    await setReach(world, carol, { message: 'everyone' });
    expect((await say('help schedule', {}, bob)).body.result.items).toMatchObject([{ name: 'schedule' }]);
  });
});

describe('the budgets of commands', () => {
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
