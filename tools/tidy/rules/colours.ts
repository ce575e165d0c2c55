import type { Finding, Rule } from '../repository.ts';

/** A colour written out; one computed from a hue of its own, as of a person, is not. */
const COLOUR = /#[0-9a-fA-F]{3,8}\b|\brgba?\(\s*\d|\bhsla?\(\s*\d/g;
/** Where colours are defined: the tokens of the client, and two separate documents, at their beginning. */
const TOKENS = new Set(['web/src/styles/tokens.css', 'web/src/widget/frame.css', 'web/src/live-map/live-map.css']);
/** A selector by identifier, such as `#face`, is not a colour. */
const IS_SELECTOR = /^\s*#[a-z][\w-]*/;

export const colours: Rule = {
  name: 'colours',
  reason: 'Stylesheets of the client take colours from web/src/styles/tokens.css.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      path.startsWith('web/src/') && path.endsWith('.css') && !TOKENS.has(path)
        ? content.split('\n').flatMap((line, index): Finding[] => {
            const text = IS_SELECTOR.test(line) ? '' : line;
            return [...text.matchAll(COLOUR)].map(([colour]) => ({
              path,
              line: index + 1,
              text: `${colour} is no token`,
            }));
          })
        : [],
    ),
};
