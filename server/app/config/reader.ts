/** Reads environment variables, and refuses unusable values. */
import { readFileSync } from 'node:fs';

/** One variable of the environment, as the table of `npm start -- --help` shows it. */
export type Variable = { name: string; default: string; meaning: string };

/** An unusable value, explained in one sentence that states what to do. */
export class ConfigError extends Error {}

/** The variables of a process by their names; those that are not set are undefined. */
export type Environment = Record<string, string | undefined>;

/** Reads and validates variables of one environment. */
export type Reader = ReturnType<typeof createReader>;

/** Creates a reader of variables; each refusal names its variable. */
export function createReader(environment: Environment) {
  const text = (name: string) => environment[name]?.trim() || undefined;
  const refuse = (reason: string): never => {
    throw new ConfigError(reason);
  };
  return {
    text,
    refuse,
    /** The content of the file that a variable names. */
    file(name: string): string {
      try {
        return readFileSync(text(name) ?? '', 'utf8');
      } catch {
        return refuse(`${name} must be the path of a file that can be read, but is "${text(name)}".`);
      }
    },
    need: (name: string) => text(name) ?? '',
    number(name: string, fallback: number, min: number, max: number): number {
      const value = Number(text(name) ?? fallback);
      if (value >= min && value <= max) return value;
      throw new ConfigError(`${name} must be a number from ${min} to ${max}, but is "${text(name)}".`);
    },
    word<W extends string>(name: string, fallback: W, words: readonly W[]): W {
      const value = (text(name) ?? fallback) as W;
      if (words.includes(value)) return value;
      throw new ConfigError(`${name} must be one of ${words.join(', ')}, but is "${value}".`);
    },
    url(name: string, protocols: string[]): string | undefined {
      const value = text(name);
      if (value === undefined || protocols.some((protocol) => value.startsWith(`${protocol}://`)))
        return value?.replace(/(?<!\/)\/+$/, '');
      throw new ConfigError(`${name} must begin with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}.`);
    },
    /** Whether a group of variables is set; all of them or none must be. */
    together(names: string[]): boolean {
      const missing = names.filter((name) => text(name) === undefined);
      const present = names.find((name) => text(name) !== undefined);
      if (missing.length > 0 && present)
        throw new ConfigError(`${missing.join(' and ')} must be set too, since ${present} is.`);
      return missing.length === 0;
    },
  };
}
