import { feature } from '../../kernel/endpoint.ts';
import { getPublicLink } from './get-public-link.ts';
import { lifecycle } from './lifecycle.ts';

export const publicLinks = feature({
  area: 'public-links',
  title: 'Public links',
  endpoints: [getPublicLink],
  lifecycle,
});
