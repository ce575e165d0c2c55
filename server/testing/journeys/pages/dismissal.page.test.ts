/** Sheets and dialogs on a phone are dragged down to dismiss them; what was written is not lost by it. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { type SampleData } from '../../browser/sample-data.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { missing_browser, openTouchPhone, sizes, useBrowserWindows } from '../../browser/windows.ts';

/** The pause between two events of a finger in ms, by which its speed is known. */
const SLOW_MS = 150;
const FAST_MS = 10;

describeUnlessMissing(missing_browser, 'dragging layers down', () => {
  let service: Service;
  let sample: SampleData;
  let desk: Page;
  let page: Page;
  let devtools: CDPSession;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, sample, page: desk } = await openSampleWindow(windows, 'desk'));
    page = await openTouchPhone(windows, service, desk);
    devtools = await page.context().newCDPSession(page);
  });
  beforeEach(async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize(sizes.phone);
  });

  const dialog = (name?: string) => page.getByRole('dialog', name === undefined ? {} : { name });
  const gone = (layer: Locator) => layer.waitFor({ state: 'detached' });
  const topOf = async (layer: Locator) => Math.round((await layer.boundingBox())?.y ?? -1);
  let now_ms = Date.now();
  const send = (type: string, points: { x: number; y: number }[], pause_ms: number) => {
    now_ms += pause_ms;
    return devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points, timestamp: now_ms / 1000 } as never);
  };
  /** Puts a finger on an element, and moves it by each of the distances. The first only starts the movement. */
  async function press(element: Locator, distances: number[], pause_ms: number, hold_ms = pause_ms): Promise<void> {
    const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const point = { x: x + width / 2, y: y + height / 2 };
    now_ms = Math.max(now_ms, Date.now()) + 1_000;
    await send('touchStart', [point], 0);
    for (const [at, by] of distances.entries())
      await send('touchMove', [{ ...point, y: point.y + by }], at === 0 ? hold_ms : pause_ms);
  }
  const release = (pause_ms: number) => send('touchEnd', [], pause_ms);
  async function drag(element: Locator, distances: number[], pause_ms = SLOW_MS): Promise<void> {
    await press(element, distances, pause_ms);
    await release(pause_ms);
  }
  async function openShare(): Promise<Locator> {
    await page.goto(`${service.url}/app/t/jazz`);
    await page.getByRole('button', { name: 'Share *jazz' }).tap();
    const sheet = dialog('Share *jazz');
    await sheet.waitFor();
    return sheet;
  }
  const openGroupEditor = async () => {
    await page.goto(`${service.url}/app/groups/${sample.group_id}`);
    await page.getByRole('button', { name: 'Edit' }).tap();
    await dialog('Edit group').waitFor();
    return dialog('Edit group');
  };

  it('follows the finger, returns when it is let go early, and is dismissed when it went far', async () => {
    const sheet = await openShare();
    const top = await topOf(sheet);
    const title = sheet.getByRole('heading');
    await press(title, [20, 60], SLOW_MS);
    await expect.poll(() => topOf(sheet)).toBe(top + 40);
    await release(SLOW_MS);
    await expect.poll(() => topOf(sheet)).toBe(top);
    // Back to where it began: it is let go there.
    await drag(title, [20, 300, 20]);
    await expect.poll(() => topOf(sheet)).toBe(top);
    await drag(sheet.locator('.sheet-grip'), [20, 300]);
    await gone(sheet);
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Share *jazz');
  });

  it('is dismissed by a throw, but not by a finger that rests or goes up first', async () => {
    const sheet = await openShare();
    const title = sheet.getByRole('heading');
    await press(title, [20, 300], SLOW_MS, 600);
    await release(SLOW_MS);
    await drag(title, [-10, -20, 300]);
    expect(await sheet.getAttribute('data-dragged')).toBe(null);
    await drag(title, [20, 40, 60], FAST_MS);
    await gone(sheet);
  });

  it('moves back with motion, unless it is reduced', async () => {
    const sheet = await openShare();
    const title = sheet.getByRole('heading');
    const motions = () => page.evaluate(`document.querySelector('.sheet').getAnimations().length`);
    await expect.poll(motions).toBe(0);
    await drag(title, [20, 60]);
    await expect.poll(() => sheet.getAttribute('data-dragged')).toBe(null);
    expect(await motions()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.addStyleTag({ content: '.sheet { animation: none !important; }' });
    await page.evaluate(`Element.prototype.animate = new Proxy(Element.prototype.animate, {
      apply: (native, element, args) => { window.animated = args[0]; return Reflect.apply(native, element, args); } })`);
    await drag(title, [20, 60]);
    await expect.poll(() => page.evaluate('window.animated?.opacity !== undefined')).toBe(true);
    await expect.poll(motions).toBe(0);
  });

  it('scrolls its content first', async () => {
    await page.setViewportSize({ width: 390, height: 500 });
    await page.goto(`${service.url}/app/calendar`);
    await page.getByRole('button', { name: 'New event' }).first().tap();
    const sheet = dialog('New event');
    await sheet.waitFor();
    const scrolled = async () => Number(await page.evaluate(`document.querySelector('.sheet').scrollTop`));
    await page.evaluate(`document.querySelector('.sheet').scrollTo(0, 200)`);
    const field = sheet.locator('label:visible').nth(3);
    await drag(field, [40, 80, 120]);
    await expect.poll(scrolled).toBeLessThan(200);
    expect(await sheet.getAttribute('data-dragged')).toBe(null);
    expect(await sheet.count()).toBe(1);
    await page.evaluate(`document.querySelector('.sheet').scrollTo(0, 0)`);
    await drag(sheet.getByRole('heading').first(), [20, 300]);
    await gone(sheet);
  });

  it('asks before text is lost by its button, by Escape and by the back button, each time', async () => {
    // Close watchers as the system requests them; a headless browser has no back button of a system.
    await page.addInitScript(`
      window.watchers = [];
      const remove = (one) => { window.watchers = window.watchers.filter((other) => other !== one); };
      window.CloseWatcher = class extends EventTarget {
        constructor() { super(); window.watchers.push(this); }
        destroy() { remove(this); }
        request() { remove(this); this.dispatchEvent(new Event('close')); }
      };
      window.goBack = () => window.watchers.at(-1).request();
    `);
    const editor = await openGroupEditor();
    const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
    await editor.getByRole('textbox').first().fill('Pier lanterns');
    const ways = [
      () => editor.getByRole('button', { name: 'Close' }).tap(),
      () => page.keyboard.press('Escape'),
      () => page.evaluate('goBack()'),
      () => page.evaluate('goBack()'),
    ];
    for (const leave of ways) {
      await leave();
      await question.waitFor();
      // Back leaves the question first.
      await page.evaluate('goBack()');
      await gone(question);
      expect(await editor.getByRole('textbox').first().inputValue()).toBe('Pier lanterns');
    }
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).tap();
    await gone(editor);
    expect(await page.evaluate('watchers.length')).toBe(0);
  });

  it('asks before text is lost, by a drag and by a press outside, and keeps it', async () => {
    const editor = await openGroupEditor();
    const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
    const title = editor.getByRole('heading');
    const field = editor.getByRole('textbox').first();
    await field.fill('Pier lanterns');
    await drag(title, [20, 300]);
    await question.waitFor();
    await question.getByRole('button', { name: 'Cancel' }).tap();
    await gone(question);
    await expect.poll(() => editor.getAttribute('data-dragged')).toBe(null);
    expect(await field.inputValue()).toBe('Pier lanterns');
    await page.touchscreen.tap(200, 20);
    await question.waitFor();
    // The question is a dialog as well.
    await drag(question.getByRole('heading'), [20, 300]);
    await gone(question);
    await drag(title, [20, 300]);
    await question.getByRole('button', { name: 'Discard' }).tap();
    await gone(editor);
  });

  it('asks nothing where nothing is lost', async () => {
    const editor = await openGroupEditor();
    const field = editor.getByRole('textbox').first();
    const name = await field.inputValue();
    await field.fill('Pier lanterns');
    await field.fill(name);
    await drag(editor.getByRole('heading'), [20, 300]);
    await gone(editor);
    await page.goto(`${service.url}/app/`);
    await page.getByRole('button', { name: /^Say something/ }).tap();
    await page.getByLabel('What is new?').fill('Fog on the river');
    await drag(dialog().getByRole('heading'), [20, 300]);
    await gone(dialog());
    await page.getByRole('button', { name: 'Fog on the river' }).waitFor();
  });

  it('dismisses a confirmation, which confirms nothing', async () => {
    await page.goto(`${service.url}/app/groups/${sample.group_id}`);
    await page.getByRole('button', { name: 'Delete the group' }).tap();
    const question = page.getByRole('alertdialog');
    await question.locator('.sheet-grip').waitFor();
    await drag(question.getByRole('heading'), [20, 200]);
    await gone(question);
    await page.getByRole('button', { name: 'Delete the group' }).waitFor();
  });

  it('is dragged by its handle with a mouse, and not at all in a wide window', async () => {
    await desk.setViewportSize(sizes.phone);
    await desk.goto(`${service.url}/app/t/jazz`);
    await desk.getByRole('button', { name: 'Share *jazz' }).click();
    const sheet = desk.getByRole('dialog', { name: 'Share *jazz' });
    const { x = 0, y = 0, width = 0 } = (await sheet.locator('.sheet-grip').boundingBox()) ?? {};
    await desk.mouse.move(x + width / 2, y + 10);
    await desk.mouse.down();
    await desk.mouse.move(x + width / 2, y + 310, { steps: 4 });
    await desk.mouse.up();
    await gone(sheet);
    await page.setViewportSize(sizes.desk);
    const centred = await openShare();
    await drag(centred.getByRole('heading'), [20, 300]);
    expect(await centred.getAttribute('style')).not.toContain('transform');
    expect(await centred.count()).toBe(1);
  });
});
