import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { locationLinksQuery, locationSettingsQuery } from './location-queries.ts';
import type { LocationLink, LocationSettings } from './location-queries.ts';
import { setReporting } from './sharing-device.ts';
import { refreshPosition } from './use-position.ts';
import { i18n } from '../../i18n/i18n.ts';

export type SettingsChange = Input<'location', 'updateLocationSettings'>['body'];

/** Changes who sees the reader's location, how precisely and until when; from then on this device reports it. */
export function useUpdateSharing() {
  const queries = useQueryClient();
  const user_id = useMe()?.id;
  return useMutation({
    mutationFn: (change: SettingsChange) => sdk.location.updateLocationSettings({ body: change }),
    onSuccess: (settings) => {
      queries.setQueryData(locationSettingsQuery.queryKey, settings);
      if (settings.mode === 'off') return;
      setReporting(user_id);
      // A position from before the sharing started is not reported.
      refreshPosition();
    },
    onError: (error) => showToast(describeProblem(error)),
  });
}

/** Stops sharing at once; undoing it restores the earlier settings. */
export function useStopSharing(before: LocationSettings) {
  const queries = useQueryClient();
  const update = useUpdateSharing();
  return () =>
    update.mutate(
      { mode: 'off' },
      {
        onSuccess: () => {
          const links = queries.getQueryData(locationLinksQuery.queryKey)?.items ?? [];
          if (links.length === 0) setReporting(undefined);
          const { mode, people, precision, expires_at } = before;
          showToast(i18n.t('You stopped sharing your location.'), {
            undo: () => update.mutate({ mode, people, precision, expires_at }),
          });
        },
      },
    );
}

/** Creates a link that shows the reader's live location to anyone who opens it. */
export function useCreateLink() {
  const queries = useQueryClient();
  const user_id = useMe()?.id;
  return useMutation({
    mutationFn: (body: Input<'location', 'createLocationLink'>['body']) => sdk.location.createLocationLink({ body }),
    onSuccess: () => {
      setReporting(user_id);
      refreshPosition();
    },
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: locationLinksQuery.queryKey }),
  });
}

/** Revokes a link at once. */
export function useRevokeLink() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: LocationLink) => sdk.location.revokeLocationLink({ path: { link_id: id } }),
    onSuccess: () => showToast(i18n.t('The link no longer works.')),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: locationLinksQuery.queryKey }),
  });
}
