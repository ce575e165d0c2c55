/** The asterism ⁂ as three stars. */
export function StarMark() {
  return (
    <svg viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">
      <path d="M16 2l2 6.2 6.2 2-6.2 2L16 18.400l-2-6.200-6.200-2 6.200-2z" />
      <path d="M8 16.500l1.500 4.500 4.500 1.500-4.500 1.500L8 28.500 6.500 24 2 22.500 6.500 21z" />
      <path d="M24 16.500l1.500 4.500 4.500 1.500-4.500 1.500L24 28.500 22.500 24 18 22.500l4.500-1.500z" />
    </svg>
  );
}

/** A tag's name with its sigil. */
export function TagName({ name }: { name: string }) {
  return (
    <span className="tag-name">
      <span className="sigil">*</span>
      {name}
    </span>
  );
}
