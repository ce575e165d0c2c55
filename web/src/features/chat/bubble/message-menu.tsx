import { DropdownMenu } from 'radix-ui';
import { Suspense, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { MoreMenu } from '../../../ui/overlay/more-menu.tsx';
import type { useMenu } from '../../../ui/overlay/use-menu.ts';
import { EmojiPicker } from '../../emoji/lazy-picker.ts';
import { summarise } from '../formatting/summarise.ts';
import type { ShownMessage } from '../chat-message.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { QuickReactions } from './reactions.tsx';

/** The accessible name of a message. */
function nameMessage(message: ShownMessage): string {
  const text = summarise(message);
  return message.body === '' ? text.toLowerCase() : `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}

/** An action in a message's menu. */
export interface MessageAction {
  readonly label: string;
  readonly icon: ReactNode;
  /** @param returnTo the element that gets the focus back when a dialog that it opens is closed */
  readonly onSelect: (returnTo: RefObject<HTMLElement | null>) => void;
  /** Whether the action moves the focus elsewhere, so that it does not return to the menu's button. */
  readonly moves_focus?: boolean;
  /** Whether it replies, as a swipe and a double click do. */
  readonly is_reply?: boolean;
}

interface MenuProps {
  menu: ReturnType<typeof useMenu>;
  message: ShownMessage;
  actions: readonly MessageAction[];
  onReact: ((emoji: string | null) => void) | undefined;
}

/** The actions on a message, and its quick reactions. */
export function MessageMenu({ menu, message, actions, onReact }: MenuProps) {
  const is_moved = useRef(false);
  const [is_picking, setPicking] = useState(false);
  const pick = () => {
    is_moved.current = true;
    setPicking(true);
  };
  return (
    <>
      <MoreMenu
        menu={menu}
        label={i18n.t('More about {message}', { message: nameMessage(message) })}
        className="icon-button msg-menu"
        onCloseAutoFocus={(event) => {
          if (is_moved.current) event.preventDefault();
          is_moved.current = false;
        }}
      >
        {onReact === undefined ? null : <QuickReactions message={message} onReact={onReact} onMore={pick} />}
        {actions.map(({ label, icon, onSelect, moves_focus = false }) => (
          <DropdownMenu.Item
            key={label}
            className="menu-item"
            onSelect={() => {
              is_moved.current = moves_focus;
              onSelect(menu.trigger.ref);
            }}
          >
            {icon}
            {label}
          </DropdownMenu.Item>
        ))}
      </MoreMenu>
      {is_picking && onReact !== undefined ? (
        <Suspense fallback={null}>
          <EmojiPicker
            anchor={menu.trigger.ref}
            side="bottom"
            returnTo={menu.trigger.ref}
            onChoose={onReact}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
