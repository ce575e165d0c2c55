/** The command bar in two windows: input is completed, previewed, executed, and undone. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { focusedElement, inspectPage } from '../../browser/page-checks.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, createTag, openTwoPeople, missing_browser, waitForHome } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'the command bar', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    await createTag(ben, 'jazz');
  });
  beforeEach(async () => {
    for (const page of [ada, ben]) {
      await page.goto(`${service.url}/app/`);
      await waitForHome(page);
    }
  });

  const bar = (page: Page) => page.getByRole('dialog', { name: 'Search or ask' });
  const input = (page: Page) => bar(page).getByRole('combobox', { name: 'Search or ask' });
  const open = async (page: Page) => {
    await page.keyboard.press('Control+k');
    await input(page).waitFor();
  };
  /** The scheduled jobs of the window's account, fetched with its session. */
  const listJobs = (page: Page) =>
    page.evaluate(async () => {
      const { token } = JSON.parse(localStorage.getItem('asterism.session') ?? '{}') as { token: string };
      const answer = await fetch('/v1/scheduled-jobs?state=scheduled', {
        headers: { authorization: `Bearer ${token}` },
      });
      return ((await answer.json()) as { items: { body: string }[] }).items.map(({ body }) => body);
    });

  it('opens by its keyboard shortcut with the focus in its input, and returns the focus', async () => {
    await ada
      .getByRole('button', { name: /^Search or ask/ })
      .first()
      .focus();
    await open(ada);
    await expect.poll(async () => (await focusedElement(ada)).name).toBe('Search or ask');
    await bar(ada)
      .getByRole('option', { name: /^Call people/ })
      .waitFor();
    expect(await inspectPage(ada, 'commands-empty')).toEqual([]);
    await ada.keyboard.press('Escape');
    await bar(ada).waitFor({ state: 'detached' });
    await expect.poll(async () => (await focusedElement(ada)).name).toMatch(/^Search or ask/);
  });

  it('completes a command, previews it, and executes it only on confirmation', async () => {
    await open(ada);
    await ada.keyboard.type('remi');
    await bar(ada)
      .getByRole('option', { name: /^remind me/ })
      .waitFor();
    await ada.keyboard.press('Tab');
    await expect.poll(() => input(ada).inputValue()).toMatch(/^remind me/);
    await input(ada).fill('remind me to water the plants tomorrow at 8');
    await bar(ada).getByRole('button', { name: 'Run' }).waitFor();
    expect(await bar(ada).locator('.cmd-preview').innerText()).toContain('water the plants');
    expect(await listJobs(ada)).toEqual([]);
    expect(await inspectPage(ada, 'commands-preview')).toEqual([]);
    await ada.keyboard.press('Enter');
    await bar(ada).waitFor({ state: 'detached' });
    await ada.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await listJobs(ada)).toEqual(['water the plants']);
    await ada.getByRole('button', { name: 'Undo' }).click();
    await ada.getByText('Undone.').waitFor();
    expect(await listJobs(ada)).toEqual([]);
  });

  it('offers a correction of a mistyped command', async () => {
    await open(ada);
    await ada.keyboard.type('folow *jazz');
    await bar(ada)
      .getByRole('option', { name: /^follow \*jazz/ })
      .waitFor();
    expect(await inspectPage(ada, 'commands-meant', 'each')).toEqual([]);
    await bar(ada)
      .getByRole('option', { name: /^follow \*jazz/ })
      .click();
    await bar(ada).getByRole('button', { name: 'Run' }).click();
    await ada.getByRole('button', { name: 'Undo' }).waitFor();
    await ada.getByRole('button', { name: 'Undo' }).click();
    await ada.getByText('Undone.').waitFor();
  });

  it('finds tags by name, also on a phone', async () => {
    await ben.getByRole('button', { name: 'Search or ask' }).first().click();
    await input(ben).fill('jazz');
    await bar(ben)
      .getByRole('option', { name: /^\*jazz/ })
      .waitFor();
    expect(await inspectPage(ben, 'commands-found', 'each')).toEqual([]);
    await bar(ben)
      .getByRole('option', { name: /^\*jazz/ })
      .click();
    await ben.waitForURL(/\/t\/jazz$/);
    await bar(ben).waitFor({ state: 'detached' });
  });

  it('opens a chat by the name of its peer, and finds contacts by name', async () => {
    const { token } = JSON.parse(String(await ada.evaluate(`localStorage.getItem('asterism.session')`))) as {
      token: string;
    };
    const { token: ben_token } = JSON.parse(String(await ben.evaluate(`localStorage.getItem('asterism.session')`))) as {
      token: string;
    };
    const user_id = (await service.call('GET /me', { token: ben_token })).body.id as string;
    const thread = await service.call('POST /dm/threads', { token, body: { user_id } });
    await service.call(`POST /dm/threads/${thread.body.id}/chat`, { token, body: { body: 'Hello' } });
    const phones = [{ label: 'mobile', number: '+14155550191' }];
    await service.call('POST /contacts', { token, body: { name: 'Cleo', phones } });
    await ada.goto(`${service.url}/app/calls`);
    await ada.getByRole('heading', { level: 1 }).waitFor();
    await open(ada);
    await input(ada).fill('cle');
    await bar(ada)
      .getByRole('option', { name: /^Cleo \+1 415 555 0191/ })
      .waitFor();
    await input(ada).fill('ben');
    await bar(ada).getByRole('option', { name: /^ben/ }).first().waitFor();
    expect(await inspectPage(ada, 'commands-people', 'each')).toEqual([]);
    await ada.keyboard.press('Enter');
    await expect.poll(() => new URL(ada.url()).pathname).toBe(`/app/messages/${thread.body.id}`);
  });

  it('transcribes speech into its input, and does not execute it by itself', async () => {
    await open(ada);
    const answer = { transcript: 'status Hello everybody', confidence: 0.9, command: null };
    let uploads = 0;
    let runs = 0;
    await ada.route('**/v1/commands/voice', (route) => {
      uploads += 1;
      return route.fulfill({ json: answer });
    });
    await ada.route('**/v1/commands', async (route) => {
      if ((route.request().postDataJSON() as { dry_run?: boolean }).dry_run !== true) runs += 1;
      await route.continue();
    });
    await bar(ada).getByRole('button', { name: 'Dictate' }).click();
    await bar(ada)
      .getByText(/^Listening 0:01/)
      .waitFor();
    await bar(ada).getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => input(ada).inputValue()).toBe(answer.transcript);
    await bar(ada).getByRole('button', { name: 'Run' }).waitFor();
    expect([uploads, runs]).toEqual([1, 0]);
    await ada.unrouteAll({ behavior: 'wait' });
    const error = { code: 'unavailable', message: 'This service does not recognise speech.' };
    await ada.route('**/v1/commands/voice', (route) => route.fulfill({ status: 503, json: { error } }));
    await bar(ada).getByRole('button', { name: 'Dictate' }).click();
    await bar(ada)
      .getByText(/^Listening/)
      .waitFor();
    await bar(ada).getByRole('button', { name: 'Stop' }).click();
    await bar(ada).getByText('Speech isn’t supported here. Type instead.').waitFor();
    await ada.unrouteAll({ behavior: 'wait' });
  });
});
