/** Limits on what a client may send or hold open, in one table. Services carry it, so that a test can shorten them. */
export const default_limits = {
  /** Chats that somebody keeps at the top of their list. */
  pinned_chats: 5,
  /** JSON bodies, in bytes. */
  json_bytes: 256 * 1024,
  /** Uploads unless the contract says less, in bytes. */
  upload_bytes: 25 * 1024 * 1024,
  /** The whole request must have arrived after this long (a slow body is cut). */
  request_timeout_ms: 60_000,
  /** The headers must have arrived after this long. */
  headers_timeout_ms: 10_000,
  /** How often connections are looked through for requests that are late. */
  late_check_ms: 1000,
  /** An idle connection is kept this long; longer than the usual minute of a proxy, so that the proxy closes first. */
  keep_alive_timeout_ms: 72_000,
  /** Connections open at once. */
  connections: 20_000,
  /** Of the descriptors that the system grants: kept free of connections, for the database, files and what is sent out. */
  descriptors_reserved: 200,
  /** Connections too many that are answered 503 at the same time, and how long they have to ask. */
  connections_refused: 64,
  refusal_ms: 250,
  /** Connections that may wait to be taken, if the system allows as many: one that finds no place tries again after a second. */
  connections_waiting: 4096,
  /** Sockets that connections are taken from: as many newcomers in each turn of the event loop. */
  sockets_listening: 32,
  /** How long a stop waits for requests and jobs that are under way. */
  drain_ms: 10_000,
  /** A connection that was idle for so long is closed by a stop; one that is used meanwhile is told to close with its answer. */
  drain_idle_ms: 500,
  /** How long a stop waits until whoever asks for readiness has been told, before no more connections are taken. */
  drain_notice_ms: 3000,
  /** How long a websocket may take to answer that it is closed by a stop. */
  drain_close_ms: 1000,
  /** A websocket frame from a client, in bytes. */
  realtime_frame_bytes: 16 * 1024,
  /** Frames that a client may send on a websocket: in a second, and at once. More, and it is closed. */
  realtime_frames_per_second: 10,
  realtime_frames_burst: 100,
  /** Websockets and event streams of one account on one node; a further one is refused. */
  realtime_lines_per_account: 50,
  /** The same of one guest, of a widget or a call, of whom one address can become many. */
  realtime_lines_per_guest: 5,
  /** What may wait unsent for a slow reader before it is cut, in bytes; it can resume. */
  realtime_backlog_bytes: 1024 * 1024,
  /** How long a reader who is being caught up may take nothing of what waits for it, before it is cut. */
  realtime_stall_ms: 20_000,
  /** Events replayed at one resume, more means `reset`; and events held back for a reader who is being caught up. */
  realtime_replay: 5000,
  /** How often a socket is asked whether it still lives. */
  realtime_ping_ms: 25_000,
  /** How long a socket may wait before its first frame, and before it answers that it is closed. */
  realtime_hello_ms: 10_000,
  /** Requests that are under way at once, those in slow work beside the database (hashing, uploads, other services) among them. */
  requests_running: 128,
  /** Those of them that are worked on; more than a few for each connection of the database only wait for it. */
  requests_working: 32,
  /** How few that may become while turns of the event loop take longer than `request_turn_ms`. */
  requests_working_least: 2,
  request_turn_ms: 2.5,
  /** Requests that wait in front of these, and for how long; beyond, they are refused with 503 and `Retry-After`. */
  requests_waiting: 128,
  request_wait_ms: 1000,
  /** Once the queue was full, whoever has waited in it for so long is refused. */
  request_burst_ms: 10,
  /** After a refusal none begins to wait for so long: what does not find room at once is refused at once. */
  request_overload_ms: 100,
  /** How long a connection to the database may be waited for. */
  database_connection_ms: 3000,
  /** How long one statement may take. */
  database_statement_ms: 15_000,
  /** How often the database is asked whether it answers, beside all else. */
  database_watch_ms: 1000,
  /** An answer to that which takes longer means that it stands still: requests are refused with 503 until it answers. */
  database_stalled_ms: 1500,
  /** After so long what still waits for it is given up. */
  database_given_up_ms: 5000,
  /** How long the database may take to answer whoever asks for readiness. */
  readiness_ms: 1000,
  /** Hashes of passwords at once, and waiting. */
  hashing_running: 2,
  hashing_waiting: 32,
  /** Uploads under way at once, in all and of one account: each may hold `upload_bytes` in memory. */
  uploads_running: 24,
  uploads_per_account: 6,
  /** Processes that decode uploads, how many of them work for one account at once, and uploads that wait for one. */
  decoding_running: 2,
  decoding_per_account: 1,
  decoding_waiting: 24,
  /** What decoding one upload may take: time, heap of JavaScript, and memory of its process in all. */
  decoding_ms: 15_000,
  decoding_heap_mb: 256,
  decoding_memory_mb: 1280,
  /** A decoder process that holds more after its work is replaced, in MB. */
  decoding_kept_mb: 320,
  /** How long sound is decoded for its waveform, which it goes without when that takes longer. */
  decoding_waveform_ms: 5000,
  /** How long a decoder process may take to start, and is kept without work. */
  decoding_start_ms: 20_000,
  decoding_idle_ms: 60_000,
  /** What one run of ffmpeg over an upload may take: time, and address space in KiB. */
  transcoding_ms: 20_000,
  transcoding_memory_kib: 2_000_000,
  /** Pixels that a picture may unpack to, more than any camera's. */
  picture_pixels: 50_000_000,
  /** Handles of other messengers that one account lists. */
  im_identities: 20,
  /** Contacts in one address book. */
  contacts: 50_000,
  /** A file of contacts: bytes, contacts, columns of a table or properties of a card, characters of one value, and values in all. */
  import_bytes: 5 * 1024 * 1024,
  import_rows: 10_000,
  import_columns: 500,
  import_value_length: 256 * 1024,
  import_values: 100_000,
  /** Contacts that an import reads or writes with one statement. */
  import_portion: 500,
  /** Previews of imports that one account has open at once. */
  import_previews: 3,

  // Lists in answers: each has its bound here, so that nothing that one account makes grows an answer without end.

  /** Items of one page of a list. */
  page_items: 100,
  /** Names in one text that become mentions. */
  mentions: 20,
  /** What a status said before: the original and the latest, in all; and the same in a list of statuses. */
  status_edits: 20,
  status_edits_listed: 3,
  /** What a message said before: the original and the latest, in all; and how long after it was written it can be changed. */
  message_edits: 20,
  message_edit_s: 15 * 60,
  /** Files of one status, of one direct message and of one tag. */
  status_media: 10,
  message_media: 10,
  tag_media: 50,
  /** Statuses that a profile shows. */
  profile_statuses: 10,
  /** Numbers, addresses and handles of one contact, each; and what is told to be wrong with one row of an import. */
  contact_values: 20,
  import_row_errors: 20,
  /** People whom one account selects to see its position. */
  location_viewers: 100,
  /** Contacts in one group, and those of them that a list of groups shows. */
  group_members: 100,
  group_members_listed: 8,
  /** Origins whose pages may embed one widget. */
  widget_origins: 20,
  /** Guests of one widget in calls at once. */
  widget_calls: 3,
  /** Tags of one owner, on the largest plan. */
  tags: 50,
  /** Places of a grid, on the largest plan. */
  grid_members: 16,
  /** People and phones that one call takes in, from its beginning to its end; and those that the history of calls shows. */
  call_participants: 200,
  history_participants: 50,
  /** People and phones that one request calls; and guests who wait at once to be let into a call by its link. */
  call_targets: 49,
  call_guests_waiting: 20,
  /** People whom a lasting room shows to be in its call. */
  room_people_shown: 20,
  /** Tags and shared groups that the page of a person names. */
  person_tags: 50,
  person_groups: 20,
  /** Connected viewers who are told of one position; and those nearest to a place who are looked at. */
  location_live_viewers: 5000,
  location_nearby: 1000,
  /** Chapters and files of one recording. */
  recording_chapters: 999,
  recording_tracks: 100,
  /** Points of a waveform. */
  waveform_points: 100,
  /** Media servers' addresses in a grant, and the addresses of each. */
  ice_servers: 10,
  /** Identifiers in one event. */
  event_ids: 500,
  /** Sessions of one account: a further sign-in ends the one that was used longest ago. */
  sessions: 100,
  /** A text that goes to a phone: four short messages of the smallest alphabet. */
  sms_characters: 600,
  /** Events of one calendar, those of them that recur, and events that are shared with one person. */
  events: 10_000,
  recurring_events: 1000,
  shared_events: 1000,
  /** Occurrences of one event in an answer, and days or times that one look at its rule may try, some milliseconds of work. */
  event_occurrences: 1000,
  recurrence_steps: 30_000,
  /** The same for all events of a window together; and occurrences of a page, which ends early rather than hold more. */
  window_steps: 300_000,
  window_occurrences: 10_000,
  /** Exceptions, guests and reminders of one event. */
  event_exdates: 500,
  event_guests: 50,
  event_reminders: 5,
  /** The longest window of a calendar, in days, and the events of one feed. */
  calendar_window_days: 400,
  feed_events: 5000,
  /** How long a deleted event is told to devices that sync, in days. */
  calendar_tombstone_days: 90,
  /** Tags that one account follows or has asked to follow. */
  follows: 10_000,
} as const;

export type Limits = { [Name in keyof typeof default_limits]: number };
