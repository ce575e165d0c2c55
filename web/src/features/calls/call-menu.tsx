import { endQuestion } from './controls.tsx';
import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleDot, Gauge, Keyboard, Link2, Maximize, Minimize } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState, type ComponentProps } from 'react';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { MenuTick, MenuLabel } from '../../ui/overlay/menu-item-parts.tsx';
import { sdk } from '../../asterism.ts';
import { copyText } from '../../ui/overlay/copy-text.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MoreMenu } from '../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { cacheCall } from '../../data/queries/call-queries.ts';
import { CaptionItems } from './captions/caption-items.tsx';
import type { Captions } from './captions/use-captions.ts';
import { HangUp } from './hang-up.tsx';
import { useConsent, useRecording } from './recording.tsx';
import type { LayoutChoice } from './stage/use-layout-choice.ts';
import { useCallReader } from './state/call-reader.ts';
import { i18n } from '../../i18n/i18n.ts';
import { PictureInPictureItem } from './picture-in-picture.tsx';

interface CallMenuProps extends LayoutChoice {
  call: Call;
  is_host: boolean;
  captions: Captions;
  /** Opens the list of keyboard shortcuts. */
  onKeys: () => void;
  /** Ends the call for everybody, as its host; undefined for participants who can never be host. */
  onEnd?: (() => void) | undefined;
}

const LAYOUTS = [
  {
    value: 'gallery',
    get label() {
      return i18n.t('Gallery');
    },
  },
  {
    value: 'speaker',
    get label() {
      return i18n.t('Speaker view');
    },
  },
] as const;

function Layouts({ layout, onLayout }: LayoutChoice) {
  return (
    <DropdownMenu.RadioGroup value={layout} onValueChange={(value) => onLayout(value as LayoutChoice['layout'])}>
      <DropdownMenu.Label className="menu-label">{i18n.t('Layout')}</DropdownMenu.Label>
      {LAYOUTS.map(({ value, label }) => (
        <DropdownMenu.RadioItem key={value} value={value} className="menu-item">
          <MenuTick />
          {label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** Switches whether late joiners see the whole chat. */
function HistoryItem({ call }: { call: Call }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (chat_history: Call['chat_history']) => sdk.calls.setCallPrivacy({ body: { chat_history } }),
    onSuccess: (changed) => cacheCall(queries, changed),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <DropdownMenu.CheckboxItem
      className="menu-item"
      checked={call.chat_history === 'all'}
      disabled={change.isPending}
      onCheckedChange={(on) => change.mutate(on ? 'all' : 'from_joining')}
    >
      <MenuTick />
      <MenuLabel label={i18n.t('Share the whole chat')} detail={i18n.t('With people who join later, too')} />
    </DropdownMenu.CheckboxItem>
  );
}

function RecordItem({ call }: { call: Call }) {
  const recording = useRecording(call);
  const on = call.recording !== null;
  return (
    <DropdownMenu.Item className="menu-item" disabled={recording.isPending} onSelect={() => recording.mutate(!on)}>
      <CircleDot aria-hidden="true" />
      <MenuLabel
        label={on ? i18n.t('Stop recording') : i18n.t('Record this call')}
        detail={on ? i18n.t('The recording is saved') : i18n.t('Everyone is notified before it starts')}
      />
    </DropdownMenu.Item>
  );
}

/** Lets the reader change their consent to the recording. */
function ConsentItem({ call }: { call: Call }) {
  const { consent, answer } = useConsent(call);
  if (consent === null) return null;
  return (
    <DropdownMenu.CheckboxItem
      className="menu-item"
      checked={consent === 'agreed'}
      disabled={answer.isPending}
      onCheckedChange={(on) => answer.mutate(on)}
    >
      <MenuTick />
      <MenuLabel label={i18n.t('Record me')} detail={i18n.t('Your voice and picture are recorded')} />
    </DropdownMenu.CheckboxItem>
  );
}

/** Lets the page of the call fill the screen, where the browser permits it. */
function FullScreenItem() {
  if (document.fullscreenEnabled !== true) return null;
  const is_full = document.fullscreenElement !== null;
  const Icon = is_full ? Minimize : Maximize;
  // The whole document: menus, dialogs and rings are outside of the call.
  const change = () => (is_full ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return (
    <DropdownMenu.Item className="menu-item" onSelect={() => void change().catch(() => undefined)}>
      <Icon aria-hidden="true" />
      {is_full ? i18n.t('Leave full screen') : i18n.t('Full screen')}
    </DropdownMenu.Item>
  );
}

function TestItem() {
  return (
    <DropdownMenu.Item className="menu-item" asChild>
      <a href="/app/call-test" target="_blank" rel="noreferrer">
        <Gauge aria-hidden="true" />
        {i18n.t('Test audio and connection')}
      </a>
    </DropdownMenu.Item>
  );
}

type EndQuestionProps = Pick<ComponentProps<typeof ConfirmDialog>, 'open' | 'onClose' | 'returnTo' | 'onConfirm'>;

/** On a phone, ending the call is in the menu: its row of controls has no room for it. */
function EndQuestion(props: EndQuestionProps) {
  return <ConfirmDialog {...props} {...endQuestion()} />;
}

/** The menu of less frequent actions of a call. */
export function CallMenu({ call, is_host, captions, onKeys, onEnd, ...layout }: CallMenuProps) {
  const menu = useMenu();
  const { id, has_account } = useCallReader();
  const [asks, setAsks] = useState(false);
  const may_stop = id !== undefined && call.recording?.by?.id === id;
  return (
    <>
      <MoreMenu menu={menu} label={i18n.t('More about this call')}>
        <Layouts {...layout} />
        <DropdownMenu.Separator className="menu-line" />
        <CaptionItems captions={captions} />
        {is_host || may_stop ? <RecordItem call={call} /> : null}
        <ConsentItem call={call} />
        {is_host ? <HistoryItem call={call} /> : null}
        <DropdownMenu.Item
          className="menu-item"
          onSelect={() => void copyText(`${location.origin}/j/${call.join_code}`, i18n.t('Join link copied.'))}
        >
          <Link2 aria-hidden="true" />
          {i18n.t('Copy join link')}
        </DropdownMenu.Item>
        <FullScreenItem />
        <PictureInPictureItem />
        <DropdownMenu.Item className="menu-item keys-item" onSelect={onKeys}>
          <Keyboard aria-hidden="true" />
          {i18n.t('Keyboard shortcuts')}
        </DropdownMenu.Item>
        {has_account ? <TestItem /> : null}
        {is_host ? (
          <DropdownMenu.Item className="menu-item end-item" onSelect={() => setAsks(true)}>
            <HangUp aria-hidden="true" />
            {i18n.t('End for all')}
          </DropdownMenu.Item>
        ) : null}
      </MoreMenu>
      {onEnd === undefined ? null : (
        <EndQuestion open={asks} onClose={() => setAsks(false)} returnTo={menu.trigger.ref} onConfirm={onEnd} />
      )}
    </>
  );
}
