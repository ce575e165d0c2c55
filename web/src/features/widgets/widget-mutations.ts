import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { widgetsKey } from '../../data/queries/widget-queries.ts';

export type NewWidget = Input<'widgets', 'createWidget'>['body'];
export type WidgetEdit = Input<'widgets', 'editWidget'>['body'];

function useRefetch() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: widgetsKey });
}

/** Creates a widget of a tag. */
export function useCreateWidget() {
  const refetch = useRefetch();
  return useMutation({ mutationFn: (body: NewWidget) => sdk.widgets.createWidget({ body }), onSuccess: refetch });
}

/** Edits a widget; pages that embed it are updated immediately. */
export function useEditWidget(widget_id: string) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: (body: WidgetEdit) => sdk.widgets.editWidget({ path: { widget_id }, body }),
    onSuccess: refetch,
  });
}

/** Deletes a widget: its guests are disconnected within a second. */
export function useDeleteWidget(widget_id: string) {
  const refetch = useRefetch();
  return useMutation({
    mutationFn: () => sdk.widgets.deleteWidget({ path: { widget_id } }),
    onSuccess: refetch,
  });
}
