/** A session that ends while its page is open, and its person, who signs in again. */
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { requestAs } from '../running/running-people.ts';
import type { Service } from '../running/running-service.ts';
import { password, sessionOf } from './windows.ts';

/** Ends the session of a page, as another device may, and waits until the page says so. */
export async function endSession(service: Service, page: Page): Promise<void> {
  const { token } = await sessionOf(page);
  const { items } = await requestAs(service, { token }, 'GET /auth/sessions');
  const { id } = items.find((one: { current: boolean }) => one.current);
  expect((await service.call(`DELETE /auth/sessions/${id}`, { token })).status).toBe(204);
  await page.getByText('Your session has ended. Sign in to continue.').waitFor();
}

/** Signs in by the forms of the page, with a code by mail. */
export async function signInAgain(service: Service, page: Page, username: string): Promise<void> {
  const email = `${username}@example.org`;
  const newest = async () => (await service.caught(email))[0]?.code;
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  const before = await newest();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(newest).not.toBe(before);
  await page.getByLabel('Code').fill((await newest()) ?? '');
}
