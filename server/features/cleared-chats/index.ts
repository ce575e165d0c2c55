import { chatCleared } from '../../domain/chat/cleared-chats.ts';
import { feature } from '../../kernel/endpoint.ts';
import { clearGroupChat } from './clear-group-chat.ts';
import { clearThread } from './clear-thread.ts';
import { deleteThread } from './delete-thread.ts';

export const clearedChats = feature({
  area: 'cleared-chats',
  title: 'Clearing chats',
  endpoints: [clearThread, deleteThread, clearGroupChat],
  events: [chatCleared],
});
