/** The reading direction of the page, for key handlers and components that do not take it from the stylesheet. */
export const pageDirection = (): 'ltr' | 'rtl' => (document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr');
