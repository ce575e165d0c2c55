import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { historyPagesOf, pagesOf, visitor_pages } from './gallery-pages.ts';
import type { SampleData } from './sample-data.ts';
import type { SampleHistory } from './sample-history.ts';

const router = join(import.meta.dirname, '..', '..', '..', 'web', 'src', 'app', 'router.tsx');

/** Routes without a picture of their own in `gallery.page.test.ts`, and why. */
const left_out = {
  $: 'is that of addresses that no page has; missing-things.page.test.ts opens one',
  '/call/$joinCode': 'has its pictures in call-gallery.journey.test.ts, with the cameras of several people',
  '/tags/$tagId/profile': 'redirects to /t/$name',
};

/** Whether a route is the one for a path; an identifier in the path is a word that no route has. */
function isRouteOf(route: string, path: string): boolean {
  const [parts, words] = [route.split('/'), path.split('/')];
  return parts.length === words.length && parts.every((part, at) => part.startsWith('$') || part === words[at]);
}

const countParameters = (route: string) => route.split('$').length;

it('every route of the client has a picture in the gallery', () => {
  const routes = [...readFileSync(router, 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
  expect(routes.length).toBeGreaterThan(50);
  const sample = new Proxy({} as SampleData, { get: () => Object.assign('id', { id: 'id' }) });
  const history = { conference_id: 'id', guest_id: 'id' } as SampleHistory;
  const paths = [...pagesOf(sample), ...historyPagesOf(history, sample), ...visitor_pages].map(
    ([, path]) => `/${path.replace(/\?.*/, '')}`,
  );
  // Of several routes for a path the router takes the one with the fewest parameters.
  const shown = paths.map(
    (path) =>
      routes
        .filter((route) => isRouteOf(route, path))
        .toSorted((one, other) => countParameters(one) - countParameters(other))[0],
  );
  expect(routes.filter((route) => !shown.includes(route)).toSorted()).toEqual(Object.keys(left_out).toSorted());
});

it('no two pages have the same name', () => {
  const names = [...pagesOf({ ben: {} } as SampleData), ...visitor_pages].map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
});
