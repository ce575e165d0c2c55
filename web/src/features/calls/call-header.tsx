import type { Call } from '@asterism/sdk';
import { Check, Link2 } from 'lucide-react';
import { useState } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { showToast } from '../../ui/toast.tsx';
import { PrivacyMenu } from './privacy-menu.tsx';
import type { RoomState } from './use-room.ts';

function CopyLink({ join_code }: { join_code: string }) {
  const [copied, setCopied] = useState(false);
  const address = `${location.origin}/j/${join_code}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      // Without leave to write to the clipboard the address is shown, to be copied by hand.
      showToast(address);
    }
  };
  return (
    <button type="button" className="button button-plain" onClick={() => void copy()}>
      {copied ? <Check aria-hidden="true" /> : <Link2 aria-hidden="true" />}
      <span className="wide-only">{copied ? 'Copied' : 'Copy join link'}</span>
      <span className="visually-hidden narrow-only">Copy join link</span>
    </button>
  );
}

/** What somebody did who was asked and does not come. */
const REFUSALS: Readonly<Partial<Record<Call['participants'][number]['state'], string>>> = {
  declined: 'declined',
  no_answer: 'did not answer',
  busy: 'is busy',
  failed: 'could not be reached',
};

function describeState(call: Call, state: RoomState): string {
  if (state === 'joining') return 'Connecting…';
  if (state === 'reconnecting') return 'The connection broke. Coming back…';
  const ringing = call.participants.filter((one) => one.state === 'ringing').map((one) => one.name);
  if (ringing.length > 0) return `Ringing ${ringing.join(', ')}…`;
  const inside = call.participants.filter((one) => one.state === 'joined').length;
  if (inside > 1) return `${inside} people are in`;
  const refusals = call.participants.flatMap(({ name, state: answer }) => {
    const words = REFUSALS[answer];
    return words === undefined ? [] : [`${name} ${words}`];
  });
  return refusals.length > 0 ? `${refusals.join(', ')}.` : 'Nobody else is in';
}

/** Whose call this is, how it stands, and who may come in. */
export function CallHeader({ call, state, is_host }: { call: Call; state: RoomState; is_host: boolean }) {
  return (
    <header className="call-header">
      <div className="call-title">
        <PageHeading title={is_host ? 'Your call' : `With ${nameOf(call.host)}`} />
        <p className="soft small" role="status">
          {describeState(call, state)}
        </p>
      </div>
      <PrivacyMenu call={call} is_host={is_host} />
      <CopyLink join_code={call.join_code} />
    </header>
  );
}
