/** The migrated database without people, and the one with the personas: every world is a copy of either. */
export const template_name = 'asterism_template';
export const peopled_name = 'asterism_peopled';

/** The key of all worlds, so that what was encrypted and hashed in the template is valid in its copies. */
export const service_key = 'a key of tests, long enough to be taken for one';

/** The address of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const parsed = new URL(url.replace(/^(postgres(?:ql)?:\/\/[^@]*@?)\//, '$1localhost/'));
  parsed.pathname = `/${name}`;
  return parsed.href;
}
