/**
 * Every statement that reads or returns many rows has a bound: a `limit` in its text, the identifiers that it is given, or
 * a place in this table, which says what bounds it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { default_limits } from '../../kernel/load/limits.ts';

const server = join(import.meta.dirname, '..', '..');

/** Statements without a `limit`, by file and function, and what bounds their rows: a limit of `limits.ts`, or a reason. */
const bounds: Record<string, string> = {
  'app/console/console-payment.ts selectCheckouts': 'the local console',
  'app/console/console-phone.ts selectLegs': 'the local console',
  'domain/accounts/session-events.ts invalidateSessions': 'sessions',
  'domain/billing/plans.ts expireCheckoutsOf': 'one at once',
  'domain/billing/plans.ts selectPaid': 'one at once',
  'domain/calendar/events.ts selectEvents': 'the events that a page names',
  'domain/calendar/events.ts selectGuestEntries': 'event_guests of each event of a page',
  'domain/calls/lasting-rooms.ts selectRooms': 'the rooms of tags and groups that a page names',
  'domain/calls/leave-calls.ts selectCallsOfPhone': 'the calls that a phone has dialled in to',
  'domain/calls/leave-calls.ts selectCallsOf': 'one call at once for each account',
  'domain/calls/leave-calls.ts selectSeparated': 'call_participants',
  'domain/calls/leave-places.ts removeBlockedFromRoomOf': 'call_participants',
  'domain/calls/leave-places.ts removeFromCallsForFollowers': 'one call at once for each account',
  'domain/calls/leave-places.ts updateCallsInRooms': 'one room for each tag and group',
  'domain/calls/leave-places.ts selectUnentitled': 'call_participants',
  'domain/calls/leave-places.ts selectCallsInRooms': 'one call at once for each room',
  'domain/calls/leave-places.ts selectCallsInEvents': 'one call at once for each event',
  'domain/calls/leave-places.ts removePhonesOf': 'call_participants',
  'domain/calls/link-guests.ts decideAdmission': 'call_guests_waiting',
  'domain/calls/link-guests.ts barLinkGuest': 'one',
  'domain/calls/missed-calls.ts insertMissedCalls': 'call_participants',
  'domain/calls/phones/phone-policy.ts selectSpent': 'the budget of calls to phones, for a day',
  'domain/calls/recording/recordings.ts selectRecordings': 'a page or one',
  'domain/calls/recording/recordings.ts selectListeners': 'call_participants',
  'domain/calls/room-events.ts topicsOf': 'group_members',
  'domain/calls/state/calls.ts selectCalls': 'a page or one',
  'domain/chat/call-chat.ts selectCallMessages': 'a page or one',
  'domain/chat/call-chat.ts selectCallRecipients': 'call_participants',
  'domain/chat/group-chats.ts selectReaders': 'group_members',
  'domain/chat/messages.ts selectChatMessages': 'a page or one',
  'domain/contacts/group-invites.ts emitGroup': 'group_members',
  'domain/contacts/group-invites.ts withdrawInvites': 'group_members, or one pair',
  'domain/contacts/group-invites.ts leaveGroups': 'group_members, or one pair',
  'domain/contacts/groups.ts selectGroupMembers': 'group_members',
  'domain/files/files.ts withdrawFiles': 'tag_media',
  'domain/inbox/inbox.ts selectInbox': 'a page or one',
  'domain/inbox/inbox.ts deliverToInbox': 'one',
  'domain/messages/direct-messages.ts selectMessagesOfThread': 'a page',
  'domain/messages/message-search.ts has': 'a page',
  'domain/messages/threads.ts selectThreads': 'a page or one',
  'domain/messages/threads.ts endThreadBetween': 'two',
  'domain/moderation/reports.ts requireReport': 'operators',
  'domain/notifications/clear-notifications.ts clear': 'the acts of the sources that the caller names',
  'domain/notifications/push.ts pushTo':
    'the devices of the people that the caller names, at most one for each of their sessions',
  'domain/sessions/sessions.ts revokeSessionsWhere': 'sessions',
  'domain/social/follow-requests.ts cancelRequests':
    'one pair (the tags of a plan), one tag and person, or the portion of a purge',
  'domain/social/follow-requests.ts askToFollow': 'one pair and tag',
  'domain/social/follows.ts selectSubscriptions': 'follows',
  'domain/social/follows.ts selectFollowsOf': 'the tags of a plan',
  'domain/social/follows.ts deleteFollows':
    'one pair (the tags of a plan), one tag and person, or the portion of a purge',
  'domain/social/mentions.ts of': 'mentions',
  'domain/social/tags.ts readTag': 'one',
  'domain/visibility/pairs.ts selectBlocked': 'the people that the caller names',
  'domain/widgets/widgets.ts selectWidgets': 'a page, one, or the widgets of a plan',
  'domain/widgets/widgets.ts endGuestsOf': 'the widgets of a plan',
  'features/calendar/lifecycle.ts blocked': 'shared_events',
  'features/calendar/queries.ts selectWindow': 'events, recurring_events and shared_events',
  'features/calendar/rules/due-queries.ts selectVisibleGuests': 'event_guests',
  'features/calendar/rules/guests.ts selectGuests': 'event_guests',
  'features/calls/queries.ts selectAllowedUninvited': 'call_participants',
  'features/contacts/queries.ts selectUndo': 'import_rows',
  'features/grid/queries.ts selectGrid': 'grid_members',
  'features/grid/queries.ts lockMembers': 'grid_members',
  'features/groups/lifecycle.ts accountDeleted': 'the groups of a plan',
  'features/profiles/queries.ts selectFindable': 'one: usernames are unique',
  'features/statuses/queries.ts deleteLikesOf': 'the portion of the purge',
};

