import { feature } from '../../kernel/endpoint.ts';
import { getAvatar } from './get-avatar.ts';

export const avatars = feature({ area: 'avatars', title: 'Avatars', endpoints: [getAvatar] });
