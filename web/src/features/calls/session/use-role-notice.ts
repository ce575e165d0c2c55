import type { Call } from '@asterism/sdk';
import { useEffect, useRef } from 'react';
import { roleIn } from '../../../data/queries/call-queries.ts';
import { nameOf } from '../../../ui/avatar.tsx';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { i18n } from '../../../i18n/i18n.ts';

/** Tells the reader that they have become the host or a co-host, such as when the host has left, or who is the host now. */
export function useRoleNotice(call: Call, user_id: string | undefined): void {
  const role = roleIn(call, user_id);
  const before = useRef(role);
  useEffect(() => {
    const [was, is] = [before.current, role];
    before.current = is;
    if (was === is) return;
    if (is === 'host') showToast(i18n.t('You are the host now.'));
    else if (is === 'co_host' && was === 'guest') showToast(i18n.t('You are a co-host now.'));
  }, [role]);
  const host_before = useRef(call.host.id);
  useEffect(() => {
    const has_changed = host_before.current !== call.host.id;
    host_before.current = call.host.id;
    if (has_changed && call.host.id !== user_id)
      showToast(i18n.t('{name} is the host now.', { name: nameOf(call.host) }));
  }, [call.host.id]);
}
