import type { Call } from '@asterism/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Phone, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { sdk } from '../../../asterism.ts';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { TextField } from '../../../ui/form.tsx';
import { formatPhone } from '../../../i18n/phone-number.ts';
import { describeProblem, fieldProblems } from '../../../ui/problems/problem.ts';
import { callTargetsKey } from '../../../data/queries/call-queries.ts';
import { useAddPerson } from '../state/ring-mutations.ts';
import type { CallParticipant, Target } from '../state/ring-mutations.ts';
import { MAX_LENGTH } from '../../../generated/lengths.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** A search result. */
interface Found {
  key: string;
  name: string;
  detail: string;
  picture: { name: string; called: string; url: string | null | undefined };
  target: Target;
  user_id: string | undefined;
}

const MAX_FOUND = 6;
const PRESENT = new Set<CallParticipant['state']>(['ringing', 'joining', 'joined']);
const STATE_WORDS = {
  get ringing() {
    return i18n.t('Ringing…');
  },
  get joining() {
    return i18n.t('Joining…');
  },
  get joined() {
    return i18n.t('In the call');
  },
} as const;

/** Why a person cannot be added. In English a reason may be a predicate, and in other languages it is a sentence. */
const describeRefusal = (name: string, reason: string): string =>
  /^[a-z]/.test(reason) ? `${name} ${reason}.` : i18n.t('{name}: {reason}', { name, reason });

/** The number of a contact without an account. */
const describeNumber = (number: string | undefined) =>
  number === undefined ? i18n.t('No number') : formatPhone(number);

async function findContacts(q: string, signal: AbortSignal): Promise<Found[]> {
  const query = { limit: MAX_FOUND, ...(q === '' ? {} : { q }) };
  const { items } = await sdk.contacts.listContacts({ query, signal });
  return items.map(({ id, name, user, phones }) => ({
    key: id,
    name,
    detail: user === null ? describeNumber(phones[0]?.number) : `@${user.username}`,
    picture: { name: user?.username ?? name, called: name, url: user?.avatar_url },
    target: { contact_id: id },
    user_id: user?.id,
  }));
}

async function findTags(q: string, signal: AbortSignal): Promise<Found[]> {
  if (q === '') return [];
  const { items } = await sdk.tags.searchTags({ query: { q, limit: MAX_FOUND }, signal });
  return items
    .filter((tag) => !tag.is_mine)
    .map(({ id, name, owner }) => ({
      key: id,
      name: `*${name}`,
      detail: `${nameOf(owner)}, @${owner.username}`,
      picture: { name: owner.username, called: nameOf(owner), url: owner.avatar_url },
      target: { tag: name },
      user_id: owner.id,
    }));
}

/** Contacts and tags that match a text; only contacts for an empty one. */
function useFoundPeople(text: string) {
  const q = useDeferredValue(text.trim().replace(/^[*@]/, ''));
  return useQuery({
    queryKey: callTargetsKey(q),
    queryFn: async ({ signal }) => (await Promise.all([findContacts(q, signal), findTags(q, signal)])).flat(),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
}

function stateOf(call: Call, user_id: string | undefined): string | undefined {
  const one = user_id === undefined ? undefined : call.participants.find(({ user }) => user?.id === user_id);
  return one !== undefined && PRESENT.has(one.state) ? STATE_WORDS[one.state as keyof typeof STATE_WORDS] : undefined;
}

/** Finds somebody among contacts and tags, and calls them into the call. */
export function AddPeople({ call }: { call: Call }) {
  const [text, setText] = useState('');
  const found = useFoundPeople(text);
  const add = useAddPerson();
  const refusal = add.error && (fieldProblems(add.error)['to.0'] ?? describeProblem(add.error));
  return (
    <div role="search" className="stack">
      <TextField
        label={i18n.t('Who')}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        prefix={<Search aria-hidden="true" size={18} />}
        placeholder={i18n.t('a contact, a tag or a username')}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_LENGTH.tag_search}
        error={refusal && add.variables ? describeRefusal(add.variables.name, refusal) : undefined}
      />
      <div aria-live="polite">
        {found.isError ? <p className="field-error">{describeProblem(found.error)}</p> : null}
        {found.data?.length === 0 ? (
          <p className="soft small">
            {text.trim() === '' ? i18n.t('Type a name.') : i18n.t('No results for “{text}”.', { text: text.trim() })}
          </p>
        ) : null}
      </div>
      <ul className="list call-found" aria-label={i18n.t('Found')}>
        {found.data?.map((one) => {
          const state = stateOf(call, one.user_id);
          return (
            <li key={one.key}>
              <Avatar {...one.picture} size_px={36} />
              <div className="list-main">
                <p dir="auto">{one.name}</p>
                <p className="soft small">{one.detail}</p>
              </div>
              {state === undefined ? (
                <button type="button" className="button quiet" disabled={add.isPending} onClick={() => add.mutate(one)}>
                  <Phone aria-hidden="true" />
                  {i18n.t('Ring')}
                  <span className="visually-hidden"> {one.name}</span>
                </button>
              ) : (
                <span className="soft small" role="status">
                  {state}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
