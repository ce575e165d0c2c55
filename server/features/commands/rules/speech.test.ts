import { describe, expect, it } from 'vitest';
import { compileCommands } from './forms.ts';
import { commands } from './grammar.ts';
import { phrasesOf, toTyped } from './speech.ts';

describe('Transcribed speech', () => {
  it.each([
    ['follow star jazz.', 'follow *jazz'],
    ['remind me to stretch at five p m', 'remind me to stretch at five pm'],
    ['text anna colon on my way', 'text anna: on my way'],
    ['  hang   up ', 'hang up'],
  ])('"%s" is converted to "%s"', (transcript, typed) => {
    expect(toTyped(transcript)).toBe(typed);
  });

  it('is recognised with the words and examples of the grammar as hints', () => {
    expect(phrasesOf(compileCommands(commands))).toEqual(expect.arrayContaining(['remind', 'hang up', 'call *jazz']));
  });
});
