import { RoomAudioRenderer, RoomContext, StartAudio } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import type { Room } from 'livekit-client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link as RouteLink, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { PageHeading, Waiting } from '../../ui/page.tsx';
import { describeProblem, hasCode } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useMe } from '../me/me-query.ts';
import { CallHeader } from './call-header.tsx';
import { activeCallQuery, callQuery } from './state/call-queries.ts';
import { CallSide } from './chat/call-side.tsx';
import { Controls } from './controls.tsx';
import { explainDevice, switchSource } from './media/devices.ts';
import type { Source } from './state/wanted-sources.ts';
import { keepChoices, readChoices } from './state/kept-choices.ts';
import type { Choices } from './state/kept-choices.ts';
import { RecordingNotice } from './recording.tsx';
import { Stage } from './stage/stage.tsx';
import { Unanswered } from './stage/unanswered.tsx';
import { useRoom } from './media/use-room.ts';
import type { RoomState } from './media/use-room.ts';
import { useSide } from './state/use-side.ts';
import { createWantedSources } from './state/wanted-sources.ts';

/** The device of the reader that would not start, with what to do about it. */
interface Refusal {
  source: Source;
  text: string;
}

function useSources(room: Room | undefined, state: RoomState, wanted: readonly Source[]) {
  const [refusal, setRefusal] = useState<Refusal>();
  const [sources] = useState(() => createWantedSources(wanted));
  const change = async (source: Source, on: boolean) => {
    if (room === undefined) return;
    try {
      await switchSource(room.localParticipant, source, on);
      setRefusal((known) => (known?.source === source ? undefined : known));
    } catch (error) {
      const text = explainDevice(source, error);
      setRefusal(text === undefined ? undefined : { source, text });
    }
  };
  const connected = state === 'connected';
  useEffect(() => {
    if (!connected || room === undefined) return;
    const start = async () => {
      for (const source of sources.startIn(room)) await change(source, true);
    };
    void start();
  }, [room, connected]);
  const choose = (source: Source, on: boolean) => {
    sources.note(source, on);
    return change(source, on);
  };
  return { refusal, change: choose };
}

function Over({ title, text, onAgain }: { title: string; text: string; onAgain?: (() => void) | undefined }) {
  return (
    <main id="main" className="centre">
      <PageHeading title={title} />
      <p className="soft">{text}</p>
      <div className="cluster">
        {onAgain === undefined ? null : (
          <button type="button" className="button" onClick={onAgain}>
            Try again
          </button>
        )}
        <RouteLink to="/" className={onAgain === undefined ? 'button' : 'button button-quiet'}>
          Go home
        </RouteLink>
      </div>
    </main>
  );
}

function useHangUp(join_code: string, granted: () => Promise<void>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (how: 'leave' | 'end') => {
      await granted();
      return how === 'end' ? sdk.calls.endCall() : sdk.calls.leaveCall({ path: { join_code } });
    },
    onError: (error) => {
      if (!hasCode(error, 'not_found')) showToast(describeProblem(error));
    },
    onSettled: async () => {
      queries.setQueryData(activeCallQuery.queryKey, null);
      await navigate({ to: '/' });
      // Only now: a page that is still there would fetch the call again, and come in again.
      queries.removeQueries({ queryKey: callQuery(join_code).queryKey });
      void queries.invalidateQueries({ queryKey: activeCallQuery.queryKey });
    },
  });
}

interface LiveCallProps {
  call: Call;
  onAgain: () => void;
  attempt: number;
}

function useWanted(): readonly Source[] {
  const search = useSearch({ from: '/signed-in/call/$joinCode' });
  const wanted: Source[] = search.microphone === 'off' ? [] : ['microphone'];
  if (search.camera === 'on') wanted.push('camera');
  return wanted;
}

function useLayoutChoice() {
  const [layout, setLayout] = useState(() => readChoices().layout);
  const onLayout = (chosen: Choices['layout']) => {
    keepChoices({ layout: chosen });
    setLayout(chosen);
  };
  return { layout, onLayout };
}

function RefusedDevice({ refusal, onAgain }: { refusal: Refusal | undefined; onAgain: (source: Source) => void }) {
  if (refusal === undefined) return null;
  return (
    <div className="notice call-notice" data-tone="danger" role="alert">
      <p>{refusal.text}</p>
      <button type="button" className="button button-quiet" onClick={() => onAgain(refusal.source)}>
        Try again
      </button>
    </div>
  );
}

function LiveCall({ call, onAgain, attempt }: LiveCallProps) {
  const user_id = useMe()?.id;
  const { room, state, granted } = useRoom(call.join_code, attempt);
  const { refusal, change } = useSources(room, state, useWanted());
  const hangUp = useHangUp(call.join_code, granted);
  const choice = useLayoutChoice();
  const inside = state === 'connected' || state === 'reconnecting';
  const side = useSide(call.join_code, inside);
  const is_host = call.host.id === user_id;
  if (typeof state === 'object') {
    return <Over title="You could not be connected" text={describeConnection(state.problem)} onAgain={onAgain} />;
  }
  if (state === 'ended' && !hangUp.isPending) {
    return <Over title="You are out of the call" text="The connection is closed." onAgain={onAgain} />;
  }
  if (room === undefined) return <Waiting what="Connecting" />;
  const leave = () => hangUp.mutate('leave');
  const start = (source: Source, on: boolean) => void change(source, on);
  return (
    <RoomContext value={room}>
      <main id="main" className="call night" data-side={side.shown ? 'shown' : undefined}>
        <CallHeader call={call} state={state} is_host={is_host} user_id={user_id} {...choice} />
        <section className="call-stage" aria-label="Stage">
          <RecordingNotice call={call} user_id={user_id} onLeave={leave} />
          <RefusedDevice refusal={refusal} onAgain={(source) => start(source, true)} />
          <Unanswered call={call} user_id={user_id} />
          <Stage call={call} user_id={user_id} is_host={is_host} layout={choice.layout} />
          <StartAudio label="Let me hear the others" className="button call-hear" />
        </section>
        <CallSide call={call} user_id={user_id} is_host={is_host} inside={inside} />
        <Controls
          is_host={is_host}
          side_shown={side.shown}
          unread_count={side.unread_count}
          onSide={side.toggle}
          onSwitch={start}
          onLeave={leave}
          onEnd={() => hangUp.mutate('end')}
        />
        <RoomAudioRenderer />
      </main>
    </RoomContext>
  );
}

function describeConnection(problem: unknown): string {
  const text = describeProblem(problem);
  const ours = problem instanceof Error && (problem.name === 'ApiError' || problem.name === 'NetworkError');
  return ours ? text : 'The media server did not answer. Check the connection and try again.';
}

/** The call itself. */
export function CallPage() {
  const { joinCode } = useParams({ from: '/signed-in/call/$joinCode' });
  const [attempt, setAttempt] = useState(0);
  const call = useQuery(callQuery(joinCode));
  if (call.data === undefined) {
    if (call.isPending) return <Waiting what="Looking for the call" />;
    return <Over title="Call not found" text={describeProblem(call.error)} />;
  }
  if (call.data.state === 'ended') return <Over title="The call is over" text="Thank you for talking." />;
  return <LiveCall key={joinCode} call={call.data} attempt={attempt} onAgain={() => setAttempt(attempt + 1)} />;
}
