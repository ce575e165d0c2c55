import type { RealtimeStream, Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

export type Widget = Reply<'widgets', 'listWidgets'>['items'][number];

const MAX_WIDGETS = 100;

export const widgetsKey = ['widgets'] as const;

/** The reader's own widgets, newest first. */
export const widgetsQuery = queryOptions({
  queryKey: widgetsKey,
  queryFn: ({ signal }) => sdk.widgets.listWidgets({ query: { limit: MAX_WIDGETS }, signal }),
  staleTime: 60_000,
});

const groupWidgetsKey = ['group-widgets'] as const;

/** The widgets of a group that the reader is in. */
export const groupWidgetsQuery = (group_id: string) =>
  queryOptions({
    queryKey: [...groupWidgetsKey, group_id],
    queryFn: ({ signal }) => sdk.widgets.listGroupWidgets({ path: { group_id }, signal }),
  });

/** The embedding code, and the address of the frame. */
export const embedQuery = (widget_id: string) =>
  queryOptions({
    queryKey: ['widget-embed', widget_id],
    queryFn: ({ signal }) => sdk.widgets.getWidgetEmbed({ path: { widget_id }, signal }),
    staleTime: Infinity,
  });

/** The name of a widget without a title. */
export const nameOfWidget = ({ title, tag }: Pick<Widget, 'title' | 'tag'>): string => title || `*${tag.name}`;

/** Updates cached widgets from the stream. */
export function subscribeToWidgets(stream: RealtimeStream, queries: QueryClient): void {
  const refetch = () => {
    void queries.invalidateQueries({ queryKey: widgetsKey });
    void queries.invalidateQueries({ queryKey: groupWidgetsKey });
  };
  stream.on('widget.updated', refetch);
  stream.on('widget.deleted', refetch);
}
