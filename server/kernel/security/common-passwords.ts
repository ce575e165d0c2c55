/** The most common passwords, from the list of a package that is loaded on first use. */

/** Shorter ones are refused for their length (NIST SP 800-63B, section 5.1.1.2). */
const min_length = 8;

let listed: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= min_length));
}

/** Whether a password, in lower case, is among the 49,000 most common ones. @throws the error of the import */
export async function isListedPassword(password: string): Promise<boolean> {
  listed ??= load();
  return (await listed).has(password);
}
