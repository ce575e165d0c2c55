import { ArrowUpLeft, CornerDownLeft, Phone, Search, WandSparkles } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import type { CommandOption } from './command-options.ts';
import { i18n } from '../../i18n/i18n.ts';

function OptionIcon({ option }: { option: CommandOption }) {
  if (option.kind === 'tag') return <TagSky name={option.tag} size_px={32} />;
  if (option.kind === 'person') return <Avatar {...option.person.picture} size_px={32} />;
  const Icon = {
    run: CornerDownLeft,
    call: Phone,
    find: Search,
    type: option.kind === 'type' && option.is_correction ? WandSparkles : ArrowUpLeft,
  }[option.kind];
  return <Icon aria-hidden="true" className="icon" />;
}

interface CommandOptionsProps {
  id: string;
  options: readonly CommandOption[];
  chosen: number;
  typed: string;
  onTake: (option: CommandOption) => void;
}

/** The options to select with the arrow keys or a tap. */
export function CommandOptions({ id, options, chosen, typed, onTake }: CommandOptionsProps) {
  return (
    <div className="cmd-list" role="listbox" id={`${id}-list`} aria-label={i18n.t('What you can do')}>
      {options.map((option, at) => (
        <div
          key={
            option.kind === 'run'
              ? 'run'
              : option.kind === 'person'
                ? option.person.key
                : `${option.kind} ${option.title}`
          }
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          // Its effect is shown above in the preview, which indicates that it is selected.
          className={option.kind === 'run' ? 'visually-hidden' : 'row'}
          // The focus stays in the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(option)}
        >
          <OptionIcon option={option} />
          <span className="body">
            <b className="cut" dir="auto">
              {option.kind === 'run' ? i18n.t('Run: {text}', { text: typed.trim() }) : option.title}
            </b>
            {option.kind === 'run' ? null : (
              <span className="l2">
                <span className="cut" dir="auto">
                  {option.detail}
                </span>
              </span>
            )}
          </span>
        </div>
      ))}
    </div>
  );
}
