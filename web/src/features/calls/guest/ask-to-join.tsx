import type { Reply } from '@asterism/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { Form, TextField } from '../../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../../ui/problems/problem.ts';
import { Lobby, useLobby } from '../lobby/lobby.tsx';
import type { Source } from '../state/wanted-sources.ts';
import type { CallGuest, GuestClient } from './guest-session.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { MAX_LENGTH } from '../../../generated/lengths.ts';
import { GuestFrame, SignInInstead } from './guest-frame.tsx';

type Preview = Reply<'callGuests', 'getCallPreview'>;

function Host({ preview }: { preview: Preview }) {
  const { host, participant_count } = preview;
  const inside = i18n.t('{count, plural, one {# person is in the call} other {# people are in the call}}', {
    count: participant_count,
  });
  return (
    <div className="cluster">
      <Avatar name={host.username} called={nameOf(host)} url={host.avatar_url} />
      <p className="list-main soft">{participant_count === 0 ? i18n.t('No one is here yet') : inside}</p>
    </div>
  );
}

interface AskToJoinProps {
  preview: Preview;
  client: GuestClient;
  onAsked: (guest: CallGuest, wanted: Source[]) => void;
}

/** Asks for a name and devices, and then requests admission. */
export function AskToJoin({ preview, client, onAsked }: AskToJoinProps) {
  const lobby = useLobby();
  const [name, setName] = useState('');
  const { join_code, guests, is_recorded } = preview;
  const ask = useMutation({
    mutationFn: () => client.sdk.callGuests.createCallGuest({ path: { join_code }, body: { name: name.trim() } }),
    onSuccess: (asked) => {
      client.enter(asked);
      const { microphone, camera } = lobby.choices;
      onAsked(asked.guest, [...(microphone ? ['microphone' as const] : []), ...(camera ? ['camera' as const] : [])]);
    },
  });
  return (
    <GuestFrame title={i18n.t('{name} invites you', { name: nameOf(preview.host) })}>
      <section className="card" aria-label={i18n.t('Before you join')}>
        <Host preview={preview} />
        <Lobby {...lobby}>
          {is_recorded ? (
            <p className="notice" data-tone="danger" role="status">
              {i18n.t('This call is being recorded. You will be asked before you are.')}
            </p>
          ) : null}
          <Form problem={formProblem(ask.error, ['name'])} onSubmit={() => ask.mutate()}>
            <TextField
              label={i18n.t('Your name')}
              autoComplete="name"
              required
              maxLength={MAX_LENGTH.guest_name}
              value={name}
              error={fieldProblems(ask.error)['name']}
              hint={i18n.t('Everyone in the call sees it.')}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <button type="submit" className="button primary full-width" disabled={ask.isPending || name.trim() === ''}>
              {guests === 'open' ? i18n.t('Join') : i18n.t('Ask to join')}
            </button>
          </Form>
        </Lobby>
      </section>
      <SignInInstead join_code={join_code} />
    </GuestFrame>
  );
}