/** The text of a template from its first character on, up to its closing backtick. */
function readTemplate(source: string, from: number): string {
  let depth = 0;
  let at = from;
  for (; at < source.length && !(source[at] === '`' && depth === 0); at++) {
    if (source.startsWith('${', at)) depth += 1;
    else if (source[at] === '}' && depth > 0) depth -= 1;
  }
  return source.slice(from, at);
}

const has_limit = /\blimit\b|\bpageOf\(|\$\{page\}|\bid = any\(\$\{|\bfrom unnest\(\$\{/;

/** The functions of a source text with a statement of many rows that has no limit. */
function unlimitedIn(source: string): string[] {
  const found = new Set<string>();
  for (const match of source.matchAll(/\bmany(?:<[^;]*?>)?\(\s*sql`/g)) {
    const text = readTemplate(source, match.index + match[0].length);
    const names = /function (\w+)|const (\w+) = (?:async )?(?:<[^>]*>)?\(|async (\w+)\(|^ {2}(\w+)\(/gm;
    const [name = 'nothing'] = [...source.slice(0, match.index).matchAll(names)]
      .map((groups) => groups.slice(1).find(Boolean))
      .slice(-1);
    if (!has_limit.test(text)) found.add(name);
  }
  return [...found];
}

describe('statements of many rows', () => {
  it('are found where they have no limit', () => {
    const source = [
      'export const selectAll = (db: Queryable) => db.many<Row>(sql`select id from rows where ${mine}`);',
      'function selectSome(db) { return db.many(sql`select id from rows order by id limit ${10}`); }',
      'async function selectPage(db) { return db.many<Row & { id: string }>(\n  sql`select id from rows ${pageOf(page)}`); }',
    ].join('\n');
    expect(unlimitedIn(source)).toEqual(['selectAll']);
  });

  it('have a limit or a place in the table', () => {
    const files = globSync('{features,domain,app,kernel}/**/*.ts', { cwd: server }).filter(
      (file) => !file.endsWith('.test.ts'),
    );
    expect(files.length).toBeGreaterThan(500);
    const unlimited = files.flatMap((file) =>
      unlimitedIn(readFileSync(join(server, file), 'utf8')).map((name) => `${file} ${name}`),
    );
    expect(unlimited.toSorted()).toEqual(Object.keys(bounds).toSorted());
  });

  it('name limits that exist', () => {
    const named = Object.values(bounds).flatMap((bound) => bound.match(/\b[a-z]+_[a-z_]+\b/g) ?? []);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name in default_limits))).toEqual([]);
  });
});
