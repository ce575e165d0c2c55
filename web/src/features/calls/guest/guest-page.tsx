import type { Reply } from '@asterism/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { Brand } from '../../../ui/brand/brand.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Form, TextField } from '../../../ui/form.tsx';
import { PageHeading } from '../../../ui/page.tsx';
import { Aster } from '../../../ui/brand/aster.tsx';
import { CallSkeleton, LobbySkeleton } from '../call-skeleton.tsx';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { describeProblem, fieldProblems, formProblem } from '../../../ui/problems/problem.ts';
import { previewQuery } from '../../../data/queries/call-queries.ts';
import { Lobby, useLobby } from '../lobby/lobby.tsx';
import { readSources } from '../state/saved-sources.ts';
import type { Source } from '../state/wanted-sources.ts';
import { guestKey } from '../state/guest-queries.ts';
import type { EndReason } from './guest-call.tsx';
import { GuestRealtime } from './guest-realtime.tsx';
import { openGuestClient } from './guest-session.ts';
import type { CallGuest, GuestClient } from './guest-session.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { MAX_LENGTH } from '../../../generated/lengths.ts';

/** The media client is most of the code, and is loaded when the guest joins. */
const GuestCall = lazy(() => import('./guest-call.tsx').then((part) => ({ default: part.GuestCall })));

type Preview = Reply<'callGuests', 'getCallPreview'>;

function GuestFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="page page-narrow guest-page">
      <Brand />
      <PageHeading title={title} />
      {children}
    </main>
  );
}

function SignInInstead({ join_code }: { join_code: string }) {
  return (
    <p className="small soft">
      {i18n.t('Already have an account?')}{' '}
      <Link to="/sign-in" search={{ next: `/j/${join_code}` }}>
        {i18n.t('Sign in')}
      </Link>
    </p>
  );
}

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

interface AskProps {
  preview: Preview;
  client: GuestClient;
  onAsked: (guest: CallGuest, wanted: Source[]) => void;
}

/** Asks for a name and devices, and then requests admission. */
function Ask({ preview, client, onAsked }: AskProps) {
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

/** A page with a reason why a guest cannot join. */
function DeadEnd({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="page page-narrow guest-page">
      <Brand />
      <EmptyState level={1} title={title} text={text}>
        {children}
      </EmptyState>
    </main>
  );
}

interface OverProps {
  title: string;
  text: string;
  join_code: string;
  /** Asks once more; undefined where that is pointless. */
  onAgain?: () => void;
}

function Over({ title, text, join_code, onAgain }: OverProps) {
  return (
    <DeadEnd title={title} text={text}>
      {onAgain === undefined ? null : (
        <button type="button" className="button primary" onClick={onAgain}>
          {i18n.t('Try again')}
        </button>
      )}
      <Link to="/register" className={onAgain === undefined ? 'button primary' : 'button quiet'}>
        {i18n.t('Create account')}
      </Link>
      <SignInInstead join_code={join_code} />
    </DeadEnd>
  );
}

/** The waiting room, with a button to withdraw the request. */
function WaitingRoom({ join_code, client, onBack }: Pick<AskedProps, 'join_code' | 'client' | 'onBack'>) {
  const queries = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => client.sdk.callGuests.withdrawCallGuest({ path: { join_code } }),
    onSuccess: onBack,
    onError: (error) => {
      showToast(describeProblem(error));
      // The host may have decided meanwhile.
      void queries.invalidateQueries({ queryKey: guestKey(join_code) });
    },
  });
  return (
    <main id="main" tabIndex={-1} className="page page-narrow guest-page">
      <Brand />
      <div className="empty dead-end">
        <span className="waiting-star" aria-hidden="true">
          <Aster />
        </span>
        <PageHeading title={i18n.t('Waiting to be let in')} />
        <p role="status">{i18n.t('The host has been notified that you are here. Keep this page open.')}</p>
        <button type="button" className="button quiet" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {i18n.t('Cancel')}
        </button>
      </div>
    </main>
  );
}

