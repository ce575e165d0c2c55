/** The emoji of a language, as the build packs them (`web/emoji/`). */
declare module 'virtual:emoji/*';
