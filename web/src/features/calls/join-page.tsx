import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Mic, MicOff, Video, VideoOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Page, Waiting } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { useMe } from '../me/me-query.ts';
import { callQuery } from './call-queries.ts';

/** The reader's own camera, shown to nobody else, until the page is left. */
function Preview({ on, onDenied }: { on: boolean; onDenied: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (!on) return;
    let stream: MediaStream | undefined;
    let left = false;
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    const open = async () => {
      if (navigator.mediaDevices === undefined) throw new Error('This page is served without TLS and has no devices.');
      stream = await navigator.mediaDevices.getUserMedia({ video: true });
      if (left) stop();
      else if (video.current !== null) video.current.srcObject = stream;
    };
    open().catch(() => onDenied());
    return () => {
      left = true;
      stop();
    };
  }, [on, onDenied]);
  return (
    <div className="preview">
      {on ? (
        <video ref={video} autoPlay playsInline muted aria-label="Your camera, seen only by you" />
      ) : (
        <p className="soft">Your camera is off</p>
      )}
    </div>
  );
}

interface DeviceSwitchProps {
  name: string;
  on: boolean;
  icons: { on: LucideIcon; off: LucideIcon };
  onSwitch: () => void;
}

function DeviceSwitch({ name, on, icons, onSwitch }: DeviceSwitchProps) {
  const Icon = on ? icons.on : icons.off;
  return (
    <button type="button" className="button button-quiet" aria-pressed={on} onClick={onSwitch}>
      <Icon aria-hidden="true" />
      {name} {on ? 'on' : 'off'}
    </button>
  );
}

/** Chooses how one goes in, and goes. */
function WayIn({ joinCode }: { joinCode: string }) {
  const navigate = useNavigate();
  const [microphone, setMicrophone] = useState(true);
  const [camera, setCamera] = useState(false);
  const [denied, setDenied] = useState(false);
  const refuse = useRef(() => {
    setCamera(false);
    setDenied(true);
  });
  const search = {
    microphone: microphone ? undefined : ('off' as const),
    camera: camera ? ('on' as const) : undefined,
  };
  return (
    <>
      <Preview on={camera} onDenied={refuse.current} />
      {denied ? <p className="field-error">Your browser does not let Asterism use the camera.</p> : null}
      <div className="row">
        <DeviceSwitch
          name="Microphone"
          on={microphone}
          icons={{ on: Mic, off: MicOff }}
          onSwitch={() => setMicrophone(!microphone)}
        />
        <DeviceSwitch
          name="Camera"
          on={camera}
          icons={{ on: Video, off: VideoOff }}
          onSwitch={() => setCamera(!camera)}
        />
      </div>
      <button
        type="button"
        className="button"
        onClick={() => void navigate({ to: '/call/$joinCode', params: { joinCode }, search })}
      >
        Join
      </button>
    </>
  );
}

/** Where a join link leads: who is there, how one will be seen and heard, and the way in. */
export function JoinPage() {
  const { joinCode } = useParams({ from: '/signed-in/j/$joinCode' });
  const me = useMe();
  const call = useQuery(callQuery(joinCode));
  if (call.isPending) return <Waiting what="Looking for the call" />;
  if (call.isError) {
    return (
      <Page title="This link leads nowhere" narrow>
        <p className="notice" role="alert">
          {describeProblem(call.error)} The call may be over, or it is not open to you.
        </p>
      </Page>
    );
  }
  const { host, participants, state } = call.data;
  const invitation = host.id === me?.id ? 'Your call' : `${nameOf(host)} invites you`;
  const inside = participants.filter((one) => one.state === 'joined').map((one) => one.name);
  return (
    <Page title={state === 'ended' ? 'This call is over' : invitation} narrow>
      <section className="card" aria-label="Before you go in">
        <div className="row">
          <Avatar name={host.username} url={host.avatar_url} />
          <p className="list-main">
            <strong>{nameOf(host)}</strong>
            <br />
            <span className="soft small">
              {inside.length === 0 ? 'Nobody is in yet' : `In now: ${inside.join(', ')}`}
            </span>
          </p>
        </div>
        {state === 'ended' ? null : <WayIn joinCode={joinCode} />}
      </section>
    </Page>
  );
}
