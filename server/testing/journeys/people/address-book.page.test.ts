/**
 * The address book in two browsers, mostly by keyboard: import and export of contacts, and a group from creation to
 * deletion.
 */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { focusedElement, inspectPage, layoutShift, tabTo } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  clearCachedData,
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  networkQuiet,
  sessionOf,
  waitForHome,
  visit,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

/** A new contact, one with an invalid number, one that adds to a contact, one that occurs twice, and an empty row. */
const file = `Name,Phone 1 - Value,E-mail 1 - Value
Aunt May,+14155550190,
Uncle Moe,12,
Cleo,+14155550191,cleo@example.org
ben,+14155550102,
ben,+14155550102,
,,
`;

const mobiles = { 'Aunt May': '+14155550190', ben: '+14155550102', Cleo: '+14155550191' };

describeUnlessMissing(missing_browser, 'the address book', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    // A person can be found by their own contacts.
    await addContact(ben, 'ada', '+14155550101');
  });

  const as = async (page: Page, route: string, fields?: object) =>
    requestAs(service, await sessionOf(page), route, fields);
  const addContact = (page: Page, name: string, number: string) =>
    as(page, 'POST /contacts', { name, phones: [{ label: 'mobile', number }] });
  /**
   * Opens a page of ada, who has these contacts and no groups, whatever other tests have left.
   * @returns the identifiers of the contacts
   */
  async function openWith(names: (keyof typeof mobiles)[], path = 'contacts'): Promise<string[]> {
    for (const things of ['groups', 'contacts'])
      for (const { id } of (await as(ada, `GET /${things}`)).items) await as(ada, `DELETE /${things}/${id}`);
    const ids: string[] = [];
    for (const name of names) ids.push((await addContact(ada, name, mobiles[name])).id);
    // A page first shows what it has stored, which may have been deleted here.
    await clearCachedData(ada, service);
    await ada.goto(`${service.url}/app/${path}`);
    return ids;
  }
  /** Opens a group of ada with ben and Aunt May for both. */
  async function openGroup(name: string): Promise<void> {
    const contacts = await openWith(['ben', 'Aunt May']);
    const { id } = await as(ada, 'POST /groups', { name });
    for (const contact of contacts) await as(ada, `PUT /groups/${id}/members/${contact}`, {});
    const { items: invites } = await as(ben, 'GET /group-invites');
    for (const invite of invites) await as(ben, `POST /group-invites/${invite.id}/accept`, {});
    await clearCachedData(ben, service);
    for (const page of [ada, ben]) {
      await page.goto(`${service.url}/app/groups/${id}`);
      await heading(page, name);
      await page.getByRole('list', { name: 'Members' }).getByText('@ben', { exact: true }).waitFor();
    }
  }
  const focusOf = async (page: Page) => (await focusedElement(page)).name;
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

  it('shows the preview of a file by keyboard, and imports the selected rows', async () => {
    await openWith(['Cleo']);
    await heading(ada, 'Contacts');
    await tabTo(ada, /^Import or export$/);
    await ada.keyboard.press('Enter');
    await ada.getByRole('menuitem', { name: 'Import' }).waitFor();
    await ada.keyboard.press('Enter');
    await heading(ada, 'Import contacts');
    await expect.poll(() => focusOf(ada)).toBe('Import contacts');
    // The wait starts before the key press, since the browser must know first that a test handles its dialog.
    const opened = ada.waitForEvent('filechooser');
    const [chooser] = await Promise.all([
      opened,
      tabTo(ada, /^Choose a file$/).then(() => ada.keyboard.press('Enter')),
    ]);
    await chooser.setFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await heading(ada, 'What the file contains');
    await expect.poll(() => focusOf(ada)).toBe('What the file contains');
    const rows = (name: string) => ada.getByRole('list', { name: `Rows: ${name}` });
    await rows('New').getByRole('checkbox', { name: 'Aunt May' }).waitFor();
    await rows('New')
      .getByText(/^Skipped: Phone number 1 is not valid: write it as you dial it/)
      .waitFor();
    expect(await rows('New').getByRole('checkbox', { checked: true }).count()).toBe(3);
    expect(await inspectPage(ada, 'import-preview', 'each')).toEqual([]);

    await tabTo(ada, /^Skipped \(\d\)$/);
    await ada.keyboard.press('Space');
    await rows('Skipped').getByText('Same as another row of this file.').waitFor();
    expect(await rows('Skipped').getByRole('checkbox').count()).toBe(0);
    await ada.getByRole('button', { name: 'Updated (1)' }).click();
    await rows('Updated').getByText('Adds missing details to one of your contacts.').waitFor();
    await ada.getByRole('button', { name: 'New (3)' }).click();
    await tabTo(ada, /^Uncle Moe$/);
    await ada.keyboard.press('Space');
    await tabTo(ada, /^Import 3 contacts$/);
    await ada.keyboard.press('Enter');
    await ada
      .getByRole('list', { name: 'Imports' })
      .getByText('CSV: 2 new, 1 updated, 0 skipped', { exact: true })
      .waitFor();
    await expect.poll(() => focusOf(ada)).toBe('Earlier imports');
    expect(await inspectPage(ada, 'import-done', 'each')).toEqual([]);
    await ada.getByRole('main').getByRole('link', { name: 'Contacts', exact: true }).click();
    await ada.getByText('+1 415 555 0191 · cleo@example.org').waitFor();
    expect(await ada.getByText('Uncle Moe').count()).toBe(0);
  });

  it('shows what is wrong with a file, and undoes an import except for contacts that were changed since', async () => {
    await openWith(['Cleo']);
    const ben_and_may = (['Aunt May', 'ben'] as const).map((name) => ({ name, phones: [{ number: mobiles[name] }] }));
    const { preview_id } = await as(ada, 'POST /contacts/import/preview', {
      contacts: [
        ...ben_and_may,
        { name: 'Cleo', phones: [{ number: mobiles.Cleo }], emails: [{ address: 'cleo@example.org' }] },
      ],
    });
    await as(ada, 'POST /contacts/import', { preview_id });
    await ada.getByRole('link', { name: /^Aunt May/ }).click();
    await heading(ada, 'Aunt May');
    await ada.getByRole('button', { name: 'Edit Aunt May' }).click();
    await ada.getByRole('dialog').getByLabel('Note').fill('Rings back');
    await ada.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await ada.getByText('Rings back', { exact: true }).waitFor();
    await ada.goBack();
    await ada.getByRole('button', { name: 'Import or export' }).click();
    await ada.getByRole('menuitem', { name: 'Import' }).click();
    const junk = { name: 'junk.csv', mimeType: 'text/csv', buffer: Buffer.from('nothing\nof contacts') };
    await ada.getByLabel('Choose a file').setInputFiles(junk);
    await ada.getByText(/^This file has no recognisable column headings/).waitFor();
    const done = ada.getByRole('list', { name: 'Imports' }).getByRole('listitem').filter({ hasText: /^JSON/ });
    await done.getByText('2 new, 1 updated, 0 skipped').waitFor();
    await done.getByRole('button', { name: /^Undo the import/ }).click();
    await ada.getByRole('alertdialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo' }).click();
    await done.getByText('Undone. One contact stays as it is, because you changed or deleted what it left.').waitFor();
    expect(await done.getByRole('button').count()).toBe(0);
    await ada.getByRole('main').getByRole('link', { name: 'Contacts', exact: true }).click();
    await ada.getByText('Aunt May', { exact: true }).waitFor();
    await ada.getByText('cleo@example.org').waitFor({ state: 'detached' });
    expect(await ada.getByText('ben', { exact: true }).count()).toBe(0);
  });

  it('sorts contacts by name under their letters, and opens a page for each', async () => {
    await openWith(['Aunt May', 'Cleo']);
    await addContact(ada, 'Åke Öberg', '+46701234567');
    const letters = ada.getByRole('heading', { level: 3, includeHidden: true });
    await expect.poll(() => letters.allInnerTexts()).toEqual(['A', 'C']);
    await ada.getByRole('link', { name: /^Åke Öberg/ }).click();
    await heading(ada, 'Åke Öberg');
    await ada.getByRole('button', { name: 'Call +46 70 123 45 67' }).waitFor();
    const ake_url = ada.url();
    expect(await inspectPage(ada, 'contact', 'each')).toEqual([]);
    await ada.getByRole('button', { name: 'Edit Åke Öberg' }).click();
    const dialog = ada.getByRole('dialog', { name: 'Edit contact' });
    await dialog.getByLabel('Note').fill('From the choir');
    await dialog.getByText('Work, birthday and addresses').click();
    await dialog.getByLabel('Organisation').fill('The Band');
    await dialog.getByLabel('Job title').fill('Bass');
    await dialog.getByLabel('Day').fill('31');
    await dialog.getByLabel('Month').selectOption('February');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await dialog.getByLabel('Street').fill('Storgatan 1');
    await dialog.getByLabel('City').fill('Malmö');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('This isn’t a valid date.').waitFor();
    expect(await inspectPage(ada, 'contact-edit', 'each')).toEqual([]);
    await dialog.getByLabel('Day').fill('29');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await ada.getByText('From the choir', { exact: true }).waitFor();
    for (const text of ['Bass, The Band', '29 February', 'Storgatan 1\nMalmö'])
      expect(await ada.getByRole('main').innerText()).toContain(text);
    expect(await inspectPage(ada, 'contact-full', 'each')).toEqual([]);
    await ada.getByRole('button', { name: 'Delete Åke Öberg' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await heading(ada, 'Contacts');
    await ada.getByRole('link', { name: /^Åke Öberg/ }).waitFor({ state: 'detached' });
    await ada.goto(ake_url);
    await ada.getByText('Contact not found').waitFor();
    await ada.getByRole('link', { name: 'All contacts' }).click();
  });

  it('has a row for each number and address of a contact, with its label, and buttons to add and remove one', async () => {
    await openWith(['Aunt May']);
    await ada.getByRole('link', { name: /^Aunt May/ }).click();
    await ada.getByRole('button', { name: 'Edit Aunt May' }).click();
    const dialog = ada.getByRole('dialog', { name: 'Edit contact' });
    const numbers = dialog.getByRole('group', { name: 'Phone numbers' });
    const addresses = dialog.getByRole('group', { name: 'E-mail addresses' });
    expect(await numbers.getByLabel('Phone number', { exact: true }).inputValue()).toBe('+14155550190');
    await numbers.getByRole('button', { name: 'Add phone number' }).click();
    await expect.poll(() => focusOf(ada)).toBe('Phone number 2');
    await ada.keyboard.type('12');
    await numbers.getByRole('button', { name: 'Add phone number' }).click();
    await numbers.getByLabel('Phone number 3').fill('+14155550193');
    await numbers.getByLabel('Type').nth(2).selectOption('Work');
    await addresses.getByLabel('E-mail address', { exact: true }).fill('may@example.org');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // The error is at the number that it is about.
    await numbers.getByText(/^Phone number 2 is not valid: write it as you dial it/).waitFor();
    expect(await numbers.getByRole('alert').count()).toBe(1);
    expect(await inspectPage(ada, 'contact-rows', 'each')).toEqual([]);
    await numbers.getByRole('button', { name: 'Remove phone number 2' }).click();
    await expect.poll(() => focusOf(ada)).toBe('Add phone number');
    expect(await numbers.getByRole('alert').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const fields = ada.locator('.contact-field');
    await fields.filter({ hasText: '+1 415 555 0193' }).getByText('work').waitFor();
    await fields.filter({ hasText: 'may@example.org' }).getByText('home').waitFor();
    expect(await fields.count()).toBe(3);
  });

  it('adds a photo to a contact, shows it in lists, includes it in exports, and removes it', async () => {
    await openWith(['Aunt May']);
    await ada.getByRole('link', { name: /^Aunt May/ }).click();
    await heading(ada, 'Aunt May');
    const background = { r: 200, g: 60, b: 20 };
    const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .png()
      .toBuffer();
    const [chooser] = await Promise.all([
      ada.waitForEvent('filechooser'),
      ada.getByRole('button', { name: 'Add a photo' }).click(),
    ]);
    await chooser.setFiles({ name: 'may.png', mimeType: 'image/png', buffer: photo });
    await ada.getByRole('button', { name: 'Change the photo' }).waitFor();
    await ada.locator('.contact-photo img').waitFor();
    expect(await inspectPage(ada, 'contact-photo', 'each')).toEqual([]);
    await visit(ada, `${service.url}/app/contacts`);
    await ada.locator('.contact-row', { hasText: 'Aunt May' }).locator('img').waitFor();
    await ada.getByRole('button', { name: 'Import or export' }).click();
    const [download] = await Promise.all([
      ada.waitForEvent('download'),
      ada.getByRole('menuitem', { name: 'Export as vCard, for phones' }).click(),
    ]);
    const card = readFileSync(await download.path(), 'utf8').replaceAll('\r\n ', '');
    const [, data = ''] = /PHOTO;ENCODING=b;TYPE=JPEG:(\S+)/.exec(card) ?? [];
    const metadata = await sharp(Buffer.from(data, 'base64')).metadata();
    expect([metadata.format, metadata.width]).toEqual(['jpeg', 320]);
    await ada.getByRole('link', { name: /^Aunt May/ }).click();
    await ada.getByRole('button', { name: 'Change the photo' }).click();
    await ada.getByRole('menuitem', { name: 'Remove the photo' }).click();
    await ada.getByRole('button', { name: 'Add a photo' }).waitFor();
    expect(await ada.locator('.contact-photo img').count()).toBe(0);
  });

  it('exports the whole address book as vCard and as CSV', async () => {
    await openWith(['Aunt May']);
    for (const [item, name, line] of [
      ['Export as vCard, for phones', 'contacts.vcf', 'FN:Aunt May'],
      ['Export as CSV, for tables', 'contacts.csv', 'Aunt May,'],
    ] as const) {
      await ada.getByRole('button', { name: 'Import or export' }).click();
      const [download] = await Promise.all([
        ada.waitForEvent('download'),
        ada.getByRole('menuitem', { name: item }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path(), 'utf8')).toContain(line);
      await ada.getByText(/^\d+ contacts? exported\.$/).waitFor();
    }
  });

  it('creates a group by keyboard and invites a person, who sees the invite at once', async () => {
    await openWith(['Aunt May', 'ben'], 'groups');
    await heading(ada, 'Groups');
    await tabTo(ada, /^New group$/);
    await ada.keyboard.press('Enter');
    await ada.getByRole('dialog', { name: 'New group' }).waitFor();
    expect(await focusOf(ada)).toBe('Name');
    await ada.keyboard.type('Choir');
    await tabTo(ada, /^Description$/);
    await ada.keyboard.type('Tuesdays at eight');
    await tabTo(ada, /^Create group$/);
    await ada.keyboard.press('Enter');
    await heading(ada, 'Choir');
    await ben.goto(`${service.url}/app/groups`);
    await ben.getByText('No groups yet').waitFor();
    await tabTo(ada, /^Add$/);
    await ada.keyboard.press('Enter');
    expect(await focusOf(ada)).toBe('Find a contact');
    await ada.keyboard.type('ben');
    await ada.getByRole('button', { name: 'Add ben' }).waitFor();
    await tabTo(ada, /^Add ben$/);
    await ada.keyboard.press('Enter');
    await ada.getByRole('button', { name: 'Added ben' }).waitFor();
    await ada.getByLabel('Find a contact').fill('');
    await ada.getByRole('button', { name: 'Add Aunt May' }).click();
    await ada.getByRole('button', { name: 'Added Aunt May' }).waitFor();
    expect(await inspectPage(ada, 'group-add', 'each')).toEqual([]);
    await ada.keyboard.press('Escape');
    await expect.poll(() => focusOf(ada)).toBe('Add');
    const members = ada.getByRole('list', { name: 'Members' });
    await members.getByText('Invited, no answer yet').waitFor();
    await members.getByText('+1 415 555 0190').waitFor();
    expect(await inspectPage(ada, 'group', 'each')).toEqual([]);

    const invites = ben.getByRole('list', { name: 'Invites to groups' });
    await invites.getByText('ada invited you to Choir').waitFor();
    await ben.getByRole('link', { name: 'Groups 1 invite waiting' }).waitFor();
    expect(await inspectPage(ben, 'groups-invited', 'each')).toEqual([]);
    await tabTo(ben, /^Accept the invite to Choir$/);
    await ben.keyboard.press('Enter');
    await expect.poll(() => focusOf(ben)).toBe('Groups');
    await ben.getByRole('list', { name: 'Your groups' }).getByRole('link', { name: 'Choir' }).click();
    await heading(ben, 'Choir');
    await ben.getByText('By ada, @ada').waitFor();
    expect(await ben.getByRole('button', { name: /Edit|Take .* out/ }).count()).toBe(0);
    await members.getByText('@ben', { exact: true }).waitFor();
    expect(await inspectPage(ben, 'group-member', 'each')).toEqual([]);
  });

  it('calls all members of a group, and updates its name and picture for all members', async () => {
    await openGroup('Choir');
    await ada.getByRole('button', { name: 'Call everyone' }).click();
    await ben.getByRole('button', { name: 'Accept', exact: true }).click();
    for (const page of [ada, ben]) await page.getByRole('button', { name: 'Leave' }).waitFor();
    await ben.getByRole('button', { name: 'Leave' }).click();
    await ada.getByRole('button', { name: 'End for all' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: /End/ }).click();
    await waitForHome(ada);
    await visit(ada, `${service.url}/app/groups`);
    await ada.getByRole('list', { name: 'Your groups' }).getByText('ben and Aunt May').waitFor();
    await ada.getByRole('link', { name: 'Choir' }).click();
    await ada.getByRole('button', { name: 'Edit' }).click();
    const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#2b6' } })
      .png()
      .toBuffer();
    await ada.getByLabel('Name', { exact: true }).fill('Night choir');
    await ada.getByLabel('Picture').setInputFiles({ name: 'choir.png', mimeType: 'image/png', buffer: picture });
    await visit(ben, `${service.url}/app/groups`);
    await ben.getByRole('link', { name: 'Choir' }).click();
    await heading(ben, 'Choir');
    await ada.getByRole('button', { name: 'Save' }).click();
    await heading(ada, 'Night choir');
    await heading(ben, 'Night choir');
    await ben.locator('.avatar img').first().waitFor();
  });

  it('lets a member leave, and the owner delete the group', async () => {
    await openGroup('Night choir');
    await tabTo(ben, /^Leave the group$/);
    await ben.keyboard.press('Enter');
    await ben.getByRole('alertdialog', { name: 'Leave Night choir?' }).getByRole('button', { name: 'Leave' }).click();
    await ben.getByText('You have left Night choir.').waitFor();
    await ben.getByText('No groups yet').waitFor();
    await ada.getByRole('list', { name: 'Members' }).getByText('Has left. You may still call them.').waitFor();
    await ada.getByRole('button', { name: 'Remove Aunt May from the group' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await ada.getByText('2 members', { exact: true }).waitFor();
    await ada.getByRole('button', { name: 'Delete the group' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await ada.getByText('Night choir is deleted.').waitFor();
    await ada.getByText('No groups yet').waitFor();
    await ada.goBack();
    await heading(ada, 'Group not found');
    expect(await inspectPage(ada, 'group-gone', 'each')).toEqual([]);
  });

  it('opens its pages without layout shift', async () => {
    await openWith(['Aunt May', 'ben', 'Cleo']);
    for (const [path, ready] of [
      ['groups', 'Groups'],
      ['contacts/import', 'Import contacts'],
      ['contacts', 'Contacts'],
    ] as const) {
      for (const page of [ada, ben]) {
        await page.goto(`${service.url}/app/${path}`);
        await heading(page, ready);
        await networkQuiet(page);
        expect(await layoutShift(page), path).toBeLessThan(0.1);
      }
    }
  });
});
