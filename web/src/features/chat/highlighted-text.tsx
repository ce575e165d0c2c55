import { Fragment } from 'react';
import { fold } from '../../ui/text/fold-text.ts';

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words, in which a word is matched anywhere. */
const UNSPACED = /[\u3040-\u30FF\u3400-\u9FFF]/;
/** How much of a long text is shown before the first match. */
const LEAD = 24;

/** Whether a text contains every word of a query, each as the start of a word. */
export function hasWords(text: string, asked: string): boolean {
  const words = fold(text).match(WORDS) ?? [];
  const wanted = fold(asked).match(WORDS) ?? [];
  return wanted.length > 0 && wanted.every((one) => words.some((word) => word.startsWith(one)));
}

/** A text with the matched words marked; a long text is cut to start a little before the first match. */
export function HighlightedText({ text, asked }: { text: string; asked: string }) {
  const wanted = fold(asked).match(WORDS) ?? [];
  const isFound = (word: string) =>
    wanted.some((one) => fold(word).startsWith(one) || (UNSPACED.test(one) && fold(word).includes(one)));
  const found = [...text.matchAll(WORDS)].filter(([word]) => isFound(word));
  const from = (found[0]?.index ?? 0) > 2 * LEAD ? text.indexOf(' ', (found[0]?.index ?? 0) - LEAD) + 1 : 0;
  let end = from;
  return (
    <>
      {from > 0 ? '…' : ''}
      {found.map(({ 0: word, index }) => {
        const before = text.slice(end, index);
        end = index + word.length;
        return (
          <Fragment key={index}>
            {before}
            <mark>{word}</mark>
          </Fragment>
        );
      })}
      {text.slice(end)}
    </>
  );
}
