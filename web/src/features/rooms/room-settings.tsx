import type { UseMutationResult } from '@tanstack/react-query';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { ChoiceChip } from '../../ui/choice-chip.tsx';
import { i18n } from '../../i18n/i18n.ts';
import type { LastingRoom } from './room-queries.ts';

/** The settings that the owner may change. */
export type RoomSettings = { privacy?: 'private' | 'followers' | 'public'; guests?: LastingRoom['guests'] };

const privacies = () =>
  [
    { value: 'private', words: i18n.t('Only you and people you call') },
    { value: 'followers', words: i18n.t('Followers of the tag') },
    { value: 'public', words: i18n.t('Everyone who sees the tag') },
  ] as const;

const guests = () =>
  [
    { value: 'off', words: i18n.t('No guests') },
    { value: 'ask', words: i18n.t('Guests ask to join') },
    { value: 'open', words: i18n.t('Guests join at once') },
  ] as const;

interface RoomSettingsProps {
  room: LastingRoom;
  set: UseMutationResult<LastingRoom, Error, RoomSettings>;
  remove: UseMutationResult<unknown, Error, void>;
}

/** The owner's settings of a room, and deleting it. */
export function RoomSettingsRow({ room, set, remove }: RoomSettingsProps) {
  return (
    <div className="cluster">
      {room.privacy === 'members' ? null : (
        <ChoiceChip
          label={i18n.t('Who can join')}
          value={room.privacy}
          options={privacies()}
          onChoose={(privacy) => set.mutate({ privacy })}
          look="line"
        />
      )}
      <ChoiceChip
        label={i18n.t('People without an account')}
        value={room.guests}
        options={guests()}
        onChoose={(value) => set.mutate({ guests: value })}
        look="line"
      />
      <Confirm
        title={i18n.t('Remove the room?')}
        text={i18n.t('Its link stops working. Only you and people who were called can stay in its call.')}
        action={i18n.t('Remove')}
        onConfirm={() => remove.mutate()}
        trigger={
          <button type="button" className="button plain" disabled={remove.isPending}>
            {i18n.t('Remove the room')}
          </button>
        }
      />
    </div>
  );
}
