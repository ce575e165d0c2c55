import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Phone } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { roomQuery, roomsKey, type LastingRoom, type RoomPlace } from './room-queries.ts';
import { RoomSettingsRow, type RoomSettings } from './room-settings.tsx';
import { describeInside } from './room-text.ts';
import { ShareRoom } from './share-room.tsx';
import './rooms.css';

const FACES = 5;

/** Creates, updates and deletes the room of a tag or a group. */
function useRoomMutations(place: RoomPlace) {
  const queries = useQueryClient();
  const { queryKey } = roomQuery(place);
  const keep = (room: LastingRoom | null) => {
    queries.setQueryData(queryKey, room);
    void queries.invalidateQueries({ queryKey: roomsKey });
  };
  const onError = (error: Error) => showToast(describeProblem(error));
  const set = useMutation({
    mutationFn: (body: RoomSettings): Promise<LastingRoom> =>
      'tag_id' in place
        ? sdk.rooms.setTagRoom({ path: { xtag_id: place.tag_id }, body })
        : sdk.rooms.setGroupRoom({ path: place, body: body.guests === undefined ? {} : { guests: body.guests } }),
    onSuccess: keep,
    onError,
  });
  const remove = useMutation({
    mutationFn: () =>
      'tag_id' in place
        ? sdk.rooms.deleteTagRoom({ path: { xtag_id: place.tag_id } })
        : sdk.rooms.deleteGroupRoom({ path: place }),
    onSuccess: () => keep(null),
    onError,
  });
  return { set, remove };
}

/** Who is in a room now. */
function Inside({ room }: { room: LastingRoom }) {
  return (
    <div className="room-inside">
      {room.call === null ? null : (
        <span className="room-faces" aria-hidden="true">
          {room.call.people.slice(0, FACES).map((person) => (
            <Avatar
              key={person.id}
              name={person.username}
              called={nameOf(person)}
              url={person.avatar_url}
              size_px={32}
            />
          ))}
        </span>
      )}
      <p role="status" className="soft small" dir="auto">
        {room.call === null ? null : <span className="dot gold" />}
        {describeInside(room)}
      </p>
    </div>
  );
}

/** What the owner of a place sees until it is known whether it has a room, as tall as the offer to create one. */
function RoomSkeleton() {
  return (
    <section className="card" aria-busy="true" aria-labelledby="room-heading">
      <h2 id="room-heading">{i18n.t('Room')}</h2>
      <SkeletonBlock width="80%" />
      <SkeletonBlock width="10rem" height="var(--tap)" />
    </section>
  );
}

interface RoomCardProps {
  place: RoomPlace;
  is_mine: boolean;
}

/** The lasting room of a tag or a group: who is in it, joining, its link, and for its owner the settings. */
export function RoomCard({ place, is_mine }: RoomCardProps) {
  const { data: room, isPending: is_pending } = useQuery(roomQuery(place));
  const { set, remove } = useRoomMutations(place);
  if (is_pending && is_mine) return <RoomSkeleton />;
  if (room === undefined || (room === null && !is_mine)) return null;
  return (
    <section className="card" aria-labelledby="room-heading">
      <h2 id="room-heading">{i18n.t('Room')}</h2>
      {room === null ? (
        <>
          <p className="soft">{i18n.t('A permanent link where people can meet at any time.')}</p>
          <div className="cluster">
            <button type="button" className="button quiet" disabled={set.isPending} onClick={() => set.mutate({})}>
              {i18n.t('Create a room')}
            </button>
          </div>
        </>
      ) : (
        <>
          <Inside room={room} />
          <div className="cluster">
            <Link to="/j/$joinCode" params={{ joinCode: room.join_code }} className="button primary">
              <Phone aria-hidden="true" />
              {i18n.t('Join')}
            </Link>
            <ShareRoom room={room} />
          </div>
          {room.is_mine ? <RoomSettingsRow room={room} set={set} remove={remove} /> : null}
        </>
      )}
    </section>
  );
}
