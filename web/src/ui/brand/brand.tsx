import { Aster } from './aster.tsx';

/** The name of the product with its star. */
export function Brand() {
  return (
    <span className="brand">
      <Aster />
      Asterism
    </span>
  );
}

/** A tag's name with its sigil. */
export function TagName({ name }: { name: string }) {
  return (
    <bdi className="tag-name">
      <span className="sigil">*</span>
      {name}
    </bdi>
  );
}
