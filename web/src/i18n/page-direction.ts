/** The direction in which the page is read, for keys and parts that do not take it from the stylesheet. */
export const pageDirection = (): 'ltr' | 'rtl' => (document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr');
