import type { Person, Thread } from '@asterism/sdk';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { SegmentedControl } from './segmented-control.tsx';
import { EndChoice, timeInMinutes } from './end-choice.tsx';
import { useUpdateSharing } from './location-mutations.ts';
import type { LocationSettings } from './location-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { folderKey } from '../../data/queries/message-queries.ts';

/** How precisely a position is shared, in words. */
export const PRECISIONS = {
  get approximate() {
    return i18n.t('Approximate location');
  },
  get exact() {
    return i18n.t('Precise location');
  },
} as const;
const MODES = {
  get selected() {
    return i18n.t('People');
  },
  get contacts() {
    return i18n.t('Contacts');
  },
  get followers() {
    return i18n.t('Followers');
  },
  get public() {
    return i18n.t('Everyone');
  },
} as const;
type Mode = keyof typeof MODES;

const MODE_WORDS: Readonly<Record<Mode, string>> = {
  get selected() {
    return i18n.t('Only people you choose here.');
  },
  get contacts() {
    return i18n.t('Everyone in your contacts.');
  },
  get followers() {
    return i18n.t('Everyone who follows one of your tags.');
  },
  get public() {
    return i18n.t('Anyone nearby can find you. This needs “Who may find you” set to everyone.');
  },
};

interface PeopleChoiceProps {
  chosen: ReadonlySet<string>;
  before: readonly Person[];
  onChange: (chosen: ReadonlySet<string>) => void;
}

/** The people with whom the reader has threads, to select from. */
function PeopleChoice({ chosen, before, onChange }: PeopleChoiceProps) {
  const threads = useList<Thread>({
    queryKey: folderKey('main'),
    load: (query, signal) => sdk.dm.listThreads({ query: { ...query, folder: 'main' }, signal }),
    cursorOf: ({ last_message, id }) => last_message?.id ?? id,
  });
  const peers = threads.items.filter(({ peer_gone }) => !peer_gone).map(({ peer }) => peer);
  const all = [...before, ...peers.filter(({ id }) => !before.some((one) => one.id === id))];
  if (all.length === 0)
    return (
      <p className="soft small">
        {threads.isPending
          ? i18n.t('Loading people…')
          : i18n.t('Start a chat first: you can share with the people you chat with.')}
      </p>
    );
  return (
    <ul className="group" aria-label={i18n.t('People')}>
      {all.map((person) => (
        <li key={person.id}>
          <label className="row pick">
            <Avatar name={person.username} called={nameOf(person)} url={person.avatar_url} size_px={36} />
            <span className="body cut" dir="auto">
              {nameOf(person)}
            </span>
            <input
              type="checkbox"
              className="choice"
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

/** With whom a location is shared, how precisely and until when. */
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
    const expires_at = end.at ?? timeInMinutes(end.minutes ?? 60);
    update.mutate({ mode, precision, expires_at, ...people }, { onSuccess: onClose });
  };
  return (
    <Sheet open={open} onClose={onClose} title={i18n.t('Share your location')}>
      <SegmentedControl label={i18n.t('Share with')} options={MODES} value={mode} onChange={setMode} />
      <p className="soft small">{MODE_WORDS[mode]}</p>
      {mode === 'selected' ? <PeopleChoice chosen={chosen} before={settings.viewers} onChange={setChosen} /> : null}
      <SegmentedControl label={i18n.t('Precision')} options={PRECISIONS} value={precision} onChange={setPrecision} />
      <p className="soft small">
        {precision === 'exact'
          ? i18n.t('They see your precise location.')
          : i18n.t('They see a circle of 1 km, never your precise location.')}
      </p>
      <EndChoice minutes={end.minutes} onMinutes={(minutes) => setEnd({ minutes })} onMoment={(at) => setEnd({ at })} />
      <button
        type="button"
        className="button primary full-width"
        aria-disabled={is_missing || update.isPending}
        onClick={share}
      >
        {is_missing ? i18n.t('Choose people first') : i18n.t('Start sharing')}
      </button>
    </Sheet>
  );
}
