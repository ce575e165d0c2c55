import { expect, it } from 'vitest';
import { isReadingList, readingListOf } from './reading-list.ts';

it.each([
  { path: '/notifications', opened_from: undefined, list: '/notifications' },
  { path: '/search', opened_from: '/notifications', list: '/search' },
  { path: '/status/1', opened_from: undefined, list: '/' },
  { path: '/status/1', opened_from: '/people', list: '/' },
  { path: '/status/1', opened_from: '/t/jazz', list: '/t/jazz' },
  { path: '/status/1', opened_from: '/search?q=jazz', list: '/search?q=jazz' },
  { path: '/t/jazz', opened_from: '/notifications', list: '/notifications' },
  { path: '/groups/1', opened_from: '/search?q=walk', list: '/search?q=walk' },
  // Lists and chats are in their own sections, whatever led to them.
  { path: '/people/requests', opened_from: '/notifications', list: undefined },
  { path: '/groups', opened_from: '/notifications', list: undefined },
  { path: '/messages/group/1', opened_from: '/notifications', list: undefined },
  { path: '/settings/handles', opened_from: '/notifications', list: undefined },
  // A person or tag of a post is in the section of its own.
  { path: '/u/1', opened_from: '/', list: undefined },
  { path: '/u/1', opened_from: '/t/jazz', list: undefined },
  { path: '/contacts/1', opened_from: '/contacts', list: undefined },
])('$path that was opened from $opened_from is beside $list', ({ path, opened_from, list }) => {
  expect(readingListOf(path, opened_from)).toBe(list);
});

it('takes no other address for a list', () => {
  for (const address of [undefined, '/notifications/1', '/searching', '/people', 'https://example.org/'])
    expect(isReadingList(address), address).toBe(false);
});
