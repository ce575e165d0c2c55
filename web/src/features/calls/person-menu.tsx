import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Crown, MicOff, UserX } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MoreMenu } from '../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { useRemoveParticipant } from './state/ring-mutations.ts';
import type { CallParticipant } from './state/ring-mutations.ts';
import { cacheCall } from '../../data/queries/call-queries.ts';
import type { CallRole } from '../../data/queries/call-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** A host's actions on a participant. */
function useHostMutations({ id, name }: CallParticipant) {
  const queries = useQueryClient();
  const onError = (error: Error) => showToast(describeProblem(error));
  const mute = useMutation({
    mutationFn: () => sdk.callHosting.muteParticipant({ path: { participant_id: id } }),
    onError,
  });
  const move = useMutation({
    mutationFn: () => sdk.callHosting.moveHost({ body: { participant_id: id } }),
    onSuccess: (call) => {
      cacheCall(queries, call);
      showToast(i18n.t('{name} is the host now.', { name }));
    },
    onError,
  });
  const role = useMutation({
    mutationFn: (wanted: 'co_host' | 'guest') =>
      sdk.callHosting.setParticipantRole({ path: { participant_id: id }, body: { role: wanted } }),
    onSuccess: (call, wanted) => {
      cacheCall(queries, call);
      showToast(
        wanted === 'co_host'
          ? i18n.t('{name} is a co-host now.', { name })
          : i18n.t('{name} is no longer a co-host.', { name }),
      );
    },
    onError,
  });
  return { mute, move, role };
}

interface PersonMenuProps {
  one: CallParticipant;
  own_role: Exclude<CallRole, 'guest'>;
  is_muted: boolean;
}

/** Mutes or removes a participant, or makes them host or co-host, as far as the reader's role permits. */
export function PersonMenu({ one, own_role, is_muted }: PersonMenuProps) {
  const menu = useMenu();
  const [asked, setAsked] = useState<'move' | 'remove'>();
  const { mute, move, role } = useHostMutations(one);
  const away = useRemoveParticipant();
  const is_inside = one.state === 'joined';
  const may_appoint = own_role === 'host' && is_inside && one.user !== null;
  const may_remove = own_role === 'host' || one.role === 'guest';
  const may_mute = is_inside && !is_muted;
  if (!may_mute && !may_appoint && !may_remove) return null;
  const question = { returnTo: menu.trigger.ref, onClose: () => setAsked(undefined) };
  return (
    <>
      <MoreMenu menu={menu} label={i18n.t('More about {name}', { name: one.name })}>
        {may_mute ? (
          <DropdownMenu.Item className="menu-item" onSelect={() => mute.mutate()}>
            <MicOff aria-hidden="true" />
            {i18n.t('Mute')}
          </DropdownMenu.Item>
        ) : null}
        {may_appoint ? (
          <>
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() => role.mutate(one.role === 'co_host' ? 'guest' : 'co_host')}
            >
              <Crown aria-hidden="true" />
              {one.role === 'co_host' ? i18n.t('Remove as co-host') : i18n.t('Make co-host')}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => setAsked('move')}>
              <Crown aria-hidden="true" />
              {i18n.t('Make host')}
            </DropdownMenu.Item>
          </>
        ) : null}
        {may_remove ? (
          <DropdownMenu.Item className="menu-item" onSelect={() => setAsked('remove')}>
            <UserX aria-hidden="true" />
            {i18n.t('Remove from call')}
          </DropdownMenu.Item>
        ) : null}
      </MoreMenu>
      <ConfirmDialog
        {...question}
        open={asked === 'move'}
        title={i18n.t('Make {name} the host?', { name: one.name })}
        text={i18n.t('They become the host. You stay in the call.')}
        action={i18n.t('Make host')}
        onConfirm={() => move.mutate()}
      />
      <ConfirmDialog
        {...question}
        open={asked === 'remove'}
        title={i18n.t('Remove {name} from the call?', { name: one.name })}
        text={i18n.t('They leave the call and can only come back when someone calls them.')}
        action={i18n.t('Remove')}
        onConfirm={() => away.mutate(one)}
      />
    </>
  );
}
