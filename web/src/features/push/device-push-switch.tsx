import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Switch } from '../../ui/switch.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { switchPushOff, switchPushOn } from './device-push.ts';
import type { DevicePush } from './device-push.ts';
import { i18n } from '../../i18n/i18n.ts';
import { devicePushQuery } from './device-push-query.ts';

/** Why pushes are unavailable, and what the reader can do. */
const OBSTACLES: Readonly<Record<Exclude<DevicePush, 'on' | 'off'>, string>> = {
  get unsupported() {
    return i18n.t(
      'This browser can’t receive notifications while Asterism is closed. On an iPhone or iPad, add Asterism to the home screen and open it from there.',
    );
  },
  get insecure() {
    return i18n.t('Browsers allow notifications only on pages that are served over HTTPS.');
  },
  get unserved() {
    return i18n.t('This service doesn’t send notifications to browsers.');
  },
  get denied() {
    return i18n.t(
      'Your browser blocks notifications of this site. Open the site’s settings beside its address and allow notifications. Then you can turn them on here.',
    );
  },
};

function describeRefusal(error: unknown): string {
  return error instanceof DOMException
    ? i18n.t('Your browser’s push service couldn’t be reached.')
    : describeProblem(error);
}

function useDevicePush() {
  const queries = useQueryClient();
  const state = useQuery(devicePushQuery);
  useEffect(() => {
    // The reader can change the permission in the browser's address bar while this page is open.
    const stop = new AbortController();
    const look = () => void queries.invalidateQueries({ queryKey: devicePushQuery.queryKey });
    navigator.permissions
      ?.query({ name: 'notifications' })
      .then((status) => status.addEventListener('change', look, { signal: stop.signal }))
      // In a browser without change events, the permission is read again when the page is next opened.
      .catch(() => undefined);
    return () => stop.abort();
  }, [queries]);
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? switchPushOn() : switchPushOff()),
    onSuccess: (now) => queries.setQueryData(devicePushQuery.queryKey, now),
    onError: (error, on) => {
      const problem = describeRefusal(error);
      showToast(
        on
          ? i18n.t('Couldn’t turn on notifications. {problem}', { problem })
          : i18n.t('Couldn’t turn off notifications. {problem}', { problem }),
      );
      return queries.invalidateQueries({ queryKey: devicePushQuery.queryKey });
    },
  });
  return { state, change };
}

/** The switch for pushes to this browser, or why they are unavailable. */
export function DevicePushSwitch() {
  const { state, change } = useDevicePush();
  if (state.isPending) return <p className="soft small">{i18n.t('Checking this browser…')}</p>;
  if (state.isError) return <p className="field-error">{describeProblem(state.error)}</p>;
  const now = state.data;
  if (now !== 'on' && now !== 'off') {
    return (
      <p className="notice" role="status">
        {OBSTACLES[now]}
      </p>
    );
  }
  const on = change.isPending ? change.variables : now === 'on';
  return (
    <Switch
      label={i18n.t('Notifications on this device')}
      hint={i18n.t('Calls ring and notifications appear while Asterism is closed, until you sign out.')}
      on={on}
      disabled={change.isPending}
      onSwitch={() => change.mutate(!on)}
    />
  );
}