interface AskedProps {
  join_code: string;
  client: GuestClient;
  wanted: readonly Source[];
  first: CallGuest | undefined;
  /** Forgets the request, and shows the form again. */
  onBack: () => void;
}

/** The state after the request: waiting, admitted or declined. */
function Asked({ join_code, client, wanted, first, onBack }: AskedProps) {
  const [ended, setEnded] = useState<EndReason>();
  const guest = useQuery({
    queryKey: guestKey(join_code),
    queryFn: ({ signal }) => client.sdk.callGuests.getCallGuest({ path: { join_code }, signal }),
    ...(first === undefined ? {} : { initialData: first }),
  });
  if (ended !== undefined) {
    const { title, text, may_rejoin } = ended;
    return (
      <Over {...{ title, text, join_code }} {...(may_rejoin === true ? { onAgain: () => setEnded(undefined) } : {})} />
    );
  }
  // The token expires with the call, and with a decline. In the call its connection tells which, a moment later.
  if (guest.isError && guest.data?.state !== 'admitted')
    return (
      <Over
        title={i18n.t('You aren’t in this call')}
        text={i18n.t('It is over, or the host didn’t let you in.')}
        join_code={join_code}
        onAgain={onBack}
      />
    );
  if (guest.data === undefined)
    return <LobbySkeleton title={i18n.t('Join a call')} what={i18n.t('Looking for the call')} />;
  if (guest.data.state === 'declined')
    return (
      <Over
        title={i18n.t('You weren’t let in')}
        text={i18n.t('The host declined. Ask them, or try again later.')}
        join_code={join_code}
        onAgain={onBack}
      />
    );
  return (
    <GuestRealtime join_code={join_code} guest_id={guest.data.id} client={client}>
      {guest.data.state === 'waiting' ? (
        <WaitingRoom join_code={join_code} client={client} onBack={onBack} />
      ) : (
        <Suspense fallback={<CallSkeleton what={i18n.t('Connecting…')} />}>
          <GuestCall join_code={join_code} client={client} guest_id={guest.data.id} wanted={wanted} onEnd={setEnded} />
        </Suspense>
      )}
    </GuestRealtime>
  );
}

/** The page of a call's link for people without an account. */
export function GuestPage() {
  const { joinCode } = useParams({ from: '/g/$joinCode' });
  const queries = useQueryClient();
  const [client] = useState(() => openGuestClient(joinCode));
  const [asked, setAsked] = useState<{ guest?: CallGuest; wanted: readonly Source[] } | undefined>(
    client.isKnown() ? { wanted: readSources(joinCode) ?? [] } : undefined,
  );
  const preview = useQuery({ ...previewQuery(joinCode), enabled: asked === undefined });
  if (asked !== undefined)
    return (
      <Asked
        join_code={joinCode}
        client={client}
        wanted={asked.wanted}
        first={asked.guest}
        onBack={() => {
          client.forget();
          queries.removeQueries({ queryKey: guestKey(joinCode) });
          setAsked(undefined);
        }}
      />
    );
  if (preview.isPending) return <LobbySkeleton title={i18n.t('Join a call')} what={i18n.t('Looking for the call')} />;
  if (preview.isError)
    return (
      <DeadEnd
        title={i18n.t('This link needs an account')}
        text={i18n.t('The call admits no guests, or it is over. If you were invited, sign in to join.')}
      >
        <div className="cluster">
          <Link to="/sign-in" search={{ next: `/j/${joinCode}` }} className="button primary">
            {i18n.t('Sign in')}
          </Link>
          <Link to="/register" className="button quiet">
            {i18n.t('Create account')}
          </Link>
        </div>
      </DeadEnd>
    );
  return <Ask preview={preview.data} client={client} onAsked={(guest, wanted) => setAsked({ guest, wanted })} />;
}
