import { describe, expect, it } from 'vitest';
import { acceptRow, parseContactFile } from './contact-files.ts';
import { blank_address } from './contact-details.ts';
import { emptyFoundContact } from './contact-drafts.ts';

const read = async (text: string | Buffer) => {
  const { source, rows } = await parseContactFile(Buffer.from(text as string));
  return { source, found: rows.map((row) => row.found), errors: rows.map((row) => row.errors) };
};
const contact = (more: object) => ({ ...emptyFoundContact(), ...more });
const refusal = async (text: string) =>
  read(text).then(
    () => undefined,
    (error: { fields?: object }) => error.fields,
  );

describe('parseContactFile', () => {
  it("reads Google's current CSV format", async () => {
    const headings =
      'First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Name Suffix,Nickname,Organization Name,Organization Title,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value';
    const row =
      'Dora,M.,Example,,Dr.,,,,Painter,1990-01-01,Met at the fair,https://photos.example/1,* myContacts ::: * starred,* Home,dora@example.org ::: d@example.net,Mobile,+1 415-555-0199,Work Fax,020 7946 0000';
    expect(await read(`${headings}\n${row}`)).toEqual({
      source: 'csv',
      found: [
        contact({
          name: 'Dr. Dora M. Example',
          note: 'Met at the fair',
          favourite: true,
          emails: [
            { label: 'home', address: 'dora@example.org' },
            { label: 'home', address: 'd@example.net' },
          ],
          phones: [
            { label: 'mobile', number: '+1 415-555-0199' },
            { label: 'work fax', number: '020 7946 0000' },
          ],
          details: { ...emptyFoundContact().details, job_title: 'Painter', birthday: '1990-01-01' },
        }),
      ],
      errors: [{}],
    });
  });

  it("reads Google's older CSV format", async () => {
    const headings =
      'Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,IM 1 - Type,IM 1 - Service,IM 1 - Value,Phone 1 - Type,Phone 1 - Value,Organization 1 - Name';
    const { found } = await read(
      `${headings}\nDora Example,Dora,,Example,* My Contacts,* Work,d@example.org,,Jabber,dora@x.example,Mobile,1 ::: 2,\n,,,,,,,,,,,,Acme`,
    );
    expect(found).toEqual([
      contact({
        name: 'Dora Example',
        emails: [{ label: 'work', address: 'd@example.org' }],
        im: [{ network: 'jabber', handle: 'dora@x.example' }],
        phones: [
          { label: 'mobile', number: '1' },
          { label: 'mobile', number: '2' },
        ],
      }),
      contact({ name: 'Acme' }),
    ]);
  });

  it("reads Outlook's CSV format in a Windows encoding", async () => {
    const headings =
      'Title,First Name,Middle Name,Last Name,Suffix,Company,Job Title,Business Fax,Business Phone,Business Phone 2,Home Phone,Mobile Phone,E-mail Address,E-mail Type,E-mail Display Name,E-mail 2 Address,Notes';
    const row = ',Åsa,,Öst,,Acme,Boss,1,2,3,4,5,asa@example.org,SMTP,Åsa (asa@example.org),b@example.org,Brûlée';
    const { source, found } = await read(Buffer.from(`${headings}\r\n${row}\r\n`, 'latin1'));
    expect([source, found]).toEqual([
      'csv',
      [
        contact({
          name: 'Åsa Öst',
          note: 'Brûlée',
          phones: [
            { label: 'work', number: '2' },
            { label: 'work', number: '3' },
            { label: 'home', number: '4' },
            { label: 'mobile', number: '5' },
          ],
          emails: [
            { label: '', address: 'asa@example.org' },
            { label: '', address: 'b@example.org' },
          ],
          details: { ...emptyFoundContact().details, organization: 'Acme', job_title: 'Boss' },
        }),
      ],
    ]);
  });

  it('removes bidirectional and control characters from names and numbers', async () => {
    const { found } = await read('Name,Phone\n\u202aAda\u202c \u202eLovelace\u0007,\u202a+14155550101\u202c\n');
    const { draft } = acceptRow({ found: found[0] ?? emptyFoundContact(), errors: {} }, 0, 'US');
    expect([draft?.name, draft?.phones]).toEqual(['Ada Lovelace', [{ label: 'other', number: '+14155550101' }]]);
  });

  it('reads addresses from the columns of Google and Outlook', async () => {
    const google =
      'Name,Address 1 - Label,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Postal Code';
    const outlook = 'Name,Business Street,Business City,Business State,Business Country/Region,Home Street';
    const of = async (headings: string, row: string) => (await read(`${headings}\n${row}`)).found[0]?.details.addresses;
    expect(await of(google, 'Dora,* Home,Elm Street 1,Springfield,Box 9,12345')).toEqual([
      { ...blank_address, label: 'home', street: 'Elm Street 1, Box 9', locality: 'Springfield', postal_code: '12345' },
    ]);
    expect(await of(outlook, 'Dora,Oak Street 2,Hill Valley,CA,USA,Elm Street 1')).toEqual([
      {
        ...blank_address,
        label: 'work',
        street: 'Oak Street 2',
        locality: 'Hill Valley',
        region: 'CA',
        country: 'USA',
      },
      { ...blank_address, label: 'home', street: 'Elm Street 1' },
    ]);
  });

  it('reads a plain CSV file, also in UTF-16', async () => {
    const text = '\uFEFFname;phone;email;tag;favourite\nSam;0151 1;s@example.org;sam;yes\n';
    const expected = [
      contact({
        name: 'Sam',
        phones: [{ label: '', number: '0151 1' }],
        emails: [{ label: '', address: 's@example.org' }],
        tag_name: 'sam',
        favourite: true,
      }),
    ];
    expect((await read(text)).found).toEqual(expected);
    expect((await read(Buffer.from(text, 'utf16le'))).found).toEqual(expected);
  });

  it("reads Apple's vCards and version 4, with the preferred number first", async () => {
    const { source, found, errors } = await read(
      [
        'BEGIN:VCARD\nVERSION:3.0\nN:Example;Dora;;;\nitem1.TEL:+1 415 555 0199\nitem1.X-ABLabel:_$!<Other>!$_',
        'TEL;type=CELL;type=VOICE;type=pref:+1 415 555 0198\nEMAIL;type=INTERNET;type=HOME:d@example.org',
        'IMPP;X-SERVICE-TYPE=Skype:skype:dora.e\nX-JABBER:d@x.example\nCATEGORIES:Friends,starred\nEND:VCARD',
        'BEGIN:VCARD\nVERSION:4.0\nFN:Sam\nTEL;VALUE=uri;TYPE="voice,work":tel:+44-20-7946-0000;ext=5',
        'TEL;PREF=1:1\nEMAIL;PREF=2:two@example.org\nEMAIL;PREF=1:one@example.org\nIMPP:xmpp:sam@x.example\nEND:VCARD',
        'BEGIN:VCARD\nVERSION:2.1\nFN:Old\nEND:VCARD',
      ].join('\n'),
    );
    expect(source).toBe('vcard');
    expect(found.slice(0, 2)).toEqual([
      contact({
        name: 'Dora Example',
        phones: [
          { label: 'mobile', number: '+1 415 555 0198' },
          { label: 'other', number: '+1 415 555 0199' },
        ],
        emails: [{ label: 'home', address: 'd@example.org' }],
        im: [
          { network: 'Skype', handle: 'dora.e' },
          { network: 'xmpp', handle: 'd@x.example' },
        ],
        favourite: true,
      }),
      contact({
        name: 'Sam',
        phones: [
          { label: '', number: '1' },
          { label: 'work', number: '+44-20-7946-0000' },
        ],
        emails: [
          { label: '', address: 'one@example.org' },
          { label: '', address: 'two@example.org' },
        ],
        im: [{ network: 'xmpp', handle: 'sam@x.example' }],
      }),
    ]);
    expect(errors).toEqual([{}, {}, { version: 'is not a supported version: use 3.0 or 4.0' }]);
  });

  it('reads JSON in the format of the contact list, and simplified forms', async () => {
    const sam = { name: 'Sam', phones: [{ label: 'home', number: '1' }], tag_name: 'sam', favourite: true, user: null };
    const { source, found } = await read(
      JSON.stringify({ items: [sam, { name: 'Eve', phone: 2, email: 'e@x.org' }, 7] }),
    );
    expect([source, found]).toEqual([
      'json',
      [
        contact({ name: 'Sam', phones: [{ label: 'home', number: '1' }], tag_name: 'sam', favourite: true }),
        contact({ name: 'Eve', phones: [{ label: '', number: '2' }], emails: [{ label: '', address: 'e@x.org' }] }),
        contact({}),
      ],
    ]);
  });

  it('reports at most 20 errors for one contact', async () => {
    const text = JSON.stringify([{ name: 'Sam', phones: Array.from({ length: 1000 }, () => 'x') }]);
    const { rows } = await parseContactFile(Buffer.from(text));
    const { draft, errors } = acceptRow(rows[0]!, 0, undefined);
    expect([draft?.name, Object.keys(errors).length]).toEqual(['Sam', 20]);
  });

  it('names the error in an invalid file', async () => {
    expect(await refusal('')).toEqual({ file: expect.stringContaining('contains no contacts') });
    expect(await refusal('price,amount\n1,2')).toEqual({
      file: expect.stringContaining('no recognisable column headings'),
    });
    expect(await refusal('name\n"Sam')).toEqual({ file: expect.stringContaining('not closed') });
    expect(await refusal('{"contacts": ')).toEqual({ file: 'is not valid JSON' });
    expect(await refusal('{"contacts": 1}')).toEqual({ file: 'does not contain a list of contacts' });
    expect(await refusal(`name\n${'Sam\n'.repeat(10_001)}`)).toEqual({ file: 'holds more than 10000 contacts' });
    expect(await refusal('{"__proto__": []}')).toEqual({ file: 'is not valid JSON' });
  });
});
