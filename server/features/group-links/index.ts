import { feature } from '../../kernel/endpoint.ts';
import { deleteGroupLink } from './delete-group-link.ts';
import { getGroupLink } from './get-group-link.ts';
import { joinGroupByLink } from './join-group-by-link.ts';
import { setGroupLink } from './set-group-link.ts';

export const groupLinks = feature({
  area: 'group-links',
  title: 'Invite links of groups',
  endpoints: [getGroupLink, setGroupLink, deleteGroupLink, joinGroupByLink],
});
