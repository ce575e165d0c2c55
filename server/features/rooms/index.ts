import { roomUpdated } from '../../domain/calls/room-events.ts';
import { feature } from '../../kernel/endpoint.ts';
import { deleteGroupRoom } from './delete-group-room.ts';
import { deleteTagRoom } from './delete-tag-room.ts';
import { getGroupRoom } from './get-group-room.ts';
import { getTagRoom } from './get-tag-room.ts';
import { listRooms } from './list-rooms.ts';
import { setGroupRoom } from './set-group-room.ts';
import { setTagRoom } from './set-tag-room.ts';

export const rooms = feature({
  area: 'rooms',
  title: 'Lasting rooms',
  endpoints: [setTagRoom, getTagRoom, deleteTagRoom, setGroupRoom, getGroupRoom, deleteGroupRoom, listRooms],
  events: [roomUpdated],
});
