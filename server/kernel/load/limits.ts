/** The table of limits on what clients may send or hold open. Services carry it, so that a test can lower them. */
export const default_limits = {
  /** Pinned chats of one account. */
  pinned_chats: 5,
  /** Pinned messages of one chat. */
  pinned_messages: 50,
  /** JSON bodies, in bytes. */
  json_bytes: 256 * 1024,
  /** Uploads by default, in bytes. */
  upload_bytes: 25 * 1024 * 1024,
  /** The answer of an outside provider, in bytes: SMS, calls, pushes, speech, payment, and errors of file storage. A longer one counts as an outage. */
  provider_answer_bytes: 1024 * 1024,
  /** The answer of a LiveKit server to one request, in bytes: at most the participants of one room, some 4 kB each. */
  media_answer_bytes: 8 * 1024 * 1024,
  /** What is read of the answer of a browser's push service, whose address is user input, in bytes; the rest is cut off. */
  push_answer_bytes: 16 * 1024,
  /** Time limit for receiving a whole request; a slower body is cut off. */
  request_timeout_ms: 60_000,
  /** After this time, the session of a request is checked again before it has an effect. */
  admission_ms: 500,
  /** Time limit for receiving the headers. */
  headers_timeout_ms: 10_000,
  /** The interval of the check for late requests. */
  late_check_ms: 1000,
  /** Keep-alive time of an idle connection; longer than the usual minute of a proxy, so that the proxy closes first. */
  keep_alive_timeout_ms: 72_000,
  /** Open connections. */
  connections: 20_000,
  /** File descriptors reserved for the database, files and outgoing requests. */
  descriptors_reserved: 200,
  /** Connections above the limit that get a 503 at the same time, and how long they have to send their request. */
  connections_refused: 64,
  refusal_ms: 250,
  /** The accept backlog, if the system allows as many: a client that finds it full retries after a second. */
  connections_waiting: 4096,
  /** Listening sockets: as many new connections are accepted in each turn of the event loop. */
  sockets_listening: 32,
  /** How long a shutdown waits for running requests and jobs. */
  drain_ms: 10_000,
  /** How long a connection must be idle to be closed at shutdown; a busy one is told to close with its answer. */
  drain_idle_ms: 500,
  /** How long a shutdown waits until readiness probes have seen it, before connections are refused. */
  drain_notice_ms: 3000,
  /** How long a websocket may take to answer the close frame at shutdown. */
  drain_close_ms: 1000,
  /** A websocket frame from a client, in bytes. */
  realtime_frame_bytes: 16 * 1024,
  /** Frames that a client may send on a websocket: per second, and in a burst. Above that it is closed. */
  realtime_frames_per_second: 10,
  realtime_frames_burst: 100,
  /** Websocket frames of a phone's audio per second; a carrier sends 50. */
  phone_frames_per_second: 200,
  phone_frames_burst: 400,
  /** Websockets and event streams of one account on one node; further ones are refused. */
  realtime_connections_per_account: 50,
  /** Concurrent streams of one guest; fewer than of an account, since one address can become many guests. */
  realtime_connections_per_guest: 5,
  /** Unsent bytes for a slow receiver before it is disconnected; it can resume. */
  realtime_backlog_bytes: 1024 * 1024,
  /** How long a receiver that is catching up may read nothing before it is disconnected. */
  realtime_stall_ms: 20_000,
  /**
   * Events replayed at one resume, above which the client gets `reset`; also the events held back while a receiver
   * catches up.
   */
  realtime_replay: 5000,
  /** Full replays of one account on one node, in a burst and per minute; above that `reset`. */
  realtime_replays_burst: 20,
  realtime_replays_per_minute: 2,
  /** The interval of websocket pings. */
  realtime_ping_ms: 25_000,
  /** How long a websocket may take to send its first frame, and to answer a close frame. */
  realtime_hello_ms: 10_000,
  /** Requests in progress, including those in slow work beside the database (hashing, uploads, other services). */
  requests_running: 128,
  /** Requests being worked on; more than a few per database connection would only wait for one. */
  requests_working: 32,
  /** The minimum to which that number falls while turns of the event loop take longer than `request_turn_ms`. */
  requests_working_min: 2,
  request_turn_ms: 2.5,
  /** Requests in the queue, of which one network may have a third, and how long they may wait; beyond either they get 503. */
  requests_waiting: 384,
  request_wait_ms: 1000,
  /** How long a request may wait once the queue was full; then it is refused. */
  request_burst_ms: 10,
  /** How long after a refusal nothing is queued of its network, or of all once those of as many were refused. */
  request_overload_ms: 100,
  request_overload_networks: 8,
  /** Refusals of an overloaded node per second: further ones are held, for up to this time and up to this number. */
  refusals_per_second: 2000,
  refusal_held_ms: 1000,
  refusals_held: 8192,
  /** How many times the rate budget of an IPv6 /64 network all networks of a /56 have together, and of a /48. */
  budget_of_56: 2,
  budget_of_48: 4,
  /** Requests of one connection that wait for an answer; above that it is closed. Clients and proxies send one at a time. */
  connection_requests: 16,
  /**
   * Changes of one account that run at once, fewer than the connections to the database; and changes that wait, of which
   * one account may have half.
   */
  changes_per_account: 4,
  changes_waiting: 192,
  /** Requests for public pages that run at once, in all and of one network; and those that wait. */
  pages_running: 16,
  pages_per_network: 4,
  pages_waiting: 128,
  /** Time limit for getting a database connection. */
  database_connection_ms: 3000,
  /** Time limit of one statement. */
  database_statement_ms: 15_000,
  /** How long a transaction may send nothing before the database ends it: it would hold up everybody's events. */
  database_idle_ms: 10_000,
  /** The interval of the database health check. */
  database_watch_ms: 1000,
  /** A health check that takes longer means that the database hangs: requests are refused with 503 until it answers. */
  database_stalled_ms: 1500,
  /** How long the database may hang until everything that waits for it fails. */
  database_given_up_ms: 5000,
  /** Time limit of the database check in a readiness probe. */
  readiness_ms: 1000,
  /** Password hashes computed at once, and waiting: one network may have half, and half of fewer once it was refused. */
  hashing_running: 2,
  hashing_waiting: 64,
  hashing_waiting_overloaded: 16,
  /** How long a hash may wait: where they take long, fewer than 64 wait, but 16 in any case. */
  hashing_wait_ms: 600,
  /** Memory and passes of one hash (argon2id; OWASP Password Storage Cheat Sheet). */
  hashing_memory_kib: 19_456,
  hashing_passes: 2,
  /** Concurrent uploads, in all and of one account: each may hold `upload_bytes` in memory. */
  uploads_running: 24,
  uploads_per_account: 6,
  /** Decoder processes, how many of them may work for one account, and the uploads waiting for one. */
  decoding_running: 2,
  decoding_per_account: 1,
  decoding_waiting: 24,
  /** Limits of decoding one upload: time, JavaScript heap, and total memory of the process. */
  decoding_ms: 15_000,
  decoding_heap_mb: 256,
  decoding_memory_mb: 1280,
  /** A decoder process that holds more memory after a task is replaced, in MB. */
  decoding_kept_mb: 320,
  /** The process that cuts map tiles: the memory that it may keep for the next one, in MB, and tiles waiting for it. */
  map_kept_mb: 640,
  map_waiting: 512,
  /** Time limit for decoding audio for its waveform; beyond it there is none. */
  decoding_waveform_ms: 5000,
  /** How long a decoder process may take to start, and is kept while idle. */
  decoding_start_ms: 20_000,
  decoding_idle_ms: 60_000,
  /** Limits of one run of ffmpeg on an upload: time, and address space in KiB. */
  transcoding_ms: 20_000,
  transcoding_memory_kib: 2_000_000,
  /** The most that a second of a recording adds to the storage of its owner, in bytes: one video of all participants. */
  recording_bytes_per_second: 200_000,
  /** The space that a recording leaves on its disk, besides that for copies of itself: it is composed, then stored. */
  recording_disk_bytes: 512 * 1024 * 1024,
  recording_copies: 3,
  /** Recordings that a node mixes, and composes into videos, at once; and of one account. The others wait in turn. */
  mixing_running: 1,
  composing_running: 1,
  making_per_account: 1,
  /** Pixels of a decoded picture, more than any camera's. */
  picture_pixels: 50_000_000,
  /** Instant-messenger handles of one account. */
  im_identities: 20,
  /** Contacts of one address book. */
  contacts: 50_000,
  /**
   * A contact file: bytes, contacts, columns of a table or properties of a card, characters of one value, and values in
   * all.
   */
  import_bytes: 5 * 1024 * 1024,
  import_rows: 10_000,
  import_columns: 500,
  import_value_length: 256 * 1024,
  import_values: 100_000,
  /** Contacts that an import reads or writes in one statement. */
  import_portion: 500,
  /**
   * Contacts that the imports of one account, which can be rolled back, have created or changed together: each import
   * stores the previous versions. The oldest imports are deleted.
   */
  import_undo: 200_000,
  /** Open import previews of one account. */
  import_previews: 3,

  /** Large answers that are stored under the idempotency keys of one account; the oldest are deleted. */
  idempotency_bytes: 32 * 1024 * 1024,

  // Lists in answers: each has a limit here, so that no account can make an answer grow without bound.

  /** Items of one page. */
  page_items: 100,
  /** Names in one text that become mentions. */
  mentions: 20,
  /** Earlier versions of a status: in all, the original and the latest; and the number shown in a list of statuses. */
  status_edits: 20,
  status_edits_listed: 3,
  /** Acts of one person in one notification of another, such as mentions and replies: the newest. */
  notification_acts: 100,
  /** Earlier versions of a message: the original and the latest; and how long after it was sent it can be edited. */
  message_edits: 20,
  message_edit_s: 15 * 60,
  /** Files of one status, of one direct message and of one tag. */
  status_media: 10,
  message_media: 10,
  tag_media: 50,
  /** Former names of an account's tags that stay reserved: as many as the largest plan has tags. */
  held_tag_names: 50,
  /** Statuses shown on a profile. */
  profile_statuses: 10,
  /** Numbers, addresses and handles of one contact, each; and errors reported for one row of an import. */
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
  /** Participants of one call over its lifetime; and those shown in the call history. */
  call_participants: 200,
  history_participants: 50,
  /** People and phones called by one request; guests waiting for admission to a call, and those of one network. */
  call_targets: 49,
  call_guests_waiting: 20,
  call_guests_of_network: 8,
  /** Participants shown for the call of a lasting room. */
  room_people_shown: 20,
  /** Tags and shared groups shown on a person's page. */
  person_tags: 50,
  person_groups: 20,
  /** Connected viewers who are sent one position; and the nearest viewers to a place who are considered. */
  location_live_viewers: 5000,
  location_nearby: 1000,
  /** The interval of position reports of a client, and of their delivery to others, in seconds. */
  location_report_s: 5,
  /** Chapters and files of one recording. */
  recording_chapters: 999,
  recording_tracks: 100,
  /** The duration of audio and video that is transcribed on request, in seconds. */
  transcript_s: 300,
  /** Points of a waveform. */
  waveform_points: 100,
  /** ICE servers in a grant, and addresses of each. */
  ice_servers: 10,
  /** Identifiers in one event. */
  event_ids: 500,
  /** Sessions of one account: a new sign-in ends the least recently used. */
  sessions: 100,
  /** A text sent by SMS: four short messages of the smallest alphabet. */
  sms_characters: 600,
  /** Events of one calendar, recurring events among them, and events shared with one person. */
  events: 10_000,
  recurring_events: 1000,
  shared_events: 1000,
  /**
   * Occurrences of one event in an answer, and days or times that one expansion of its rule may try, which takes some
   * milliseconds.
   */
  event_occurrences: 1000,
  recurrence_steps: 30_000,
  /**
   * Days or times that the expansion of all events of a window may try together, and occurrences of a page, which ends
   * early rather than hold more.
   */
  window_steps: 300_000,
  window_occurrences: 10_000,
  /** Days or times that the expansion of all events of a feed may try together; only those near clock changes need any. */
  feed_steps: 300_000,
  /** Exceptions, guests and reminders of one event. */
  event_exdates: 500,
  event_guests: 50,
  event_reminders: 5,
  /** The longest calendar window, in days, and the events of one feed. */
  calendar_window_days: 400,
  feed_events: 5000,
  /** Feeds that are written at once, and that wait for it. */
  feeds_running: 2,
  feeds_waiting: 100,
  /** How long a deleted event is reported to syncing devices, in days. */
  calendar_tombstone_days: 90,
  /** Tags that one account follows or has requested to follow. */
  follows: 10_000,
} as const;

/** The value of each limit; tests set others. */
export type Limits = { [Name in keyof typeof default_limits]: number };
