import { useQuery } from '@tanstack/react-query';
import { Link as RouteLink, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useLayoutEffect } from 'react';
import { sdk } from '../../asterism.ts';
import { CallNotice } from './notices/call-notice.tsx';
import { CallEnded } from './notices/call-ended.tsx';
import { CallSkeleton } from './call-skeleton.tsx';
import { describeProblem, hasCode, isMissing } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { enterCall, forgetClosed, useCallSession } from './session/call-session.ts';
import { callQuery, mayStart } from '../../data/queries/call-queries.ts';
import { readSources } from './state/saved-sources.ts';
import type { Source } from './state/wanted-sources.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Joins with the sources that were chosen before the call or on before a reload, or with those of the address. */
function useEnter(join_code: string): () => void {
  const search = useSearch({ from: '/signed-in/call/$joinCode' });
  return () => {
    const saved = readSources(join_code);
    const usual: Source[] = search.microphone === 'off' ? [] : ['microphone'];
    if (search.camera === 'on') usual.push('camera');
    enterCall(join_code, saved ?? usual, saved !== undefined);
  };
}

/** Only one call at a time: asks to leave the other one first. */
function OtherCall({ join_code, onEnter }: { join_code: string; onEnter: () => void }) {
  const navigate = useNavigate();
  const end = async () => {
    try {
      await sdk.calls.leaveCall({ path: { join_code } });
    } catch (error) {
      if (!hasCode(error, 'not_found')) return showToast(describeProblem(error));
    }
    onEnter();
  };
  return (
    <CallNotice title={i18n.t('You are in another call')} text={i18n.t('To join this call, end the other one first.')}>
      <button type="button" className="button primary" onClick={() => void end()}>
        {i18n.t('End it and join')}
      </button>
      <button
        type="button"
        className="button quiet"
        onClick={() => void navigate({ to: '/call/$joinCode', params: { joinCode: join_code } })}
      >
        {i18n.t('Back to your call')}
      </button>
    </CallNotice>
  );
}

/**
 * The page of a call: connects this window, or explains why that is impossible. The call itself is rendered by its host
 * component.
 */
export function CallPage() {
  const { joinCode } = useParams({ from: '/signed-in/call/$joinCode' });
  const enter = useEnter(joinCode);
  const call = useQuery(callQuery(joinCode));
  const { session, closed } = useCallSession();
  const is_open = call.data !== undefined && call.data.state !== 'ended';
  const may_enter = is_open && session === undefined && closed?.join_code !== joinCode;
  // Before the page is painted, which would be empty until then.
  useLayoutEffect(() => {
    if (may_enter) enter();
  }, [may_enter, joinCode]);
  // Why a connection ended is shown once: returning to this page joins the call.
  useEffect(() => forgetClosed, []);
  if (call.data === undefined) {
    if (call.isPending) return <CallSkeleton what={i18n.t('Looking for the call')} />;
    if (mayStart(call.error))
      return (
        <CallNotice
          title={i18n.t('No one is here yet')}
          text={i18n.t('Join, and others can reach you here by the same link.')}
        >
          <RouteLink to="/j/$joinCode" params={{ joinCode }} className="button primary">
            {i18n.t('Join')}
          </RouteLink>
        </CallNotice>
      );
    if (isMissing(call.error))
      return (
        <CallNotice title={i18n.t('Call not found')} text={i18n.t('The call may be over, or it isn’t open to you.')} />
      );
    return (
      <CallNotice title={i18n.t('You couldn’t be connected')} text={describeProblem(call.error)}>
        <button type="button" className="button primary" onClick={() => void call.refetch()}>
          {i18n.t('Try again')}
        </button>
      </CallNotice>
    );
  }
  if (!is_open) return <CallEnded call={call.data} />;
  if (session !== undefined && session.join_code !== joinCode)
    return <OtherCall join_code={session.join_code} onEnter={enter} />;
  if (closed?.join_code === joinCode) {
    return (
      <CallNotice title={closed.title} text={closed.text}>
        <button type="button" className="button primary" onClick={() => enterCall(joinCode, closed.wanted)}>
          {closed.again}
        </button>
      </CallNotice>
    );
  }
  return null;
}
