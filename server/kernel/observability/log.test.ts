import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

type Line = Record<string, unknown> & { headers: { authorization: string } };

describe('the log', () => {
  const write = (fields: object): Line => {
    const lines: string[] = [];
    createLog('info', () => ({ trace_id: 't' }), { write: (line) => void lines.push(line) }).info(
      fields,
      'it happened',
    );
    return JSON.parse(lines[0] ?? '');
  };

  it('contains the code of an error and of its cause', () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const line = write({ err: Object.assign(new Error('disk full'), { code: '53100' }), cause });
    expect(line['err']).toMatchObject({ message: 'disk full', error_code: '53100' });
    expect(line['cause']).toMatchObject({ message: 'connect', error_code: 'ECONNREFUSED' });
    expect(line['trace_id']).toBe('t');
    expect(write({ err: null, cause: 'a text' })).toMatchObject({ err: null, cause: 'a text' });
  });

  it('redacts codes, passwords, tokens and the authorization header', () => {
    const line = write({ body: { code: '123456', password: 'x' }, token: 'y', headers: { authorization: 'Bearer z' } });
    expect(line['body']).toEqual({ code: '[redacted]', password: '[redacted]' });
    expect([line['token'], line['headers'].authorization]).toEqual(['[redacted]', '[redacted]']);
  });
});
