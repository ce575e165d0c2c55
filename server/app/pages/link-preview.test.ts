import { expect, it } from 'vitest';
import { createPictures } from './link-preview.ts';

it('pictures are drawn in turns over networks, of which those of an IPv6 /48 share the places of one', async () => {
  const pictures = createPictures();
  const held = Promise.withResolvers<Buffer>();
  const draw = (ip: string) => pictures(ip, ip, () => held.promise);
  const flood = Array.from({ length: 40 }, (_none, at) =>
    draw(`2001:db8:0:${at.toString(16)}::1`).catch(() => 'refused'),
  );
  const other = draw('192.0.2.1');
  held.resolve(Buffer.from('drawn'));
  expect(String(await other)).toBe('drawn');
  expect((await Promise.all(flood)).filter((one) => one === 'refused').length).toBeGreaterThan(20);
});
