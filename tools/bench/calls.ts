/**
 * Measures the costs of calls: the whole lifecycle of a call through the API, beside a floor that runs the same SQL;
 * the delay until the callee rings; and the delay from the answer to the first audio. Called by npm run bench; `npm run
 * bench -- calls` measures only this.
 */
import { once } from 'node:events';
import { Agent } from 'node:http';
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  dispose,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  type Track,
} from '@livekit/rtc-node';
import { WebSocket } from 'ws';
import { ask, cpuOf, cpuOfDatabase, median, percentile, type Ask } from './measure.ts';
import { startFloor, stop, type BenchRun, type Child, type Person } from './subjects.ts';

const calls_count = 200;
const at_once = 8;
const rounds = 3;
const rings_count = 60;
const talks_count = 15;
const sample_rate = 48_000;

const figures = (times_ms: number[]) =>
  `median ${median(times_ms).toFixed(1)} ms, p99 ${percentile(times_ms, 0.99).toFixed(1)} ms`;

async function succeed(port: number, agent: Agent, next: Ask) {
  const [status, text] = await ask(port, agent, next);
  if (status > 299) throw new Error(`${next.method} ${next.path} had status ${status}: ${text.slice(0, 200)}`);
  return (text === '' ? {} : JSON.parse(text)) as {
    conference_id: string;
    join_code: string;
    url: string;
    token: string;
  };
}

/** Two people start a call, both join, and it is ended: four requests. */
async function liveCall(port: number, agent: Agent, host: Person, guest: Person): Promise<void> {
  const to = JSON.stringify({ to: [{ user_id: guest.id }] });
  const call = await succeed(port, agent, { method: 'POST', path: '/v1/calls', token: host.token, body: to });
  for (const { token } of [host, guest])
    await succeed(port, agent, { method: 'POST', path: `/v1/calls/${call.join_code}/sfu-grant`, token, body: '{}' });
  await succeed(port, agent, { method: 'DELETE', path: '/v1/calls/active', token: host.token });
}

/** Requests per second of CPU time, of the child and the database together, over many calls of two. */
async function callsPerCpuSecond(run: BenchRun, { pid, port }: Child, pairs: [Person, Person][]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: at_once });
  const used_ms = () => cpuOf(pid) + cpuOfDatabase(run.postmaster);
  const before_ms = used_ms();
  // Each pair makes one call after the other, since nobody can be in two.
  const work = async ([host, guest]: [Person, Person]) => {
    for (let at = 0; at < calls_count / pairs.length; at++) await liveCall(port, agent, host, guest);
  };
  await Promise.all(pairs.map(work));
  agent.destroy();
  return (calls_count * 4 * 1000) / (used_ms() - before_ms);
}

/** The delays from `POST /calls` to the ring event on the callee's socket. */
async function ringDelays({ service, people }: BenchRun): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const [host, guest] = people.slice(-2) as [Person, Person];
  const grant = await succeed(service.port, agent, {
    method: 'POST',
    path: '/v1/realtime/grant',
    token: guest.token,
    body: '{}',
  });
  const socket = new WebSocket(`ws://127.0.0.1:${service.port}/v1/realtime/socket`, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'resume', token: grant.token }));
  await once(socket, 'message');
  const times_ms: number[] = [];
  for (let at = 0; at < rings_count; at++) {
    const rung = new Promise<number>((resolve) => {
      const hear = (data: Buffer) => {
        if (!data.includes('"call.ringing"')) return;
        socket.off('message', hear);
        resolve(performance.now());
      };
      socket.on('message', hear);
    });
    const begun_ms = performance.now();
    const body = JSON.stringify({ to: [{ user_id: guest.id }] });
    await succeed(service.port, agent, { method: 'POST', path: '/v1/calls', token: host.token, body });
    times_ms.push((await rung) - begun_ms);
    await succeed(service.port, agent, { method: 'DELETE', path: '/v1/calls/active', token: host.token });
  }
  socket.terminate();
  agent.destroy();
  return times_ms;
}

