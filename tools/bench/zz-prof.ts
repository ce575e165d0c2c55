import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ask, cpuOf, cpuOfDatabase, load, median, freePort } from './measure.ts';
import { addPeople, findDatabase, makeFolder, startPlainFloor, stop } from './subjects.ts';
import { fillWorld, listOperations, floorAsks } from './zz-operations.ts';
// @ts-expect-error
import { insidePath } from '../setup.mjs';
const [which = '', mode = 'time', rounds_text = '5'] = process.argv.slice(2);
const folder = makeFolder();
const inspect = await freePort();
const port = await freePort(), media = await freePort();
const { PATH, NODE_COMPILE_CACHE } = insidePath() as NodeJS.ProcessEnv;
const env = { PATH, NODE_COMPILE_CACHE, PORT: String(port), MEDIA_PORT: String(media), MEDIA_TCP_PORT: 'off', DATA_DIR: folder.data_dir, LANES: process.env['LANES'] ?? '3', THROTTLE_FACTOR: '1000000', LOG_LEVEL: 'error' };
const args = mode === 'cpu' ? [`--inspect=127.0.0.1:${inspect}`] : mode === 'perf' ? ['--perf-basic-prof', '--interpreted-frames-native-stack'] : [];
const child = spawn(process.execPath, [...args, join(import.meta.dirname, '..', '..', 'server', 'main.ts')], { env, stdio: ['ignore', 'ignore', process.env.V ? 'inherit' : 'ignore'] });
while (!(await fetch(`http://127.0.0.1:${port}/health/ready`).then(({ ok }) => ok, () => false))) { if (child.exitCode !== null) throw new Error('ended'); await new Promise((r) => setTimeout(r, 20)); }
const service = { process: child, pid: child.pid ?? 0, port, ready_ms: 0 };
const { url, pid: postmaster } = findDatabase(folder.data_dir);
const db = new pg.Client({ connectionString: url });
await db.connect();
try {
  const people = await addPeople(db, 400, 30);
  const world = await fillWorld(port, people);
  await db.query('vacuum analyze');
  const floor = await startPlainFloor(url);
  for (const { title, kind, next } of listOperations(world)) {
    if (!title.includes(which)) continue;
    if (mode === 'explain') { console.log(title, (await ask(port, new (await import('node:http')).Agent(), next()))); console.log(url); await new Promise((r) => process.stdin.once('data', r)); continue; }
    await load(port, 32, 2000, next);
    if (mode === 'log') {
      const { readFileSync } = await import('node:fs');
      await db.query('alter system set log_min_duration_statement=0'); await db.query("alter system set log_min_messages='warning'"); await db.query('select pg_reload_conf()');
      await new Promise((r) => setTimeout(r, 300));
      const from = readFileSync(folder.data_dir + '/postgres.log').length;
      const done = await load(port, 1, 2000, next);
      await db.query('alter system set log_min_duration_statement=-1'); await db.query('select pg_reload_conf()');
      const text = readFileSync(folder.data_dir + '/postgres.log').subarray(from).toString();
      const sums = new Map<string, { n: number; ms: number }>();
      for (const [, ms, what, st] of text.matchAll(/duration: ([\d.]+) ms  (parse|bind|execute|statement)[^:]*: ([^]*?)(?=\n\d{4}-\d\d-\d\d )/g)) {
        const name = `${(st ?? '').replace(/\s+/g, ' ').slice(0, 150)}`; const key = `${name}|${what}`;
        const one = sums.get(key) ?? { n: 0, ms: 0 }; one.n++; one.ms += Number(ms); sums.set(key, one);
      }
      console.log(title, done, 'ops');
      for (const [k, v] of [...sums].sort((a, b) => b[1].ms - a[1].ms).slice(0, 40)) console.log((v.ms / done).toFixed(3), (v.n / done).toFixed(2), (v.ms / v.n).toFixed(3), k.split('|').at(-1), k.slice(0, 140));
      continue;
    }
    if (mode === 'cpu') {
      const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${inspect}/json`)).json() as { webSocketDebuggerUrl: string }[];
      const ws = new WebSocket(webSocketDebuggerUrl as string);
      await new Promise((r) => (ws.onopen = r));
      let n = 0;
      const call = (method: string, params = {}) => new Promise<any>((r) => { const id = ++n; const h = (e: MessageEvent) => { const m = JSON.parse(String(e.data)); if (m.id === id) { ws.removeEventListener('message', h); r(m.result); } }; ws.addEventListener('message', h); ws.send(JSON.stringify({ id, method, params })); });
      await call('Profiler.enable'); await call('Profiler.setSamplingInterval', { interval: 200 });
      await call('Profiler.start');
      const a = cpuOf(service.pid);
      const done = await load(port, 32, 4000, next);
      console.log(title, 'server ms per op under profile', ((cpuOf(service.pid) - a) / done).toFixed(3));
      const { profile } = await call('Profiler.stop');
      writeFileSync(`/tmp/cost/${which.replace(/\W+/g, '_')}.cpuprofile`, JSON.stringify(profile));
      ws.close();
    } else if (mode === 'perf') {
      const backends = (await db.query(`select pid from pg_stat_activity where application_name = 'asterism'`)).rows.map((r) => r.pid);
      console.log('backends', backends.length);
      const p = spawn('perf', ['record', '-o', `/tmp/cost/perf.db.data`, '-g', '-F', '2000', '-a', '--', 'sleep', '4'], { stdio: 'ignore' });
      const q = spawn('perf', ['record', '-o', `/tmp/cost/perf.node.data`, '-g', '-F', '2000', '-p', String(service.pid), '--', 'sleep', '4'], { stdio: 'ignore' });
      await load(port, 32, 5000, next);
      await new Promise((r) => setTimeout(r, 1500));
    } else {
      const costOf = async (c: { pid: number; port: number }, nx: () => any) => { const [s, d] = [cpuOf(c.pid), cpuOfDatabase(postmaster)]; const t = performance.now(); const done = await load(c.port, 32, 1500, nx); return [(cpuOf(c.pid) - s) / done, (cpuOfDatabase(postmaster) - d) / done, done / (performance.now() - t) * 1000]; };
      const A: number[][] = [], B: number[][] = [];
      for (let r = 0; r < Number(rounds_text); r++) { A.push(await costOf(service, next)); B.push(await costOf(floor, () => floorAsks[kind])); }
      const m = (x: number[][], i: number) => median(x.map((y) => y[i] ?? 0));
      console.log(`${title.padEnd(34)} ours ${(m(A,0)+m(A,1)).toFixed(3)} (${m(A,0).toFixed(3)} + ${m(A,1).toFixed(3)})  floor ${(m(B,0)+m(B,1)).toFixed(3)} (${m(B,0).toFixed(3)} + ${m(B,1).toFixed(3)})  x${((m(A,0)+m(A,1))/(m(B,0)+m(B,1))).toFixed(2)}`);
    }
  }
  for (const s of world.sockets) s.terminate();
  await stop(floor);
} finally { await db.end(); await stop(service); folder.remove(); }
