/** A voice message that its recipient reads: the service recognises it once, for both. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { openThread } from '../../../browser/chats.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { missing_browser, openTwoPeople, useBrowserWindows, visit } from '../../../browser/windows.ts';
import type { Service } from '../../../running/running-service.ts';

describeUnlessMissing(missing_browser, 'transcripts of voice messages', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  let speech: Server;
  /** Answers the request that the speech server holds. */
  let recognised: PromiseWithResolvers<string>;
  let requests = 0;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    speech = createServer(async (request, response) => {
      requests += 1;
      request.resume();
      const text = await recognised.promise;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => speech.once('listening', resolve));
    const SPEECH_URL = `http://127.0.0.1:${(speech.address() as AddressInfo).port}/v1`;
    ({ service, ada, ben } = await openTwoPeople(
      windows,
      { ada: 'phone', ben: 'desk' },
      { environment: { SPEECH_URL } },
    ));
    thread_id = await openThread(service, ada, ben);
    for (const page of [ada, ben]) await visit(page, `${service.url}/app/messages/${thread_id}`);
  });
  afterAll(async () => {
    speech.close();
  });

  const player = (page: Page) => page.getByRole('log').getByRole('group', { name: /^Audio/ });
  const show = (page: Page) => page.getByRole('button', { name: 'Show transcript' });
  /** Sends a voice message, which both then see without a transcript. */
  async function sendVoice(): Promise<void> {
    const [before, shown] = [await player(ben).count(), await show(ben).count()];
    await ada.getByRole('button', { name: 'Record a voice message' }).click();
    await ada.getByRole('timer').filter({ hasText: '0:01' }).waitFor();
    await ada.getByRole('button', { name: 'Send voice message' }).click();
    await expect.poll(() => player(ben).count()).toBe(before + 1);
    await expect.poll(() => show(ben).count()).toBe(shown + 1);
  }

  it('are shown when somebody asks for them, and then to the other one at once', async () => {
    recognised = Promise.withResolvers();
    const before = requests;
    await sendVoice();
    await show(ben).last().click();
    await ben.getByText('Transcribing…').waitFor();
    recognised.resolve('Meet me at the pier at nine.');
    await ben.getByText('Meet me at the pier at nine.').waitFor();
    await show(ada).last().click();
    await ada.getByText('Meet me at the pier at nine.').waitFor();
    expect(requests).toBe(before + 1);
    for (const page of [ada, ben]) expect(await inspectPage(page, 'a voice message with its transcript')).toEqual([]);
    await ben.getByRole('button', { name: 'Hide transcript' }).last().click();
    expect(await ben.getByText('Meet me at the pier at nine.').count()).toBe(0);
  });

  it('say so when no speech was recognised', async () => {
    recognised = Promise.withResolvers();
    recognised.resolve(' ');
    await sendVoice();
    await show(ben).last().click();
    await ben.getByText('No speech was recognised.').waitFor();
  });
});
