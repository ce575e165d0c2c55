import type { ChatMessage } from '@asterism/sdk';
import { useQueries, useQuery } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { excerptOf } from '../chat/formatting/excerpt.ts';
import { widgetInboxOfKey } from '../chat/chat-queries.ts';
import { nameOfGuest } from '../../i18n/default-names.ts';
import { widgetsQuery } from '../../data/queries/widget-queries.ts';

/** One guest's conversation with a widget of the reader. */
export interface WidgetChat {
  readonly widget_id: string;
  readonly title: string;
  readonly guest: { readonly id: string; readonly name: string };
  readonly last: string;
  readonly at: string;
}

/** The number of latest messages in which guests are looked for. */
const LATEST = 100;

/** The newest message of each guest. @param messages newest first */
function guestsOf(messages: readonly ChatMessage[]): Omit<WidgetChat, 'widget_id' | 'title'>[] {
  const found = new Map<string, Omit<WidgetChat, 'widget_id' | 'title'>>();
  for (const { author, body, file, deleted_at, created_at } of messages) {
    const guest = author?.guest;
    if (!guest || found.has(guest.id)) continue;
    const files = file === null ? [] : [file];
    const named = { id: guest.id, name: nameOfGuest(guest) };
    found.set(guest.id, {
      guest: named,
      at: created_at,
      last: excerptOf({ body, files, deleted: deleted_at !== null }),
    });
  }
  return [...found.values()];
}

/** The guests who have written to the reader's chat widgets. */
export function useWidgetChats(): WidgetChat[] {
  const widgets = useQuery(widgetsQuery).data?.items ?? [];
  const chatting = widgets.filter(({ kind }) => kind === 'chat');
  const inboxes = useQueries({
    queries: chatting.map(({ id }) => ({
      queryKey: widgetInboxOfKey(id),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        sdk.widgetChats.listWidgetChat({ path: { widget_id: id }, query: { limit: LATEST }, signal }),
      staleTime: 60_000,
    })),
  });
  return chatting.flatMap(({ id, title, tag }, at) =>
    guestsOf(inboxes[at]?.data?.items ?? []).map((one) => ({ ...one, widget_id: id, title: title || `*${tag.name}` })),
  );
}
