import { feature } from '../../kernel/endpoint.ts';
import { lifecycle } from './lifecycle.ts';
import { listMutes } from './list-mutes.ts';
import { mutePerson } from './mute-person.ts';
import { unmutePerson } from './unmute-person.ts';

export const mutes = feature({
  area: 'mutes',
  title: 'Mutes',
  endpoints: [listMutes, mutePerson, unmutePerson],
  lifecycle,
});
