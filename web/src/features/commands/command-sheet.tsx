import { useLocation } from '@tanstack/react-router';
import { Dialog as Parts } from 'radix-ui';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { Aster } from '../../ui/brand/aster.tsx';
import { restoreFocus } from '../../ui/overlay/dismiss/restore-focus.ts';
import './commands.css';
import { CommandOptions } from './options-list.tsx';
import { Preview } from './preview.tsx';
import { useCommandBar } from './use-command-bar.ts';
import { VoiceButton } from './voice-button.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { animateLeave } from '../../ui/overlay/dismiss/animate-leave.ts';
import { i18n } from '../../i18n/i18n.ts';

interface LineProps {
  id: string;
  input: RefObject<HTMLInputElement | null>;
  bar: ReturnType<typeof useCommandBar>;
  children: ReactNode;
}

/** The input; the arrow keys select from the list below while the focus stays here. */
function Line({ id, input, bar, children }: LineProps) {
  const { typed, type, chosen, setChosen, options, take, is_asking } = bar;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[chosen];
    if (step !== undefined && options.length > 0) setChosen((chosen + step + options.length) % options.length);
    else if (event.key === 'Enter') {
      // The meaning of a sentence arrives a moment after it is typed: until then Enter would select something else.
      if (option && !(is_asking && chosen === 0 && typed.trim().includes(' '))) take(option);
    } else if (event.key === 'Tab' && !event.shiftKey && option?.kind === 'type') take(option);
    else return;
    event.preventDefault();
  };
  return (
    <div className="cmd-q">
      <Aster />
      <input
        ref={input}
        role="combobox"
        aria-label={i18n.t('Search or ask')}
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length > 0 ? `${id}-${chosen}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        maxLength={MAX_LENGTH.command}
        placeholder={i18n.t('Search or ask')}
        value={typed}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {children}
    </div>
  );
}

function Foot({ does }: { does: boolean }) {
  return (
    <footer className="cmd-foot">
      <span>
        <kbd>↵</kbd> {does ? i18n.t('Run') : i18n.t('Choose')}
      </span>
      <span>
        <kbd>↓</kbd> {i18n.t('Next')}
      </span>
      <Parts.Close className="cmd-close">
        <kbd>Esc</kbd> {i18n.t('Close')}
      </Parts.Close>
    </footer>
  );
}

/** The command bar: it interprets the typed text, previews the effect, and runs it only after confirmation. */
export function CommandSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<HTMLElement>(null);
  const bar = useCommandBar(onClose);
  // The call page is dark in both themes, and so is everything that opens over it.
  const is_in_call = useLocation({ select: ({ pathname }) => pathname.startsWith('/call/') });
  const { typed, type, chosen, options, take, asked, run, problem } = bar;
  const [voice_problem, setVoiceProblem] = useState<string>();
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  const onHeard = (text: string) => {
    setVoiceProblem(text === '' ? i18n.t('We couldn’t hear anything. Try again, a little louder.') : undefined);
    if (text !== '') type(text);
    input.current?.focus();
  };
  return (
    <Parts.Root open={open} onOpenChange={(is_open) => (is_open ? undefined : onClose())}>
      <Parts.Portal>
        <Parts.Overlay ref={animateLeave} className="scrim" />
        <Parts.Content
          ref={animateLeave}
          className={is_in_call ? 'cmd night' : 'cmd'}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
            event.preventDefault();
            input.current?.focus();
            input.current?.select();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus(before.current);
          }}
        >
          <Parts.Title className="visually-hidden">{i18n.t('Search or ask')}</Parts.Title>
          <Line id={id} input={input} bar={bar}>
            <VoiceButton onHeard={onHeard} onProblem={setVoiceProblem} />
          </Line>
          <Preview
            understood={asked}
            problem={voice_problem ?? problem}
            is_chosen={options[chosen]?.kind === 'run'}
            is_running={run.isPending}
            onRun={() => take({ kind: 'run' })}
          />
          <CommandOptions id={id} options={options} chosen={chosen} typed={typed} onTake={take} />
          <Foot does={options[chosen]?.kind === 'run'} />
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  );
}
