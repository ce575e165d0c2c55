import { Fragment } from 'react';
import type { ReactNode } from 'react';

interface RichMessageProps {
  /** A message with markup: `Read the <terms>terms</terms>`. Parts cannot be nested. */
  text: string;
  /** Renders each part, by its name. A part without text gets an empty one. */
  parts: Readonly<Record<string, (words: string) => ReactNode>>;
}

const PART = /<(\w+)>(.*?)<\/\1>/gs;

/** A message in which some words are a link, a name or another element, wherever a translation puts them. */
export function RichMessage({ text, parts }: RichMessageProps) {
  const drawn: ReactNode[] = [];
  let at = 0;
  for (const found of text.matchAll(PART)) {
    const [whole, name = '', words = ''] = found;
    const draw = parts[name];
    if (draw === undefined) continue;
    drawn.push(text.slice(at, found.index), <Fragment key={found.index}>{draw(words)}</Fragment>);
    at = found.index + whole.length;
  }
  return (
    <>
      {drawn}
      {text.slice(at)}
    </>
  );
}
