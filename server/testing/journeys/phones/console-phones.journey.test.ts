/** A developer simulates phones on the console's page: every button, and dialling in. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { signUp } from '../../running/running-people.ts';
import { poll, type Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser } from '../../browser/windows.ts';
import { describeStory } from '../../../../testing/story.ts';

describeStory(missing_browser, "the console's phones", () => {
  let service: Service;
  let page: Page;
  let token = '';
  let pin = '';
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    ({ token } = await signUp(service, 'ada', '+14155550101'));
    page = await windows.open();
    await page.goto(`${service.url}/console`);
  });

  const states = async (): Promise<Record<string, string>> => {
    const { body } = await service.call('GET /calls/active', { token });
    return Object.fromEntries(
      body.participants.map(({ name, state }: { name: string; state: string }) => [name, state]),
    );
  };
  const legs = () => page.locator('#legs li');
  const press = (name: string) => legs().first().getByRole('button', { name, exact: true }).click();

  it('shows no phones at first', async () => {
    await page.getByRole('heading', { name: 'Phones' }).waitFor();
    expect(await legs().count()).toBe(0);
    ({ pin } = (await service.call('POST /calls', { token, body: { to: [] } })).body.dial_in);
  });

  it.each(['busy', 'no answer', 'failed'])('simulates a phone that is %s', async (name) => {
    const body = { number: '+493012345678', name: 'Gran' };
    expect((await service.call('POST /calls/active/bridge-phone', { token, body })).status).toBe(201);
    await press('ringing');
    await press(name);
    await poll(async () => (await states())['Gran'] === name.replace(' ', '_'), name);
    await legs()
      .first()
      .locator('.tag', { hasText: name.replace(' ', '_') })
      .waitFor();
    expect(await legs().first().getByRole('button').count()).toBe(0);
  });

  it('dials in by the digits of the call, with a tone, and hangs up', async () => {
    await page.getByLabel('PIN').fill('00000000');
    await page.getByRole('button', { name: 'Dial in' }).click();
    await page.getByText('No call has these digits.').waitFor();
    await page.getByLabel('PIN').fill(pin);
    await page.getByRole('button', { name: 'Dial in' }).click();
    await legs()
      .first()
      .getByText(/^plays \d+ Hz, hears nothing$/)
      .waitFor();
    await poll(async () => (await states())['Phone'] === 'joined', 'the phone');
    await press('hung up');
    await poll(async () => (await states())['Phone'] === 'left', 'the end');
  });
});
