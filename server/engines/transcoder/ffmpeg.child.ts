/** The child process of ffmpeg, with limits of time and output. */
import { spawn } from 'node:child_process';

const max_log_bytes = 64 * 1024;

/** The program and its limits. */
export type FfmpegOptions = {
  /** The program, as an absolute path. */
  program: string;
  timeout_ms?: number;
  /** The address space of the child, in KiB. */
  memory_kib?: number;
  /** Called with the program's last output, for tests. */
  onLog?(text: string): void;
};

/** The consumer of ffmpeg's output. */
export type Output = { max_bytes: number; read(piece: Buffer): void };

/** Runs a shell command in its own process group, for at most `timeout_ms`. */
export function runInShell(
  cwd: string,
  command: string[],
  timeout_ms: number,
  output: Output | { file: number },
): Promise<{ code: number | null; log: string }> {
  return new Promise((resolve) => {
    // In a separate group, so that its child processes do not outlive it.
    const child = spawn('/bin/sh', command, {
      cwd,
      env: {},
      stdio: ['ignore', 'file' in output ? output.file : 'pipe', 'pipe'],
      detached: true,
    });
    const end = () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // It has exited by itself.
      }
    };
    const timer = setTimeout(end, timeout_ms);
    process.once('exit', end);
    let sent = 0;
    let log = '';
    child.stdout?.on('data', (piece: Buffer) => {
      sent += piece.length;
      if ('file' in output || sent > output.max_bytes) end();
      else output.read(piece);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log.length < max_log_bytes) log += text;
    });
    child.once('error', () => resolve({ code: null, log }));
    child.once('close', (code) => {
      clearTimeout(timer);
      process.off('exit', end);
      resolve({ code, log });
    });
  });
}
