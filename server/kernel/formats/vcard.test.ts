import { describe, expect, it } from 'vitest';
import { readCards } from './vcard.ts';

const cardsOf = (text: string) => [...readCards(text.trim().replaceAll('\n', '\r\n'))];

describe('readCards', () => {
  it('reads names, groups, parameters, escapes, folded lines and structured values', () => {
    const [card] = cardsOf(`
BEGIN:VCARD
VERSION:3.0
N:Example;Dora;;Dr.;
FN:Dora\\, Example
item1.TEL;TYPE=CELL,VOICE:+1 415
 5550199
NOTE:one\\ntwo
PHOTO;ENCODING=b;TYPE=JPEG:AAAA
 BBBB
END:VCARD`);
    expect(card).toEqual({
      version: '3.0',
      photo: 'AAAABBBB',
      properties: [
        { name: 'n', group: undefined, params: {}, values: ['Example', 'Dora', '', 'Dr.', ''] },
        { name: 'fn', group: undefined, params: {}, values: ['Dora, Example'] },
        { name: 'tel', group: 'item1', params: { type: ['CELL', 'VOICE'] }, values: ['+1 4155550199'] },
        { name: 'note', group: undefined, params: {}, values: ['one\ntwo'] },
      ].map((property) => expect.objectContaining(property)),
    });
    expect(card?.properties).toHaveLength(4);
  });

  it('skips an invalid line, and reads the rest of the card and the cards after it', () => {
    const cards = cardsOf(`
begin:vcard
VERSION:4.0
FN:Sam
TEL;a;b:2
nothing
EMAIL:sam@example.org
end:vcard
between
BEGIN:VCARD
VERSION:4.0
FN:Eve
END:VCARD`);
    expect(cards.map(({ properties }) => properties.map(({ name }) => name))).toEqual([['fn', 'email'], ['fn']]);
  });

  it('reads only the version of cards of other versions', () => {
    expect(cardsOf('BEGIN:VCARD\nVERSION:2.1\nFN:Old\nEND:VCARD\nBEGIN:VCARD\nFN:None\nEND:VCARD')).toEqual([
      { version: '2.1', properties: [], photo: '' },
      { version: '', properties: [], photo: '' },
    ]);
  });

  it('ignores an incomplete card', () => {
    expect(cardsOf('BEGIN:VCARD\nVERSION:4.0\nFN:Half')).toEqual([]);
  });
});
