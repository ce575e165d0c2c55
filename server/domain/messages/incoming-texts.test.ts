import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runMaintenance } from '../../app/jobs/maintenance.ts';
import { createTwilioSms } from '../../engines/sms/twilio.ts';
import { signTwilio } from '../../engines/twilio-signature.ts';
import { consoleCall, inboxOf } from '../../testing/steps/calls.ts';
import { addContact } from '../../testing/steps/contacts.ts';
import { block } from '../../testing/steps/follows.ts';
import { findPersonas, advanceSeconds, type Persona, type Personas } from '../../testing/world/personas.ts';
import { runDueJobs, schedule } from '../../testing/steps/scheduled-jobs.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const day_s = 86_400;

describe('an incoming text message', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    for (const table of ['inbox_messages', 'text_writers', 'incoming_texts'])
      await world.app.services.db.native.query(`delete from ${table}`);
  });

  const simulateIncomingText = async (from: string, text = 'On my way', more: object = {}) =>
    consoleCall(world, 'POST', '/console/sms', { from, to: '+15005550006', text, ...more });
  const text = async (who: Persona, phone: string) => {
    await schedule(world, who, { kind: 'text', target: { phone }, body: 'Coming?' });
    await runDueJobs(world);
  };

  it('replies to a scheduled text, and arrives in the inbox of the last sender', async () => {
    const { alice, bob } = people;
    await text(alice, '+14155550170');
    expect(await simulateIncomingText('+1 415 555 0170')).toMatchObject({ status: 200, body: { delivered: true } });
    const [message, ...others] = await inboxOf(world, alice);
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      kind: 'text',
      from: { user: null, number: '+14155550170', name: '+14155550170' },
      body: 'On my way',
      file: null,
      conference_id: null,
      read: false,
    });
    expect((await world.events(`user:${alice.id}`)).at(-1)).toEqual({ type: 'inbox.message', data: { message } });
    await text(bob, '+14155550170');
    await addContact(world, bob, { name: 'Gran', phones: [{ number: '+14155550170' }] });
    await simulateIncomingText('+14155550170', 'For Bob');
    expect(await inboxOf(world, alice)).toHaveLength(1);
    expect(await inboxOf(world, bob)).toMatchObject([{ body: 'For Bob', from: { name: 'Gran' } }]);
  });

  it('replies to an invite', async () => {
    const { carol } = people;
    await world.call('POST /invites', { token: carol.token, body: { channel: 'sms', to: '+14155550171' } });
    await world.settle();
    expect((await simulateIncomingText('+14155550171', 'What is this?')).body.delivered).toBe(true);
    expect(await inboxOf(world, carol)).toMatchObject([{ kind: 'text', body: 'What is this?' }]);
  });

  it('is dropped without a previous text, after 14 days, and across a block', async () => {
    const { alice, bob } = people;
    expect((await simulateIncomingText('+14155550172')).body).toEqual({ delivered: false });
    await text(alice, '+14155550173');
    await text(alice, bob.mobile_number);
    await block(world, bob, alice);
    expect((await simulateIncomingText(bob.mobile_number)).body.delivered).toBe(false);
    await advanceSeconds(world, 14 * day_s - 600);
    expect((await simulateIncomingText('+14155550173')).body.delivered).toBe(true);
    await advanceSeconds(world, 700);
    expect((await simulateIncomingText('+14155550173')).body.delivered).toBe(false);
    expect(await inboxOf(world, alice)).toHaveLength(1);
    await runMaintenance(world.app.services);
    await advanceSeconds(world, 3601);
    await world.settle();
    const { rowCount } = await world.app.services.db.native.query('select 1 from text_writers');
    expect(rowCount).toBe(0);
  });

  it.each([
    [{ from: 'hello' }, 'from'],
    [{ to: 'hello' }, 'to'],
    [{ text: '' }, 'text'],
    [{ text: 'x'.repeat(1601) }, 'text'],
    [{ more: 1 }, 'more'],
  ])('is rejected with 422: %j', async (invalid_fields, field) => {
    const { status, body } = await simulateIncomingText('+14155550174', 'Hello', invalid_fields);
    expect([status, Object.keys(body.error.fields)]).toEqual([422, [field]]);
  });

  it('is stored once for repeated webhooks of Twilio, which require a valid signature', async () => {
    const { alice } = people;
    const { services, http } = world.app;
    const { receive } = createTwilioSms({ account_sid: 'AC1', auth_token: 'a-secret', from: '+15005550006' });
    if (receive) services.sms.receive = receive;
    const url = 'http://asterism.test/v1/sms/webhook';
    const post = (form: Record<string, string>, auth_token = 'a-secret') => {
      const parameters = new URLSearchParams(form);
      return http.inject({
        method: 'POST',
        url: '/v1/sms/webhook',
        payload: parameters.toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': signTwilio(auth_token, url, parameters),
        },
      });
    };
    await text(alice, '+14155550175');
    const form = { MessageSid: 'SM1', From: '+14155550175', To: '+15005550006', Body: 'Yes, both of us' };
    expect((await post(form, 'another')).statusCode).toBe(401);
    for (let time = 0; time < 2; time++) {
      const accepted = await post(form);
      expect([accepted.statusCode, accepted.headers['content-type'], accepted.body]).toEqual([
        200,
        'text/xml',
        '<?xml version="1.0" encoding="UTF-8"?><Response></Response>',
      ]);
    }
    for (const invalid of [{ From: 'Bank' }, { Body: ' ' }, { From: '+14155550199' }])
      expect((await post({ ...form, MessageSid: 'SM2', ...invalid })).statusCode).toBe(200);
    expect(await inboxOf(world, alice)).toMatchObject([{ body: 'Yes, both of us' }]);
    // With a provider, the console does not accept texts.
    expect((await simulateIncomingText('+14155550175')).status).toBe(404);
    delete services.sms.receive;
    expect((await post(form)).statusCode).toBe(401);
  });

  it('is limited to thirty an hour per phone', slow, async () => {
    const own = await createWorld();
    const { alice } = people;
    await own.app.services.db.native.query(
      `insert into text_writers (number, user_id, written_at) values ('+14155550176', $1, now())`,
      [alice.id],
    );
    const answers = [];
    for (let at = 0; at < 32; at++)
      answers.push(
        (await consoleCall(own, 'POST', '/console/sms', { from: '+14155550176', text: `${at}` })).body.delivered,
      );
    expect(answers.filter(Boolean)).toHaveLength(30);
    await own.close();
  });
});
