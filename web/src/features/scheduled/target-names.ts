import { useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { targetNameKey } from './scheduled-queries.ts';
import type { ScheduledJob } from './scheduled-queries.ts';

type Target = NonNullable<ScheduledJob['target']>;

/** Jobs contain only the identifiers of people: their names are found in the reader's threads and contacts. */
async function nameOfUser(user_id: string, signal: AbortSignal): Promise<string> {
  for (const folder of ['main', 'requests'] as const)
    for await (const { peer } of sdk.dm.listThreads.iterate({ query: { limit: 100, folder }, signal }))
      if (peer.id === user_id) return nameOf(peer);
  for await (const contact of sdk.contacts.listContacts.iterate({ query: { limit: 100 }, signal }))
    if (contact.user?.id === user_id) return contact.name;
  return 'someone';
}

async function findName(target: Target, signal: AbortSignal): Promise<string> {
  if ('tag' in target) return `*${target.tag.replace(/^\*/, '')}`;
  if ('phone' in target) return formatPhone(target.phone);
  if ('group_id' in target) return (await sdk.groups.getGroup({ path: { group_id: target.group_id }, signal })).name;
  if ('contact_id' in target)
    return (await sdk.contacts.getContact({ path: { contact_id: target.contact_id }, signal })).name;
  return nameOfUser(target.user_id, signal);
}

/** The name of a job's target; undefined for a job without one, and while it is loading. */
export function useNameOfTarget(target: ScheduledJob['target']): string | undefined {
  return useQuery({
    queryKey: targetNameKey(target),
    queryFn: ({ signal }) => (target === null ? '' : findName(target, signal)),
    enabled: target !== null,
    staleTime: Infinity,
  }).data;
}
