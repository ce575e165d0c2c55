import { expect, it } from 'vitest';
import { keepPictures, moveAmong } from './keep-pictures.ts';
import type { LightboxPicture } from './pictures.ts';

const pictureOf = (id: string, at: string) =>
  ({ file: { id }, at, name: id, by: undefined }) as unknown as LightboxPicture;
const pictures = ['1', '2', '3', '4'].map((at) => pictureOf(`file_${at}`, at));
const [first, second, third, fourth] = pictures as [LightboxPicture, LightboxPicture, LightboxPicture, LightboxPicture];

it('pictures are deleted that no loaded message of their time has', () => {
  expect(keepPictures(pictures, pictures, '')).toEqual(pictures);
  expect(keepPictures(pictures, [second, fourth], '')).toEqual([second, fourth]);
  // What is older than the loaded messages is not known to be deleted.
  expect(keepPictures(pictures, [fourth], '3')).toEqual([first, second, fourth]);
  // The same file in another message does not replace it.
  expect(keepPictures([first], [pictureOf('file_1', '2')], '')).toEqual([]);
});

it('the next picture is shown in the place of a deleted one, or else the last', () => {
  const position = { pictures, index: 2, older_count: 2 };
  expect(moveAmong(position, [first, second, fourth])).toEqual({
    pictures: [first, second, fourth],
    index: 2,
    older_count: 2,
  });
  expect(moveAmong(position, [second, third])).toEqual({ pictures: [second, third], index: 1, older_count: 1 });
  expect(moveAmong({ ...position, index: 3 }, [first])).toEqual({ pictures: [first], index: 0, older_count: 1 });
});
