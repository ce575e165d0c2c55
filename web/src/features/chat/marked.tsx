import { Fragment } from 'react';

/** Text as the service compares it: without case and accents. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase();

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words, in which a word is found anywhere. */
const UNSPACED = /[\u3040-\u30FF\u3400-\u9FFF]/;
/** How much of a long text stands before the first word that was found. */
const LEAD = 24;

/** Whether a text has every word that was asked for, or one that begins with it. */
export function hasWords(text: string, asked: string): boolean {
  const words = fold(text).match(WORDS) ?? [];
  const wanted = fold(asked).match(WORDS) ?? [];
  return wanted.length > 0 && wanted.every((one) => words.some((word) => word.startsWith(one)));
}

/** A text with the words in it that were searched for; a long one begins a little before the first of them. */
export function Marked({ text, asked }: { text: string; asked: string }) {
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
