/**
 * Screenshots of every page at both sizes and in both themes, compared with those in `server/testing/gallery`.
 * `GALLERY=write` stores the current screenshots, to be reviewed before they are committed.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { freezePage, compareAddress, comparePage, signInAs } from '../../browser/gallery-pictures.ts';
import { historyPagesOf, linkPagesOf, pagesOf, visitor_pages } from '../../browser/gallery-pages.ts';
import { fillService, type SampleData } from '../../browser/sample-data.ts';
import { fillHistory, type SampleHistory } from '../../browser/sample-history.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, networkQuiet, visit } from '../../browser/windows.ts';

/** A layer of each kind: its name, the page that it is opened from by its name, and the controls that open it. */
const layers: readonly (readonly [name: string, page: string, ...openers: RegExp[]])[] = [
  ['layer-compose', 'home', /^Say something/],
  ['layer-post-menu', 'home', /^More about this post/],
  ['layer-message-menu', 'chat', /^More about “The pier/],
  ['layer-forward', 'chat', /^More about “The pier/, /^Forward$/],
  ['layer-selection', 'chat', /^More about “The pier/, /^Select$/],
  ['layer-confirm', 'group', /^Delete the group$/],
  ['layer-contact', 'contact', /^Edit/],
  ['layer-event', 'calendar-month', /^New event$/],
  ['layer-widget', 'widgets', /^New widget$/],
  ['layer-share', 'tag-profile', /^Share/],
];

/** Whether the button that sends a form is in the window; null without one. */
const is_sent_in_view = `(() => {
  const box = document.querySelector(':is([role="dialog"], [role="alertdialog"]) [type="submit"]')?.getBoundingClientRect();
  return box === undefined ? null : box.top >= 0 && box.bottom <= innerHeight;
})()`;

// Each part changes what the others show: what is looked at is read.
describeStory(missing_browser, 'the gallery of pages', () => {
  let service: Service;
  let sample: SampleData;
  let history: SampleHistory;
  let page: Page;
  const windows = useBrowserWindows({ is_pictured: true });
  beforeAll(async () => {
    // Voice messages offer a transcript, whatever is installed here.
    service = await windows.startService({ environment: { SPEECH_URL: 'http://127.0.0.1:9/v1' } });
    sample = await fillService(service);
    history = await fillHistory(service, sample);
    page = await windows.open();
    await freezePage(page);
    await signInAs(service, page, 'ada');
    // Away from where the form was: Home has a row there, which would be highlighted.
    await page.mouse.move(0, 0);
  });

  it('every page looks as before', async () => {
    const found: string[] = [];
    for (const [name, path] of [...pagesOf(sample), ...historyPagesOf(history, sample)])
      found.push(...(await compareAddress(page, name, service.url + (path.startsWith('/') ? path : `/app/${path}`))));
    expect(found).toEqual([]);
  });

  it('every page of a visitor looks as before', async () => {
    const visitor = await windows.open();
    await freezePage(visitor);
    const found: string[] = [];
    for (const [name, path] of visitor_pages)
      found.push(...(await compareAddress(visitor, name, `${service.url}/app/${path}`)));
    for (const [name, url] of linkPagesOf(history, sample)) found.push(...(await compareAddress(visitor, name, url)));
    expect(found).toEqual([]);
  });

  /** Opens a layer over a page by controls in it. */
  async function openLayer(address: string, openers: RegExp[]): Promise<void> {
    await visit(page, address);
    await networkQuiet(page);
    for (const opener of openers)
      // By the keyboard: no row below the pointer is highlighted.
      await page
        .getByRole('button', { name: opener })
        .or(page.getByRole('menuitem', { name: opener }))
        .first()
        .press('Enter');
    await page.locator('[role="dialog"], [role="alertdialog"], [role="menu"], [role="toolbar"]').first().waitFor();
  }

  /** Reads Ada's notifications and chats, as the test of all pages may have done, and opens her home page anew. */
  async function readEverything(): Promise<void> {
    const { ada, thread_id, group_id } = sample;
    const [thread, group] = [`/dm/threads/${thread_id}`, `/groups/${group_id}`];
    for (const [messages, read] of [
      [`${thread}/chat`, `${thread}/read`],
      [`${group}/chat`, `${group}/chat/read`],
    ]) {
      const { items } = await requestAs(service, ada, `GET ${messages}?limit=1`);
      await requestAs(service, ada, `POST ${read}`, { up_to_id: items[0].id });
    }
    await requestAs(service, ada, 'POST /notifications/read-all');
    await page.goto(`${service.url}/app/`);
    await networkQuiet(page);
  }

  it('every kind of layer looks as before, and what sends its form is in view', async () => {
    const paths = new Map(pagesOf(sample));
    const found: string[] = [];
    await readEverything();
    for (const [name, from, ...openers] of layers) {
      await openLayer(`${service.url}/app/${paths.get(from)}`, openers);
      found.push(...(await comparePage(page, name)));
      if ((await page.evaluate(is_sent_in_view)) === false) found.push(`${name}: what sends it is not in view`);
      await page.keyboard.press('Escape');
    }
    expect(found).toEqual([]);
  });

  it('who has read a message of a group looks as before', async () => {
    const { ada, ben, group_id } = sample;
    // Somebody else writes before: whether Ada's messages follow each other closely depends on how fast this machine is.
    await requestAs(service, ben, `POST /groups/${group_id}/chat`, { body: 'So?' });
    const said = await requestAs(service, ada, `POST /groups/${group_id}/chat`, { body: 'Boots, then.' });
    await requestAs(service, ben, `POST /groups/${group_id}/chat/read`, { up_to_id: said.id });
    await readEverything();
    await openLayer(`${service.url}/app/messages/group/${group_id}`, [/^More about “Boots, then/, /^Info$/]);
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    expect(await comparePage(page, 'layer-message-info')).toEqual([]);
  });
});
