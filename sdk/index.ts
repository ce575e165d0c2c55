export { createAsterism } from './client.ts';
export type { Asterism, AsterismOptions } from './client.ts';
export { ASTER_ARM, ASTER_TURNS, drawConstellation, shorten, SKY, skyColours } from './constellation.ts';
export type { Constellation, Star } from './constellation.ts';
export { chooseLanguage, chooseLocale, directionOf, formatMinutesFromNow, languageOf, languages } from './languages.ts';
export type { Language } from './languages.ts';
export { ApiError, NetworkError } from './errors.ts';
export type { ErrorCode } from './generated/error-codes.ts';
export { iterate } from './iterate.ts';
export type { Page, PageQuery } from './iterate.ts';
export type { Area, Input, OperationCalls, Operations, Reply, UploadProgress } from './operation-types.ts';
export { comparePositions } from './positions.ts';
export { RealtimeStream } from './realtime.ts';
export type { StreamGrant, StreamOptions, StreamSignals, StreamState } from './realtime.ts';
export type {
  Call,
  ChatMessage,
  DirectMessage,
  FollowRequest,
  MediaFile,
  Notification,
  Person,
  RealtimeData,
  RealtimeEvent,
  RealtimeType,
  Status,
  Tag,
  Thread,
} from './realtime-events.ts';
export { localTokenStore, memoryTokenStore } from './token-store.ts';
export type { TextStorage, TokenPair, TokenStore } from './token-store.ts';
