/** The database that every world is copied from. */
export const template_name = 'asterism_template';

/** The address of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const parsed = new URL(url.replace(/^(postgres(?:ql)?:\/\/[^@]*@?)\//, '$1localhost/'));
  parsed.pathname = `/${name}`;
  return parsed.href;
}
