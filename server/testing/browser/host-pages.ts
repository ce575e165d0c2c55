/** Third-party pages that embed a widget, each at a separate origin: loopback servers on different ports. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import type { Service } from '../running/running-service.ts';

/** A page of another origin, which embeds a widget. */
export type HostPage = {
  origin: string;
  /** Sets the content of the page. */
  show(html: string): void;
  close(): Promise<void>;
};

/** Starts a server of one page. */
export async function startHostPage(): Promise<HostPage> {
  let body = '';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>A shop</title><body><h1>A shop</h1>${body}</body></html>`);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    show: (html) => {
      body = html;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The frame of a widget in a page, once it is attached. */
export async function widgetFrame(page: Page, service: Service): Promise<Frame> {
  const handle = await page.waitForSelector('iframe[data-asterism]', { state: 'attached' });
  const frame = await handle.contentFrame();
  if (!frame) throw new Error(`the frame of ${service.url} has no content`);
  return frame;
}

/** Whether the browser lets a page create a guest of a widget. */
export const mayBecomeGuest = (page: Page, service: Service, public_key: string): Promise<boolean> =>
  page.evaluate(
    ([url, key]) =>
      fetch(`${url}/v1/widgets/guests`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ public_key: key }),
      }).then(
        () => true,
        () => false,
      ),
    [service.url, public_key] as const,
  );

/** Registers over the network and verifies the mobile number; returns the token. */
export async function signUpByApi(service: Service, username: string, mobile_number: string): Promise<string> {
  const email = `${username}@example.org`;
  const registration = await service.call('POST /auth/register', {
    body: { username, password: 'a quiet river bend', email },
  });
  const code = await service.codeFor(email);
  const { registration_id } = registration.body;
  const { body } = await service.call('POST /auth/register/verify', { body: { registration_id, code } });
  const { token } = body;
  await service.call('PUT /me/mobile', { token, body: { mobile_number } });
  await service.call('POST /me/mobile/codes', { token, body: {} });
  await service.call('POST /me/mobile/verify', { token, body: { code: await service.codeFor(mobile_number) } });
  return token;
}
