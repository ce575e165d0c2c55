export const blocksKey = ['blocks'] as const;
export const mutesKey = ['mutes'] as const;
