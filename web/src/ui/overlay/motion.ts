/** The easing of everything that moves, of the stylesheets (`--out`), for animations by script. */
export const easingOut = (): string => getComputedStyle(document.documentElement).getPropertyValue('--out');
