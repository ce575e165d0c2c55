/** Scheduled messages in two windows: from the composers, listed, edited, cancelled with undo, failed and retried. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { requestAs, signUp as signUpByApi } from '../../../running/running-people.ts';
import type { Service } from '../../../running/running-service.ts';
import { useBrowserWindows, openTwoPeople, missing_browser, sessionOf, visit } from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'scheduled sending', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
  });

  const sheet = (page: Page) => page.getByRole('dialog').last();
  const openScheduled = async (page: Page) => {
    await visit(page, `${service.url}/app/scheduled`);
    await page.getByRole('heading', { name: 'Scheduled', level: 1 }).waitFor();
  };
  const upcoming = (page: Page) => page.getByRole('region', { name: 'Upcoming' });
  const post = (page: Page, path: string, body: unknown) =>
    page.evaluate(
      async ([to, sent]) => {
        const { token } = JSON.parse(localStorage.getItem('asterism.session') ?? '{}') as { token: string };
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const answer = await fetch(`/v1${String(to)}`, { method: 'POST', headers, body: JSON.stringify(sent) });
        return { status: answer.status, body: (await answer.json()) as { id: string } };
      },
      [path, body] as const,
    );

  /** Cancels everything that somebody has scheduled. */
  async function cancelAll(page: Page): Promise<void> {
    const person = await sessionOf(page);
    const { items } = await requestAs(service, person, 'GET /scheduled-jobs?state=scheduled');
    for (const { id } of items) await requestAs(service, person, `DELETE /scheduled-jobs/${id}`);
  }
  const idOf = (page: Page) =>
    page.evaluate(async () => {
      const { token } = JSON.parse(localStorage.getItem('asterism.session') ?? '{}') as { token: string };
      const answer = await fetch('/v1/me', { headers: { authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { id: string }).id;
    });

  it('schedules a status, empties the composer, and does not change the feed', async () => {
    await cancelAll(ada);
    await openScheduled(ada);
    await ada.getByRole('heading', { name: 'Nothing is scheduled' }).waitFor();
    expect(await inspectPage(ada, 'scheduled-empty', 'each')).toEqual([]);
    await visit(ada, `${service.url}/app/`);
    await ada.getByRole('button', { name: 'Say something' }).click();
    await ada.getByRole('button', { name: 'Send later' }).click();
    await ada.getByText('Write something first.').waitFor();
    await ada.getByLabel('What is new?').fill('Good morning, everybody');
    await ada.getByRole('button', { name: 'Send later' }).click();
    await sheet(ada)
      .getByRole('button', { name: /^Tomorrow/ })
      .waitFor();
    expect(await inspectPage(ada, 'send-later')).toEqual([]);
    await sheet(ada)
      .getByRole('button', { name: /^Tomorrow/ })
      .click();
    await ada.getByText(/^Scheduled for tomorrow at/).waitFor();
    await ada.getByRole('button', { name: 'Say something' }).waitFor();
    expect(await ada.getByRole('article').count()).toBe(0);
    await openScheduled(ada);
    await upcoming(ada).getByText('Good morning, everybody').waitFor();
  });

  it('schedules a direct message at a custom time, and makes it recurring', async () => {
    const user_id = await idOf(ben);
    const { body: thread } = await post(ada, '/dm/threads', { user_id });
    await post(ada, `/dm/threads/${thread.id}/chat`, { body: 'Hello' });
    const { body: same_thread } = await post(ben, '/dm/threads', { user_id: await idOf(ada) });
    await post(ben, `/dm/threads/${same_thread.id}/chat`, { body: 'Hello to you' });
    await visit(ada, `${service.url}/app/messages/${thread.id}`);
    await ada.getByText('Hello to you').last().waitFor();
    await ada.getByRole('textbox', { name: 'Message' }).fill('See you on Monday');
    await ada.getByRole('button', { name: 'Send later' }).click();
    await sheet(ada).getByLabel('Time', { exact: true }).fill('07:15');
    await sheet(ada).getByRole('button', { name: 'Schedule' }).click();
    await ada.getByText(/^Scheduled for tomorrow at 7:15/).waitFor();
    expect(await ada.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('');
    expect(await ada.getByText('See you on Monday').count()).toBe(0);
    await openScheduled(ada);
    await upcoming(ada).getByText('Message to ben').waitFor();
    await upcoming(ada)
      .getByRole('listitem')
      .filter({ hasText: 'See you on Monday' })
      .getByRole('button', { name: 'Edit' })
      .click();
    await sheet(ada).getByLabel('Text').fill('See you on Tuesday');
    await sheet(ada).getByRole('combobox', { name: 'Repeats' }).selectOption({ label: 'Every weekday' });
    expect(await inspectPage(ada, 'scheduled-edit', 'each')).toEqual([]);
    await sheet(ada).getByRole('button', { name: 'Save' }).click();
    await upcoming(ada).getByText('See you on Tuesday').waitFor();
    await upcoming(ada).getByText('Every weekday').waitFor();
    expect(await upcoming(ada).getByText('See you on Monday').count()).toBe(0);
    expect(await inspectPage(ada, 'scheduled')).toEqual([]);
  });

  it('shows live what another device schedules and cancels', async () => {
    await openScheduled(ada);
    const run_at = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await post(ada, '/scheduled-jobs', { kind: 'reminder', body: 'Buy reeds', run_at });
    await upcoming(ada).getByText('Buy reeds').waitFor();
    await requestAs(service, await sessionOf(ada), `DELETE /scheduled-jobs/${body.id}`);
    await upcoming(ada).getByText('Buy reeds').waitFor({ state: 'detached' });
  });

  it('cancels with undo', async () => {
    const run_at = new Date(Date.now() + 86_400_000).toISOString();
    await post(ada, '/scheduled-jobs', { kind: 'status', body: 'Good night, everybody', run_at });
    await openScheduled(ada);
    const row = upcoming(ada).getByRole('listitem').filter({ hasText: 'Good night' });
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.waitFor({ state: 'detached' });
    await ada.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
  });

  it('shows live that a job is done', async () => {
    await openScheduled(ben);
    await ben.getByRole('button', { name: 'Reminder' }).click();
    await sheet(ben).getByLabel('What is it about?').fill('Buy strings');
    await sheet(ben)
      .getByRole('button', { name: /^Tomorrow/ })
      .click();
    await upcoming(ben).getByText('Buy strings').waitFor();
    const run_at = new Date(Date.now() + 2_000).toISOString();
    await post(ben, '/scheduled-jobs', { kind: 'reminder', body: 'Tune it', run_at });
    await ben.getByRole('button', { name: 'Done' }).click();
    await ben.getByRole('region', { name: 'Done' }).getByText('Tune it').waitFor();
    expect(await inspectPage(ben, 'scheduled-done', 'each')).toEqual([]);
  });

  it('shows why a job failed, and retries it', async () => {
    // Somebody who blocks ada before it runs.
    const cleo = await signUpByApi(service, 'cleo', '+14155550103');
    await requestAs(service, cleo, 'POST /xtags', { name: 'jazz' });
    const { body: job } = await post(ada, '/scheduled-jobs', {
      kind: 'text',
      target: { tag: 'jazz' },
      body: 'Are you there?',
      run_at: new Date(Date.now() + 4_000).toISOString(),
    });
    expect(job.id).toMatch(/^job_/);
    await requestAs(service, cleo, 'POST /blocks', { user_id: await idOf(ada) });
    await openScheduled(ada);
    await ada.getByRole('button', { name: 'Failed' }).click();
    const row = ada.getByRole('region', { name: 'Failed' }).getByRole('listitem').filter({ hasText: 'Are you there?' });
    await row.locator('.field-error').waitFor();
    expect(await row.locator('.field-error').innerText()).toMatch(/\.$/);
    expect(await inspectPage(ada, 'scheduled-failed', 'each')).toEqual([]);
    await row.getByRole('button', { name: 'Retry' }).click();
    await ada.getByText('Trying again now.').waitFor();
    await row.getByRole('button', { name: 'Dismiss' }).click();
    await row.waitFor({ state: 'detached' });
  });
});
