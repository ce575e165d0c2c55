import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('/docs', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const open = (url: string) => world.app.http.inject({ url });

  it('is served without external resources, also over plain HTTP, and loads the OpenAPI document', slow, async () => {
    const page = await open('/docs');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
    expect(page.body).toContain('<title>API reference · Asterism</title>');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https:|upgrade-insecure-requests|validator/);
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) expect((await open(file)).statusCode).toBe(200);
    expect((await open('/docs/json')).json()).toEqual((await open('/v1/openapi.json')).json());
  });
});
