import type { Person, Thread } from '@asterism/sdk';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { Choice } from './choice.tsx';
import { Ends, inMinutes } from './ends.tsx';
import { useUpdateSharing } from './location-mutations.ts';
import type { LocationSettings } from './location-queries.ts';

export const PRECISIONS = { approximate: 'Within 1 km', exact: 'Exactly' } as const;
const MODES = { selected: 'People', contacts: 'Contacts', followers: 'Followers', public: 'Everyone' } as const;
type Mode = keyof typeof MODES;

const MODE_WORDS: Readonly<Record<Mode, string>> = {
  selected: 'Only those whom you choose here.',
  contacts: 'Everyone in your contacts.',
  followers: 'Everyone who follows one of your tags.',
  public: 'Anyone nearby can find you. This needs “Who can find me” set to everyone.',
};

interface PeopleChoiceProps {
  chosen: ReadonlySet<string>;
  before: readonly Person[];
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** Those whom the reader writes with, to choose from. */
function PeopleChoice({ chosen, before, onChange }: PeopleChoiceProps) {
  const threads = useList<Thread>({
    queryKey: ['threads', 'main'],
    load: (query, signal) => sdk.dm.listThreads({ query: { ...query, folder: 'main' }, signal }),
    cursorOf: ({ last_message, id }) => last_message?.id ?? id,
  });
  const peers = threads.items.filter(({ peer_gone }) => !peer_gone).map(({ peer }) => peer);
  const all = [...before, ...peers.filter(({ id }) => !before.some((one) => one.id === id))];
  if (all.length === 0)
    return (
      <p className="soft small">
        {threads.isPending ? 'Fetching people…' : 'Start a chat first: you can share with the people you chat with.'}
      </p>
    );
  return (
    <ul className="group" aria-label="People">
      {all.map((person) => (
        <li key={person.id}>
          <label className="row pick">
            <Avatar name={person.username} url={person.avatar_url} size_px={36} />
            <span className="body cut" dir="auto">
              {nameOf(person)}
            </span>
            <input
              type="checkbox"
              checked={chosen.has(person.id)}
              onChange={() => onChange(chosen.symmetricDifference(new Set([person.id])))}
            />
          </label>
        </li>
      ))}
    </ul>
  );
}

interface ShareSheetProps {
  settings: LocationSettings;
  open: boolean;
  onClose: () => void;
}

/** With whom, how near and until when. */
export function ShareSheet({ settings, open, onClose }: ShareSheetProps) {
  const update = useUpdateSharing();
  const [mode, setMode] = useState<Mode>(settings.mode === 'off' ? 'selected' : settings.mode);
  const [precision, setPrecision] = useState(settings.precision);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(settings.people));
  const [end, setEnd] = useState<{ minutes?: number; at?: string }>({ minutes: 60 });
  const is_missing = mode === 'selected' && chosen.size === 0;
  const share = () => {
    if (is_missing || update.isPending) return;
    const people = mode === 'selected' ? { people: [...chosen] } : {};
    const expires_at = end.at ?? inMinutes(end.minutes ?? 60);
    update.mutate({ mode, precision, expires_at, ...people }, { onSuccess: onClose });
  };
  return (
    <Sheet open={open} onClose={onClose} title="Share where you are">
      <Choice label="With whom" options={MODES} value={mode} onChange={setMode} />
      <p className="soft small">{MODE_WORDS[mode]}</p>
      {mode === 'selected' ? <PeopleChoice chosen={chosen} before={settings.viewers} onChange={setChosen} /> : null}
      <Choice label="How near" options={PRECISIONS} value={precision} onChange={setPrecision} />
      <p className="soft small">
        {precision === 'exact' ? 'They see the very point.' : 'They see a circle of a kilometre, never a point.'}
      </p>
      <Ends minutes={end.minutes} onMinutes={(minutes) => setEnd({ minutes })} onMoment={(at) => setEnd({ at })} />
      <button
        type="button"
        className="btn primary wide-btn"
        aria-disabled={is_missing || update.isPending}
        onClick={share}
      >
        {is_missing ? 'Choose people first' : 'Start sharing'}
      </button>
    </Sheet>
  );
}
