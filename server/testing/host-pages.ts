/** Pages of others that embed a widget, each at an origin of its own: loopback servers on ports of their own. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import type { Service } from './running-service.ts';

export type HostPage = {
  origin: string;
  /** What its page holds from now on. */
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

/** The frame of a widget in a page, once it is there. */
export async function widgetFrame(page: Page, service: Service): Promise<Frame> {
  const handle = await page.waitForSelector('iframe[data-asterism]', { state: 'attached' });
  const frame = await handle.contentFrame();
  if (!frame) throw new Error(`the frame of ${service.url} has no content`);
  return frame;
}

/** Registers over the network and verifies the mobile number; answers the token. */
export async function signUpByApi(service: Service, username: string, mobile_number: string): Promise<string> {
  const email = `${username}@example.org`;
  const begun = await service.call('POST /auth/register', {
    body: { username, password: 'a quiet river bend', email },
  });
  const code = await service.codeFor(email);
  const { registration_id } = begun.body;
  const { body } = await service.call('POST /auth/register/verify', { body: { registration_id, code } });
  const { token } = body;
  await service.call('PUT /me/mobile', { token, body: { mobile_number } });
  await service.call('POST /me/mobile/codes', { token, body: {} });
  await service.call('POST /me/mobile/verify', { token, body: { code: await service.codeFor(mobile_number) } });
  return token;
}
