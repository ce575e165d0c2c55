import type { Call } from '@asterism/sdk';
import { useMutation } from '@tanstack/react-query';
import { Hand, Smile } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { moveFocusInRow } from '../../ui/overlay/move-focus-in-row.ts';
import { ownParticipant } from '../../data/queries/call-queries.ts';
import { Label } from './call-button.tsx';
import { useHand } from './hands/use-hand.ts';
import { useCallReader } from './state/call-reader.ts';
import { i18n } from '../../i18n/i18n.ts';

const listEmoji = () => [
  ['👍', i18n.t('Thumbs up')],
  ['❤️', i18n.t('Heart')],
  ['😂', i18n.t('Laugh')],
  ['👏', i18n.t('Applause')],
  ['🎉', i18n.t('Celebrate')],
  ['😮', i18n.t('Surprise')],
];

/** Raising a hand, and reactions. */
export function ReactMenu({ call }: { call: Call }) {
  const menu = useMenu();
  const { id, client } = useCallReader();
  const { join_code } = call;
  const hand = useHand(join_code);
  const raised = (ownParticipant(call, id)?.hand_raised_at ?? null) !== null;
  const react = useMutation({
    mutationFn: (emoji: string) => client.calls.sendCallReaction({ path: { join_code }, body: { emoji } }),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger
        {...menu.trigger}
        className="call-button"
        data-off={raised ? '' : undefined}
        aria-label={raised ? i18n.t('Hand raised') : undefined}
      >
        {raised ? <Hand aria-hidden="true" /> : <Smile aria-hidden="true" />}
        {raised ? <Label label={i18n.t('Hand raised')} short={i18n.t('Hand')} /> : <span>{i18n.t('React')}</span>}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...menu.content} className="menu" side="top" sideOffset={8} collisionPadding={12}>
          <DropdownMenu.Group className="react-row" onKeyDown={moveFocusInRow}>
            {listEmoji().map(([emoji = '', label]) => (
              <DropdownMenu.Item key={emoji} className="react-item" onSelect={() => react.mutate(emoji)}>
                <span aria-hidden="true">{emoji}</span>
                <span className="visually-hidden">{label}</span>
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Group>
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item
            className="menu-item"
            disabled={hand.isPending}
            onSelect={() => hand.mutate({ raised: !raised })}
          >
            <Hand aria-hidden="true" />
            {raised ? i18n.t('Lower hand') : i18n.t('Raise hand')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