/** Publishes a tone to a room. @returns a function that stops it */
async function playTone(room: Room): Promise<() => Promise<void>> {
  const source = new AudioSource(sample_rate, 1);
  const options = new TrackPublishOptions();
  options.source = TrackSource.SOURCE_MICROPHONE;
  await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('tone', source), options);
  const player = { playing: true };
  const playing = (async () => {
    for (let phase = 0; player.playing;) {
      const frame = AudioFrame.create(sample_rate, 1, sample_rate / 50);
      for (let at = 0; at < frame.data.length; at++, phase++)
        frame.data[at] = Math.round(12_000 * Math.sin((2 * Math.PI * 440 * phase) / sample_rate));
      await source.captureFrame(frame);
    }
  })();
  return async () => {
    player.playing = false;
    await playing.catch(() => undefined);
  };
}

/** The time of the first audio frame of a track that is not silent. */
async function firstSound(room: Room): Promise<number> {
  const [track] = (await once(room, RoomEvent.TrackSubscribed)) as [Track];
  for await (const frame of new AudioStream(track))
    if (frame.data.some((sample) => Math.abs(sample) > 1000)) return performance.now();
  throw new Error('the track ended in silence');
}

/**
 * The delays from the answer (the request for a grant) to the first audio of the caller, whose media are already
 * connected.
 */
async function answerDelays({ service, people }: BenchRun): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const [host, guest] = people.slice(-2) as [Person, Person];
  const times_ms: number[] = [];
  const join = (code: string, { token }: Person) =>
    succeed(service.port, agent, { method: 'POST', path: `/v1/calls/${code}/sfu-grant`, token, body: '{}' });
  for (let at = 0; at < talks_count; at++) {
    const body = JSON.stringify({ to: [{ user_id: guest.id }] });
    const call = await succeed(service.port, agent, { method: 'POST', path: '/v1/calls', token: host.token, body });
    const [caller, answerer] = [new Room(), new Room()];
    const first = await join(call.join_code, host);
    await caller.connect(first.url, first.token, { autoSubscribe: true, dynacast: false });
    const stopTone = await playTone(caller);
    const begun_ms = performance.now();
    const heard = firstSound(answerer);
    const grant = await join(call.join_code, guest);
    await answerer.connect(grant.url, grant.token, { autoSubscribe: true, dynacast: false });
    times_ms.push((await heard) - begun_ms);
    await stopTone();
    await succeed(service.port, agent, { method: 'DELETE', path: '/v1/calls/active', token: host.token });
    await Promise.all([caller.disconnect(), answerer.disconnect()]);
  }
  agent.destroy();
  return times_ms;
}

/** Measures calls. */
export async function measureCalls(run: BenchRun): Promise<void> {
  const pairs = Array.from({ length: at_once }, (_, at) => run.people.slice(at * 2, at * 2 + 2) as [Person, Person]);
  const floor = await startFloor(run.database_url, `http://localhost:${run.service.port}`, run.people);
  const costs: Record<'service' | 'floor', number[]> = { service: [], floor: [] };
  try {
    // The first round of each warms up and is not counted.
    for (let round = 0; round <= rounds; round++) {
      for (const name of ['service', 'floor'] as const) {
        const figure = await callsPerCpuSecond(run, name === 'service' ? run.service : floor, pairs);
        if (round > 0) costs[name].push(figure);
      }
    }
  } finally {
    await stop(floor);
  }
  const [ours, theirs] = [median(costs.service), median(costs.floor)];
  const ratio = (ours / theirs).toFixed(2);
  run.write(
    `${calls_count} calls of 2 by the API`,
    `${ours.toFixed(0)} of ${theirs.toFixed(0)} requests per CPU second, ratio ${ratio}`,
  );
  run.write('POST /calls to the ring', figures(await ringDelays(run)));
  run.write('answer to the first sound', figures(await answerDelays(run)));
  // The native clients have a thread of their own, which would keep the process running.
  await dispose();
}
