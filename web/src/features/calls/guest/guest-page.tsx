import { previewQuery } from '../../../data/queries/call-queries.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { CallSkeleton, LobbySkeleton } from '../call-skeleton.tsx';
import { readSources } from '../state/saved-sources.ts';
import type { Source } from '../state/wanted-sources.ts';
import { guestKey } from '../state/guest-queries.ts';
import type { EndReason } from './guest-call.tsx';
import { GuestRealtime } from './guest-realtime.tsx';
import { openGuestClient } from './guest-session.ts';
import type { CallGuest, GuestClient } from './guest-session.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { CannotJoin, NotInCall } from './guest-frame.tsx';
import { AskToJoin } from './ask-to-join.tsx';
import { WaitingRoom } from './waiting-room.tsx';

/** The media client is most of the code, and is loaded when the guest joins. */
const GuestCall = lazy(() => import('./guest-call.tsx').then((part) => ({ default: part.GuestCall })));

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
      <NotInCall
        {...{ title, text, join_code }}
        {...(may_rejoin === true ? { onAgain: () => setEnded(undefined) } : {})}
      />
    );
  }
  if (guest.data?.state === 'declined')
    return (
      <NotInCall
        title={i18n.t('You weren’t let in')}
        text={i18n.t('The host declined. Ask them, or try again later.')}
        join_code={join_code}
        onAgain={onBack}
      />
    );
  // The token expires with the call, and with a decline. In the call its connection tells which, a moment later.
  if (guest.isError && guest.data?.state !== 'admitted')
    return (
      <NotInCall
        title={i18n.t('You aren’t in this call')}
        text={i18n.t('It is over, or the host didn’t let you in.')}
        join_code={join_code}
        onAgain={onBack}
      />
    );
  if (guest.data === undefined)
    return <LobbySkeleton title={i18n.t('Join a call')} what={i18n.t('Looking for the call')} />;
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
      <CannotJoin
        title={i18n.t('This link needs an account')}
        text={i18n.t('This call doesn’t take guests, or it is over. If you were invited, sign in to join.')}
      >
        <div className="cluster">
          <Link to="/sign-in" search={{ next: `/j/${joinCode}` }} className="button primary">
            {i18n.t('Sign in')}
          </Link>
          <Link to="/register" className="button quiet">
            {i18n.t('Create account')}
          </Link>
        </div>
      </CannotJoin>
    );
  return <AskToJoin preview={preview.data} client={client} onAsked={(guest, wanted) => setAsked({ guest, wanted })} />;
}
