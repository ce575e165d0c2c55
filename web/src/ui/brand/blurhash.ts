const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~';

function decode83(text: string): number {
  return [...text].reduce((sum, digit) => sum * 83 + DIGITS.indexOf(digit), 0);
}

function toLinear(value: number): number {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function toSrgb(value: number): number {
  const part = Math.min(1, Math.max(0, value));
  return Math.round((part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055) * 255);
}

function signedSquare(value: number): number {
  return Math.sign(value) * value * value;
}

type Colour = readonly [number, number, number];

function readColours(hash: string, count: number): Colour[] {
  const max = (decode83(hash[1] ?? '0') + 1) / 166;
  const average = decode83(hash.slice(2, 6));
  const first: Colour = [toLinear(average >> 16), toLinear((average >> 8) & 255), toLinear(average & 255)];
  const others = Array.from({ length: count - 1 }, (_, index): Colour => {
    const value = decode83(hash.slice(6 + index * 2, 8 + index * 2));
    const part = (step: number) => signedSquare((step - 9) / 9) * max;
    return [part(Math.floor(value / 361)), part(Math.floor(value / 19) % 19), part(value % 19)];
  });
  return [first, ...others];
}

/**
 * Decodes a BlurHash into its blurred picture (github.com/woltapp/blurhash, Algorithm.md).
 * @returns RGBA bytes of width times height pixels, or undefined when the hash is invalid
 */
export function decodeBlurhash(
  hash: string,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> | undefined {
  const sizes = decode83(hash[0] ?? '');
  const [across, down] = [(sizes % 9) + 1, Math.floor(sizes / 9) + 1];
  if (sizes < 0 || hash.length !== 4 + 2 * across * down) return undefined;
  const colours = readColours(hash, across * down);
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const sum = [0, 0, 0];
      colours.forEach((colour, index) => {
        const wave =
          Math.cos((Math.PI * x * (index % across)) / width) *
          Math.cos((Math.PI * y * Math.floor(index / across)) / height);
        colour.forEach((part, channel) => (sum[channel] = (sum[channel] ?? 0) + part * wave));
      });
      pixels.set([...sum.map(toSrgb), 255], (y * width + x) * 4);
    }
  }
  return pixels;
}
