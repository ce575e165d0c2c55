/** The operator's tool beside a running service: its actions reach people's sockets within a second. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSocket } from '../../running/realtime-receivers.ts';
import { requestAs, requestStreamGrant, password, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, program_environment, startService, type Service } from '../../running/running-service.ts';

const tool = join(import.meta.dirname, '..', '..', '..', '..', 'tools', 'moderate.ts');

describe('npm run moderate', () => {
  let service: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;
  beforeAll(async () => {
    service = await startService();
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
  });
  afterAll(() => service.close());

  const moderate = async (...args: string[]): Promise<string> => {
    const env = { ...program_environment, DATA_DIR: service.data_dir, LOG_LEVEL: 'info' };
    return (await promisify(execFile)(process.execPath, [tool, ...args], { env })).stdout;
  };
  const options = ['--operator', 'olga', '--reason', 'it was reported'];

  it('lists reports, hides the reported status, and suspends and restores its author', async () => {
    const tag = (await service.call('POST /xtags', { token: ada.token, body: { name: 'ill-will' } })).body;
    await service.call(`PUT /xtags/${tag.id}/follow`, { token: ben.token, body: {} });
    const status = { body: 'Bad words', tag_id: tag.id };
    const posted = (await service.call('POST /statuses', { token: ada.token, body: status })).body;
    const target = { target_type: 'status', target_id: posted.id, reason: 'harassment' };
    const report = (await service.call('POST /abuse-reports', { token: ben.token, body: target })).body;
    const queue = JSON.parse(await moderate('list'));
    expect(queue).toMatchObject([{ id: report.id, accused_id: ada.id, snapshot: { body: 'Bad words' } }]);

    const reader = await openSocket(await requestStreamGrant(service, ben.token));
    const author = await openSocket(await requestStreamGrant(service, ada.token));
    expect(await moderate('hide', 'status', posted.id, ...options)).toContain('"operator":"olga"');
    await poll(async () => reader.received.some((text) => text.includes('status.deleted')), 'the end of the status');
    expect((await service.call('GET /feed', { token: ben.token })).body.items).toEqual([]);

    await moderate('suspend', 'ada', ...options);
    const done_ms = performance.now();
    const ended = await author.closed;
    expect([ended.code, ended.at_ms - done_ms < 1000]).toEqual([4001, true]);
    expect((await service.call('GET /me', { token: ada.token })).status).toBe(401);
    expect((await service.call('GET /profiles/ill-will')).status).toBe(404);
    const login = await service.call('POST /auth/login', { body: { username: 'ada', password } });
    expect([login.status, login.body.error.code]).toEqual([403, 'account_suspended']);

    await moderate('restore', 'ada', ...options);
    await moderate('unhide', 'status', posted.id, ...options);
    expect((await service.call('GET /feed', { token: ben.token })).body.items).toMatchObject([{ id: posted.id }]);
    expect((await service.call('GET /profiles/ill-will')).status).toBe(200);
    const { acts } = JSON.parse(await moderate('show', report.id));
    expect(acts.map(({ act, operator }: { act: string; operator: string }) => [act, operator])).toEqual(
      ['hide', 'suspend', 'restore', 'unhide'].map((act) => [act, 'olga']),
    );
    expect(JSON.parse(await moderate('list', 'resolved'))).toMatchObject([{ id: report.id, state: 'resolved' }]);
    reader.close();
  });

  it('suspends people in calls, in spite of what only the service can do, and hides a tag whose room has a call', async () => {
    const people = [];
    for (const [at, name] of ['cleo', 'dora', 'erin'].entries())
      people.push(await signUp(service, name, `+1415555012${at}`));
    const [cleo, dora, erin] = people as [RunningPerson, RunningPerson, RunningPerson];
    const joinCall = ({ token }: RunningPerson, join_code: string) =>
      service.call(`POST /calls/${join_code}/sfu-grant`, { token, body: {} });
    const call = await requestAs(service, cleo, 'POST /calls', { to: [{ user_id: dora.id }, { user_id: erin.id }] });
    for (const who of people) expect((await joinCall(who, call.join_code)).status).toBe(200);
    const view = () => requestAs(service, cleo, `GET /calls/${call.join_code}`);
    const { pin } = (await view()).dial_in;
    await moderate('suspend', 'dora', ...options);
    const after = await view();
    const states = after.participants.map((one: { name: string; state: string }) => [one.name, one.state]);
    expect(Object.fromEntries(states)).toMatchObject({ cleo: 'joining', dora: 'left', erin: 'joining' });
    expect(after.dial_in.pin).not.toBe(pin);

    const tag = await requestAs(service, ben, 'POST /xtags', { name: 'salon' });
    const room = await requestAs(service, ben, `PUT /xtags/${tag.id}/room`, { privacy: 'public' });
    expect((await joinCall(ben, room.join_code)).status).toBe(200);
    await moderate('hide', 'tag', tag.id, ...options);
    expect((await service.call('GET /calls/active', { token: ben.token })).status).toBe(404);
    await moderate('suspend', 'cleo', ...options);
    expect((await service.call('GET /calls/active', { token: erin.token })).status).toBe(404);
  });

  it('fails without a reason, and prints its usage for an unknown command', async () => {
    await expect(moderate('suspend', 'ben')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--reason'),
    });
    await expect(moderate('banish', 'ben')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Usage'),
    });
    await expect(moderate('suspend', 'nobody', ...options)).rejects.toMatchObject({
      code: 1,
      stderr: 'There is no account nobody.\n',
    });
    expect((await service.call('GET /me', { token: ben.token })).status).toBe(200);
  });
});
