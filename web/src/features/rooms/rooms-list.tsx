import { Link } from '@tanstack/react-router';
import { Avatar } from '../../ui/avatar.tsx';
import { TagName } from '../../ui/brand/brand.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { More } from '../../ui/more.tsx';
import { Row } from '../../ui/row.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { useRooms } from './room-queries.ts';
import { describeInside, nameOfRoom } from './room-text.ts';

/** The rooms that the reader may enter, with the people in them. Nothing without any. */
export function RoomsList() {
  const rooms = useRooms();
  if (rooms.items.length === 0) return null;
  return (
    <section className="card" aria-labelledby="rooms-heading">
      <h2 id="rooms-heading">{i18n.t('Rooms')}</h2>
      <ul>
        {rooms.items.map((room) => (
          <li key={room.id}>
            <Link to="/j/$joinCode" params={{ joinCode: room.join_code }} className="row">
              <Row
                picture={
                  room.tag === null ? (
                    <Avatar name={nameOfRoom(room)} url={room.group?.avatar_url ?? null} />
                  ) : (
                    <TagSky name={room.tag.name} />
                  )
                }
                title={room.tag === null ? nameOfRoom(room) : <TagName name={room.tag.name} />}
                detail={describeInside(room)}
                end={room.call === null ? undefined : <span className="dot gold" />}
              />
            </Link>
          </li>
        ))}
      </ul>
      <More list={rooms} what={i18n.t('rooms')} />
    </section>
  );
}
