/**
 * Draws every component that is shown anew, where it stands: a change of language must neither end a call nor empty a form, as
 * it would if the pages were taken away and made again.
 */
import { options } from 'preact';
import type { Component, VNode } from 'preact';

/** Preact's public hooks are given these; `__c`, the component of a node, keeps its name in all builds for such uses. */
type Drawn = VNode & { __c?: Component | null };

// oxlint-disable-next-line no-underscore-dangle -- the name is Preact's
const componentOf = (node: Drawn): Component | undefined => node.__c ?? undefined;

const shown = new Set<Component>();

/** Begins to note what is shown; called once, before the first component is drawn. */
export function watchComponents(): void {
  const { diffed, unmount } = options;
  options.diffed = (node) => {
    const component = componentOf(node);
    if (component) shown.add(component);
    diffed?.(node);
  };
  options.unmount = (node) => {
    const component = componentOf(node);
    if (component) shown.delete(component);
    unmount?.(node);
  };
}

/** Draws all of it anew. */
export function redraw(): void {
  for (const component of shown) component.forceUpdate();
}
