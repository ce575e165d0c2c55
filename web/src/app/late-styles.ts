/** Applies the style sheets that the page loaded beside its icon (`lateStyles` in `build/page.ts`), once they are here. */
export const applyLateStyles = (): Promise<unknown> =>
  Promise.all(
    Array.from(
      document.querySelectorAll<HTMLLinkElement>('link[media="not all"]'),
      (link) =>
        new Promise((resolve) => {
          // A page without its styles can still be read.
          for (const end of ['load', 'error']) link.addEventListener(end, resolve);
          if (link.sheet !== null) resolve(undefined);
          link.media = '';
        }),
    ),
  );
