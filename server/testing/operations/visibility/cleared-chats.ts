/** What a viewer sees of chats that they have cleared and deleted for themselves. */
import type { Stage } from './viewer-relations.ts';

type Item = { id?: string };

/** What the table says of an answer, by its status. */
export const cells: Record<number, string> = { 200: 'yes', 201: 'yes', 202: 'yes', 204: 'yes', 404: 'no', 422: 'no' };

/** Clears the viewer's thread and group and deletes the thread: the answers by row of `docs/visibility.md`. */
export async function readCleared({ world, viewer, threads, files, groups, group_message }: Stage) {
  const token = viewer?.token;
  const send = (route: string, body?: object) => world.call(route, { token, ...(body && { body }) });
  const cell = async (route: string, body?: object) => {
    const { status } = await send(route, body);
    return cells[status] ?? String(status);
  };
  const has = async (route: string, item_id: string | undefined) => {
    const { status, body } = await send(route);
    if (status !== 200) return cells[status] ?? String(status);
    return body.items.some(({ id }: Item) => id === item_id) ? 'yes' : 'no';
  };
  const { id, message_id } = threads['own thread'] ?? { id: '', message_id: '' };
  const group_id = groups['joined group']?.id ?? '';
  const search = 'GET /messages/search?q=owner&limit=100';
  const answers = {
    'cleared thread: clear': await cell(`POST /dm/threads/${id}/clear`, {}),
    'cleared thread: single': await cell(`GET /dm/threads/${id}`),
    'cleared thread: message': await has(`GET /dm/threads/${id}/chat`, message_id),
    'cleared thread: search': await has(search, message_id),
    'cleared thread: file': await cell(`POST /files/${files['own thread']?.id}/stream-token`, {}),
    'deleted thread: delete': await cell(`DELETE /dm/threads/${id}`),
    'deleted thread: single': await cell(`GET /dm/threads/${id}`),
    'deleted thread: own threads': await has('GET /dm/threads', id),
    'cleared group: clear': await cell(`POST /groups/${group_id}/chat/clear`, {}),
    'cleared group: own groups': await has('GET /groups', group_id),
    'cleared group: message': await has(`GET /groups/${group_id}/chat`, group_message.id),
    'cleared group: search': await has(search, group_message.id),
  };
  return answers;
}
