import { DropdownMenu } from 'radix-ui';
import { MenuTick, MenuLabel } from '../../../ui/overlay/menu-item-parts.tsx';
import type { Captions } from './use-captions.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The caption items of a call's menu: transcribing the reader's speech, and showing others' captions. */
export function CaptionItems({ captions }: { captions: Captions }) {
  const { is_possible, is_on, switchOn, may_hide, is_shown, show } = captions;
  if (!may_hide) return null;
  return (
    <>
      {is_possible ? (
        <DropdownMenu.CheckboxItem className="menu-item" checked={is_on} onCheckedChange={switchOn}>
          <MenuTick />
          <MenuLabel
            label={i18n.t('Caption my speech')}
            detail={i18n.t('Everyone in the call sees the captions. They aren’t saved')}
          />
        </DropdownMenu.CheckboxItem>
      ) : null}
      <DropdownMenu.CheckboxItem className="menu-item" checked={is_shown} onCheckedChange={show}>
        <MenuTick />
        {i18n.t('Show captions')}
      </DropdownMenu.CheckboxItem>
      <DropdownMenu.Separator className="menu-line" />
    </>
  );
}
