import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { Captions } from './use-captions.ts';
import { i18n } from '../../../i18n/i18n.ts';

const Tick = () => (
  <span className="tick">
    <DropdownMenu.ItemIndicator>
      <Check aria-hidden="true" />
    </DropdownMenu.ItemIndicator>
  </span>
);

/** What of the menu of a call is about captions: the reader's own words, and whether they see those of others. */
export function CaptionItems({ captions }: { captions: Captions }) {
  const { is_possible, is_on, switchOn, is_shown, show } = captions;
  if (!is_possible) return null;
  return (
    <>
      <DropdownMenu.CheckboxItem className="menu-item" checked={is_on} onCheckedChange={switchOn}>
        <Tick />
        <span>
          {i18n.t('Caption what I say')}
          <br />
          <span className="soft small">{i18n.t('Everyone in the call reads it. It is not saved')}</span>
        </span>
      </DropdownMenu.CheckboxItem>
      <DropdownMenu.CheckboxItem className="menu-item" checked={is_shown} onCheckedChange={show}>
        <Tick />
        {i18n.t('Show captions')}
      </DropdownMenu.CheckboxItem>
      <DropdownMenu.Separator className="menu-line" />
    </>
  );
}
