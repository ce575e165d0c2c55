export const homeKey = ['home'] as const;
