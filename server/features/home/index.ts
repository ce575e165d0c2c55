import { feature } from '../../kernel/endpoint.ts';
import { getHome } from './get-home.ts';
import { listHomeGroupChats } from './list-home-group-chats.ts';

export const home = feature({ area: 'home', title: 'Home', endpoints: [getHome, listHomeGroupChats] });
